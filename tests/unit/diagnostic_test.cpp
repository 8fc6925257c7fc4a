// Reports of large inputs: what is printed and how long it takes do not grow out of proportion.

#include "base/diagnostic.h"

#include <catch2/catch.hpp>
#include <string>

namespace wheelwright {
namespace {

TEST_CASE("a long line is cut around the caret", "[diagnostic]") {
  SourceManager sources;
  const FileId file =
      sources.Add("a.yml", std::string(5000, 'a') + "wrong" + std::string(5000, 'b'));
  Diagnostics diagnostics;
  diagnostics.Report({.code = "unknown-key", .message = "this", .where = {{file, 5000}, 5}});
  const std::string a(80, 'a'), b(80, 'b'), blanks(81, ' ');
  CHECK(Render(diagnostics, sources, ReportFormat::kText, false) ==
        "error[unknown-key]: this\n"
        "  --> a.yml:1:5001\n"
        "   |\n"
        " 1 | …" +
            a + "wrong" + b +
            "…\n"
            "   | " +
            blanks + "^^^^^\n");
}

TEST_CASE("neither end of a cut line is cut in a character", "[diagnostic]") {
  SourceManager sources;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "ä";
  const FileId file = sources.Add("a.yml", text);
  for (const std::uint32_t offset : {0U, 2U, 600U, 1500U, 1998U}) {
    Diagnostics diagnostics;
    diagnostics.Report({.code = "unknown-key", .message = "this", .where = {{file, offset}, 401}});
    const std::string report = Render(diagnostics, sources, ReportFormat::kText, false);
    CHECK(report.size() < 2000);
    CHECK(report.find("\\x") == std::string::npos);
  }
}

TEST_CASE("a message names no more than a few rows of its input", "[diagnostic]") {
  SourceManager sources;
  Diagnostics diagnostics;
  diagnostics.Report({.code = "unknown-key",
                      .message = std::string(1000000, 'x'),
                      .hint = std::string(1000000, 'y'),
                      .notes = {std::string(1000000, 'z')}});
  CHECK(Render(diagnostics, sources, ReportFormat::kText, false).size() < 13000);
}

TEST_CASE("a place far into a long line has its column", "[diagnostic]") {
  SourceManager sources;
  std::string text = "first\n";
  for (int i = 0; i < 5000; ++i) text += "ab\u00e4";
  const FileId file = sources.Add("a.yml", text);
  for (const std::uint32_t i : {0U, 1U, 255U, 256U, 1023U, 1024U, 4999U}) {
    const Position position = sources.PositionOf({file, 6 + 4 * i + 2});
    CHECK(position.line == 2);
    CHECK(position.column == 3 * i + 3);
  }
}

TEST_CASE("a hundred thousand reports are folded and rendered", "[diagnostic]") {
  SourceManager sources;
  const FileId file = sources.Add("a.yml", std::string(400000, 'a'));
  Diagnostics diagnostics;
  diagnostics.SetInstance("ci.yml");
  for (int twice = 0; twice < 2; ++twice) {
    for (std::uint32_t i = 0; i < 100000; ++i) {
      diagnostics.Report({.code = "unknown-key", .message = "this", .where = {{file, 4 * i}, 4}});
    }
  }
  CHECK(diagnostics.entries().size() == 100000);
  CHECK(diagnostics.entries().back().instances == 2);
}

}  // namespace
}  // namespace wheelwright
