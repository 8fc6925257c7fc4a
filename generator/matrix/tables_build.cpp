// How wheels are built and tested, where that depends on GPUs and versions.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

FileSchema Build() {
  Type except = Row("an exception of a feature",
                    {{"targets", ListOf(Of(kGfxTarget)), kRequired,
                      "Targets that do not count, by how they begin", "[gfx1152, gfx1153]"},
                     {"before", Of(kTorchVersion), "null",
                      "In versions of PyTorch before this one; none: in all", "\"2.11\""},
                     {"why", Text(), kRequired, "The reason", "Its kernels are wrong there"},
                     {"issue", IssueLink(), "null", "Where it is discussed",
                      "https://github.com/ROCm/TheRock/issues/1925"}});
  std::vector<Column> feature{
      {"variables", ListOf(Of(kName)), kRequired, "What the build reads: ON or OFF each",
       "[USE_FLASH_ATTENTION]"},
      {"platforms", ListOf(NameOf(kPlatforms)), kRequired, "Where it is decided at all", "[linux]"},
      {"torch", ListOf(Of(kTorchVersion)), "null",
       "The versions of PyTorch that have it; none: all", "[\"2.9\"]"},
      {"targets", ListOf(Of(kGfxTarget)), "null",
       "On if one of the build's targets begins like one of these; none: any does",
       "[gfx90a, gfx942, gfx11]"},
      {"needs", NameOf(kProjects), "null",
       "The project without whose wheel it is off, on platforms that build it", "triton"},
      {"except", ListOf(std::move(except)), "[]", "Targets that do not count", ""},
      {"why", Text(), kRequired, "The reason", "Only this version builds with it"},
  };
  std::vector<Column> level{
      {"minutes", AtLeast(1), kRequired, "How long all its tests may take", "10"},
      {"packages", ListOf(Text()), "[]", "What is installed beside torch, as pip takes it",
       "[pytest==9.0.3]"},
      {"files", ListOf(Of(kName)), "[]", "The files of PyTorch's test folder that are run",
       "[test_nn.py]"},
  };
  Type skip = Row(
      "a skip",
      {{"torch", ListOf(Of(kTorchVersion)), "null", "Versions of PyTorch; none: all", "[\"2.7\"]"},
       {"targets", ListOf(Of(kGfxTarget)), "null", "The GPUs, by how they begin; none: all",
        "[gfx115]"},
       {"platforms", ListOf(NameOf(kPlatforms)), "null", "Platforms; none: all", "[windows]"},
       {"files", ListOf(Of(kName)), "null", "The files of tests; none: all", "[test_torch.py]"},
       {"tests", ListOf(Of(kGlob)), kRequired,
        "Names of tests that are left out: test_print is also test_print_cuda, which PyTorch makes "
        "of it for a device; with `*`, all that match",
        "[test_print]"},
       {"why", Text(), kRequired, "The reason", "It compares printed numbers, and is flaky"},
       {"issue", IssueLink(), "null", "Where it is discussed",
        "https://github.com/ROCm/TheRock/issues/999"}});
  return {.stem = "build",
          .help = "How wheels are built and tested, where that depends on GPUs and versions",
          .tables = Row(
              "the file",
              {{"torch_features", MapOf(Of(kKey), Row("a feature", std::move(feature))), "{}",
                "Parts of torch that some wheels have and others do not", ""},
               {"rocm_preloads", MapOf(NameOf(kPlatforms), ListOf(Of(kName))), "{}",
                "The ROCm libraries that torch loads before itself, in this order", ""},
               {"test_levels",
                MapOf(Word("level", {"rocm", "smoke", "full"}), Row("a level", std::move(level))),
                "{}", "How much is tested; each level includes those before it", ""},
               {"test_skips", ListOf(std::move(skip)), "[]",
                "Tests of PyTorch that are known to fail, and are not run", ""}})};
}

}  // namespace wheelwright::tables
