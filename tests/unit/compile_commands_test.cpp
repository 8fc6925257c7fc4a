// The commands that compile pairs, and the keys of their results.
#include "runtime/hip/compile/compile_commands.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

const HipCompiler kCompiler{
    .command = {"clang++", "-O3"}, .version = "20", .identity = "i", .found_by = {}};
const std::vector<std::string> kFlags{"-std=c++17"};
const HipSource kSource{.name = "a.hip", .path = "/a.hip", .guards = {}};

TEST_CASE("commands of a pair name its source, target and object", "[hip]") {
  const CompileCommands commands(kCompiler, kFlags);
  CHECK(fmt::format("{}", fmt::join(commands.Compile(kSource, "gfx942", "o"), " ")) ==
        "clang++ -O3 -x hip --offload-arch=gfx942 --cuda-device-only --no-gpu-bundle-output "
        "-fno-crash-diagnostics -fno-color-diagnostics -std=c++17 -c /a.hip -o o -MD -MF o.d");
  CHECK(fmt::format("{}", fmt::join(commands.CompileHost(kSource, "o"), " ")) ==
        "clang++ -O3 -x hip --cuda-host-only -fno-crash-diagnostics -fno-color-diagnostics "
        "-std=c++17 -c /a.hip -o o -MD -MF o.d -Xclang -fcuda-include-gpubinary -Xclang o.hipfb");
}

TEST_CASE("a key changes with all that a result depends on", "[hip]") {
  TestHost test;
  const CompileCommands commands(kCompiler, kFlags);
  const std::string key = commands.Key(kSource, "gfx942", "s", "", test.host);
  CHECK(key == commands.Key(kSource, "gfx942", "s", "", test.host));
  CHECK(key != commands.Key(kSource, "gfx1100", "s", "", test.host));
  CHECK(key != commands.Key(kSource, "gfx942", "t", "", test.host));
  CHECK(key != commands.Key(kSource, "gfx942", "s", "bundle", test.host));
  const std::vector<std::string> no_flags;
  CHECK(key != CompileCommands(kCompiler, no_flags).Key(kSource, "gfx942", "s", "", test.host));
  test.host.variables["CPATH"] = "/include";
  CHECK(key != commands.Key(kSource, "gfx942", "s", "", test.host));
}

}  // namespace
}  // namespace wheelwright
