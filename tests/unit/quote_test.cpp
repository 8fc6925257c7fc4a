#include "base/quote.h"

#include <catch2/catch.hpp>
#include <string>

namespace wheelwright {
namespace {

TEST_CASE("Of foreign text the beginning is shown, of a path all", "[base]") {
  CHECK(Quoted("a\tb\r\n\x1b[2J\xff") == "'a\\tb\\r\\n\\x1b[2J\\xff'");
  CHECK(QuotedPath("a\tb\r\n\x1b[2J\xff") == "'a\\tb\\r\\n\\x1b[2J\\xff'");
  CHECK(Quoted("") == "''");
  const std::string name(255, 'n');
  CHECK(Quoted(name) == "'" + name + "'");
  CHECK(Quoted(name + "n") == "'" + name + "'... (256 bytes)");
  CHECK(QuotedPath("/" + name + "/bin/clang++") == "'/" + name + "/bin/clang++'");
  // Never half a character.
  const std::string accent = std::string(254, 'n') + "\xc3\xa9" + name;
  CHECK(Quoted(accent) == "'" + std::string(254, 'n') + "'... (511 bytes)");
}

TEST_CASE("In Markdown, foreign text is text", "[base]") {
  CHECK(EscapeMarkdown("a|b\nc\x1b[2J") == "a\\|b c\xEF\xBF\xBD\\[2J");
  CHECK(EscapeMarkdown("*a* `b` <c> [d](e) \\") == "\\*a\\* \\`b\\` \\<c> \\[d](e) \\\\");
  CHECK(EscapeMarkdown("linux_x86_64 _a_ b_ __init__") ==
        "linux_x86_64 \\_a\\_ b\\_ \\_\\_init\\_\\_");
}

}  // namespace
}  // namespace wheelwright
