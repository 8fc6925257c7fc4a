// What compilers write becomes errors with places, and how they failed is told apart.
#include "runtime/hip/compile/compiler_messages.h"

#include <catch2/catch.hpp>

#include "base/file_system.h"
#include "runtime/hip/compile/canaries.h"
#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compiler.h"
#include "runtime/wheels/plan/plan.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

constexpr const char* kErrors =
    "In file included from k.hip:2:\n"
    "/opt/rocm/include/x.h:12:3: error: no member 'a' on gfx1100\n"
    "  a.a;\n"
    "    ^\n"
    "k.hip:9:1: note: in instantiation of 'f<int>' requested here\n"
    "k.hip:3:4: warning: unused\n"
    "  int x;\n"
    "2 errors generated when compiling for gfx1100.\n";

TEST_CASE("errors have a place, a message and what explains them", "[hip]") {
  const auto errors = ReadCompilerErrors(kErrors);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].file == "/opt/rocm/include/x.h");
  CHECK(errors[0].line == 12);
  CHECK(errors[0].column == 3);
  CHECK(errors[0].message == "no member 'a' on gfx1100");
  CHECK(errors[0].lines ==
        std::vector<std::string>{"  a.a;", "    ^",
                                 "k.hip:9:1: note: in instantiation of 'f<int>' requested here"});
  CHECK(CauseOf(errors[0]) == "/opt/rocm/include/x.h:12:3: no member 'a' on gfx*");
}

TEST_CASE("errors of programs have no place", "[hip]") {
  const auto errors = ReadCompilerErrors("clang: error: invalid target ID 'gfx9999'\n");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].file.empty());
  CHECK(errors[0].message == "invalid target ID 'gfx9999'");
  CHECK(ReadCompilerErrors("ld.lld: error: undefined symbol: f\n")[0].message ==
        "undefined symbol: f");
  CHECK(ReadCompilerErrors("")[0].message == "the compiler failed and printed nothing");
  CHECK(ReadCompilerErrors("Segmentation fault\n")[0].message == "Segmentation fault");
}

TEST_CASE("errors, crashes, hangs and want of memory are told apart", "[hip]") {
  const auto ended = [](ProcessEnd::How how, int status, const char* output) {
    return ClassifyEnd({.how = how, .status = status}, output);
  };
  using How = ProcessEnd::How;
  CHECK(ended(How::kExited, 0, "") == CompileEnd::kPass);
  CHECK(ended(How::kExited, 1, kErrors) == CompileEnd::kError);
  CHECK(ended(How::kExited, 70,
              "fatal error: error in backend: Cannot select\nPLEASE submit a "
              "bug report") == CompileEnd::kError);
  CHECK(ended(How::kExited, 254, "PLEASE submit a bug report to") == CompileEnd::kCrash);
  CHECK(ended(How::kSignalled, 139, "") == CompileEnd::kCrash);
  CHECK(ended(How::kTimedOut, 143, "") == CompileEnd::kHang);
  CHECK(ended(How::kSignalled, 137, "") == CompileEnd::kOutOfMemory);
  CHECK(ended(How::kExited, 1, "LLVM ERROR: out of memory\n") == CompileEnd::kOutOfMemory);
  CHECK(ended(How::kInterrupted, 0, "") == CompileEnd::kStopped);
}

TEST_CASE("a crash says what the compiler was at", "[hip]") {
  const auto errors = ReadCompilerErrors(
      "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clang\n"
      "1.\tk.hip:3:2: current parser token 'x'\n #0 0x1\nclang: error: clang frontend command "
      "failed due to signal\n");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].file == "k.hip");
  CHECK(errors[0].line == 3);
  CHECK(errors[0].message == "the compiler crashed at: current parser token 'x'");
}

TEST_CASE("lists of dependencies are read with all that is escaped in them", "[hip]") {
  CHECK(ReadDependencies("a.o: b.hip \\\n  /x/c\\ d.h /x/e$$.h \\\n /x/c\\ d.h\n") ==
        std::vector<std::string>{"/x/c d.h", "/x/e$.h", "b.hip"});
  CHECK(ReadDependencies("").empty());
}

TEST_CASE("command lines are split as a shell splits them", "[hip]") {
  CHECK(SplitCommand("clang  -a \"b c\" 'd\\e' f\\ g \"\"") ==
        std::vector<std::string>{"clang", "-a", "b c", "d\\e", "f g", ""});
}

TEST_CASE("every canary says what it guards and since when", "[hip]") {
  REQUIRE(Canaries().size() >= 15);
  for (const Canary& canary : Canaries()) {
    INFO(canary.name);
    CHECK_FALSE(canary.Guards().empty());
    CHECK_FALSE(canary.Since().empty());
  }
  CHECK(FindCanary("half_traits") != nullptr);
  CHECK(FindCanary("half") == nullptr);
}

TEST_CASE("what is known to fail names canaries", "[hip]") {
  Diagnostics diagnostics;
  const std::string path = SourcePath("generated-workflows/plan.json");
  const auto plan =
      ReadPlanText(RealFileSystem().Read(path).value_or(""), "plan.json", diagnostics);
  REQUIRE(plan);
  for (const HipKnownFailure& row : plan->build_rules.hip_known_failures) {
    CHECK(FindCanary(row.source) != nullptr);
  }
}

}  // namespace
}  // namespace wheelwright
