// Command lines of Windows, taken apart as its programs do.
#include "base/platform/command_line.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

namespace wheelwright {
namespace {

// As CommandLineToArgvW and the C library do.
// https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw
std::vector<std::string> TakenApart(std::string_view line) {
  std::vector<std::string> words;
  // The program ends at the next quotation mark.
  const std::size_t end = line.find('"', 1);
  words.emplace_back(line.substr(1, end - 1));
  line.remove_prefix(end + 1);
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return words;
    std::string word;
    bool quoted = false;
    while (!line.empty() && (quoted || (line[0] != ' ' && line[0] != '\t'))) {
      const std::size_t backslashes = std::min(line.find_first_not_of('\\'), line.size());
      line.remove_prefix(backslashes);
      if (line.empty() || line[0] != '"') {
        word.append(backslashes, '\\');
        if (backslashes == 0) {
          word += line[0];
          line.remove_prefix(1);
        }
        continue;
      }
      word.append(backslashes / 2, '\\');
      if (backslashes % 2 == 1) {
        word += '"';
      } else {
        quoted = !quoted;
      }
      line.remove_prefix(1);
    }
    words.push_back(std::move(word));
  }
}

TEST_CASE("a command line is taken apart into the same arguments", "[command_line]") {
  std::mt19937 random(1);
  constexpr std::string_view kLetters = "a \\\"\t'%^&|<>()!=;,/b";
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::string> arguments{"C:/a b/program.exe"};
    for (std::size_t count = random() % 5; count > 0; --count) {
      std::string& word = arguments.emplace_back();
      for (std::size_t length = random() % 8; length > 0; --length) {
        word += kLetters[random() % kLetters.size()];
      }
    }
    const std::string line = CommandLineOf(arguments);
    CAPTURE(line);
    REQUIRE(TakenApart(line) == arguments);
  }
}

TEST_CASE("what needs no quotation marks has none", "[command_line]") {
  CHECK(CommandLineOf({"git", "-C", "B:/src", "a b", "", R"(c:\)", R"(c d\)"}) ==
        R"("git" -C B:/src "a b" "" c:\ "c d\\")");
}

TEST_CASE("cmd.exe gets its commands as they stand", "[command_line]") {
  CHECK(CommandLineOf(
            {R"(C:\Windows\System32\CMD.exe)", "/d", "/c", R"(call "C:\a b\c.bat" x64 && set)"}) ==
        R"("C:\Windows\System32\CMD.exe" /d /c "call "C:\a b\c.bat" x64 && set")");
}

TEST_CASE("an argument of a batch file is no command of its own", "[command_line]") {
  CHECK(
      BatchLineOf("cmd.exe", R"(C:\x y\npm.cmd)", {"a", "a&b", "%PATH%", "say \"x\"", R"(c:\)"}) ==
      R"("cmd.exe" /e:on /v:off /d /c ""C:\x y\npm.cmd" "a" "a&b" "%%cd:~,%PATH%%cd:~,%" "say ""x""" "c:\\"")");
  CHECK_FALSE(BatchLineOf("cmd.exe", "a.cmd", {"a\nb"}).has_value());
}

}  // namespace
}  // namespace wheelwright
