// Finding the error among what a build prints.
#include "runtime/host/programs/failure_scan.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace wheelwright {
namespace {

struct Case {
  std::string output;
  std::string message;
  std::string file = {};
  std::size_t line = 0;
  std::size_t column = 0;
};

TEST_CASE("the first real error is found", "[failure]") {
  const std::vector<Case> cases{
      {"[1/9] Building a\na.hip:12:3: error: no member named 'x'\n  y.x();\n    ^\n",
       "no member named 'x'", "a.hip", 12, 3},
      {"In file included from a.cpp:1:\n/src/b.h:7: fatal error: c.h: No such file or directory\n",
       "c.h: No such file or directory", "/src/b.h", 7, 0},
      {"\x1b[1ma.cpp:1:2: \x1b[0m\x1b[31merror: \x1b[0mbad\n", "bad", "a.cpp", 1, 2},
      {"C:\\src\\a.cpp(12,3): error: use of undeclared\n", "use of undeclared", "C:\\src\\a.cpp",
       12, 3},
      {"C:\\src\\a.cpp(12): error C2065: 'x': undeclared identifier\n",
       "error C2065: 'x': undeclared identifier", "C:\\src\\a.cpp", 12, 0},
      // A compiler's word counts more than a linker's that was printed before it.
      {"ld.lld: error: undefined symbol: f\na.cpp:4:1: error: bad\n", "bad", "a.cpp", 4, 1},
      {"ld.lld: error: undefined symbol: f\nninja: build stopped\n", "undefined symbol: f"},
      {"/usr/bin/ld: a.o: in function `main':\na.cpp:(.text+0x5): undefined reference to `f'\n",
       "a.cpp:(.text+0x5): undefined reference to `f'"},
      {"CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find hip\n",
       "CMake Error at CMakeLists.txt:3 (find_package):"},
      // The message closes a trace; of several traces the last one is what ended it.
      {"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'\n\n"
       "During handling of the above exception, another exception occurred:\n\n"
       "Traceback (most recent call last):\n  File \"a.py\", line 3\n"
       "RuntimeError: no ROCm: 1\n",
       "RuntimeError: no ROCm: 1"},
      {"ERROR: No matching distribution found for torch==9\n",
       "ERROR: No matching distribution found for torch==9"},
      {"fatal: couldn't find remote ref x", "fatal: couldn't find remote ref x"},
  };
  for (const Case& test : cases) {
    INFO(test.output);
    FailureScan scan;
    scan.Feed(test.output);
    scan.Feed("\n");
    const auto found = scan.Found();
    REQUIRE(found);
    CHECK(found->message == test.message);
    CHECK(found->file == test.file);
    CHECK(found->line == test.line);
    CHECK(found->column == test.column);
  }
}

TEST_CASE("words of other lines are no errors", "[failure]") {
  for (const std::string text :
       {"-Werror=maybe-uninitialized\n", "Building error.cpp\n", "0 errors: all is well\n",
        "note: a.cpp is slow\n", "a.cpp:1:2: warning: error: none\n\n"}) {
    INFO(text);
    FailureScan scan;
    scan.Feed(text);
    // The last of them is one, but of the weakest kind: no place can be read from it.
    const auto found = scan.Found();
    CHECK((!found || found->file.empty()));
  }
}

TEST_CASE("pieces may end anywhere", "[failure]") {
  const std::string text = "one\ra.cpp:1:2: error: bad\n  code\n  ^\n[2/3] next\nmore\n";
  for (std::size_t size = 1; size < text.size(); ++size) {
    FailureScan scan;
    for (std::size_t at = 0; at < text.size(); at += size) scan.Feed(text.substr(at, size));
    REQUIRE(scan.Found());
    CHECK(scan.Found()->lines ==
          std::vector<std::string>{"a.cpp:1:2: error: bad", "  code", "  ^"});
    CHECK(scan.last_line() == "more");
  }
}

TEST_CASE("memory stays small whatever is printed", "[failure]") {
  FailureScan scan;
  for (int i = 0; i < 1000; ++i) scan.Feed(std::string(10000, 'x'));
  scan.Feed("\n");
  CHECK(scan.last_line().size() < 20000);
  for (int i = 0; i < 100; ++i) scan.Feed("line " + std::to_string(i) + "\n");
  const auto tail = scan.Tail();
  REQUIRE(tail.size() == 20);
  CHECK(tail.front() == "line 80");
  CHECK(tail.back() == "line 99");
}

}  // namespace
}  // namespace wheelwright
