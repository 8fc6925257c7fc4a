// What the commands about code for GPUs say of input that is wrong.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cli/program.h"
#include "runtime/commands/commands.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

std::string SaidOf(std::vector<std::string> words) {
  TestHost test;
  test.host.variables["HOME"] = "/home";
  CHECK(RunProgram(Wheelrun(), words, test.host, &test.host) == kWrongInput);
  return test.err.str();
}

TEST_CASE("a compiler that is not there is told with where it was looked for", "[hip]") {
  CHECK(
      SaidOf({"hip", "compile", "--target", "gfx942"}) ==
      "error[no-compiler]: there is no compiler of HIP on this machine\n"
      "   = looked for: ROCm's Python packages, the variable ROCM_PATH, and hipcc, amdclang++ and "
      "clang++ on the PATH\n"
      "   = `wheelrun rocm install` installs one; `--compiler` names one\n");
}

TEST_CASE("a source that is not there may be a canary with a slip in it", "[hip]") {
  const std::string said =
      SaidOf({"hip", "compile", "half_trait.hip", "--target", "gfx942", "--compiler", "/no/such"});
  CHECK(
      said.starts_with("error[no-source]: there is no source 'half_trait.hip'\n"
                       "   = did you mean 'half_traits.hip'?\n"));
}

TEST_CASE("a wheel that is not there is told", "[hip]") {
  const std::string said = SaidOf({"wheel", "inspect", "/no/such.whl"});
  // Then comes the reason in the words of the system.
  CHECK(said.starts_with("error[no-file]: '/no/such.whl' cannot be read: "));
  CHECK(said.ends_with("\n   = give wheels, or the folder that contains them\n"));
}

}  // namespace
}  // namespace wheelwright
