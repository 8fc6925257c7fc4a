#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/actions/job_files.h"
#include "runtime/commands/build_arguments.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/session.h"
#include "runtime/testing/suite.h"

namespace wheelwright {
namespace {

bool IsGood(const TestRun& run) {
  const std::optional<TestResults> results = ReadJUnit(run.junit);
  return run.problem.empty() && results && results->failed.empty();
}

// Files the results, and says in one line what came of them.
int Conclude(const std::vector<TestRun>& runs, const Arguments& arguments, Host& host) {
  TestResults all;
  for (const TestRun& run : runs) {
    const auto results = ReadJUnit(run.junit);
    if (!results) continue;
    all.tests += results->tests;
    all.skipped += results->skipped;
    all.failed.insert(all.failed.end(), results->failed.begin(), results->failed.end());
  }
  if (arguments.Has("junit")) {
    host.files.Write(std::string(arguments.Get("junit")), MergeJUnit(runs));
  }
  JobFiles(host).AddSummary(TestSummary(runs));
  const auto bad = std::ranges::count_if(runs, [](const TestRun& run) { return !IsGood(run); });
  Log(host).Say(fmt::format(
      "{} passed, {} failed, {} skipped; {}", all.passed(), all.failed.size(), all.skipped,
      bad == 0 ? "all is well"
               : fmt::format("{} of {} ended badly", bad, Count(runs.size(), "run"))));
  return bad == 0 ? kFine : kFound;
}

int RunTest(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  const std::string platform = TakePlatform(arguments, host);
  Require(arguments, "test", "venv", "--venv .venv", diagnostics);
  const auto targets = TakeTargets(arguments, "test", platform, *plan, diagnostics);
  const bool has_level = Require(arguments, "test", "level", "--level smoke", diagnostics);
  const std::string level_name(arguments.Get("level"));
  const TestLevel* level = plan->build_rules.FindLevel(level_name);
  if (has_level && level == nullptr) {
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("the matrix has no level {}", level_name),
                        .notes = {"add the row to test_levels in matrix/build.yml"}});
  }
  if (level_name == "full") Require(arguments, "test", "root", "--root src", diagnostics);
  const ProjectRow* torch = plan->FindProject("torch");
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const Suite suite{
      .plan = *plan,
      .level = *level,
      .platform = platform,
      .family = std::string(arguments.Get("family")),
      .targets = *targets,
      .environment = AbsolutePath(arguments.Get("venv"), host),
      .sources = fmt::format("{}/{}", AbsolutePath(arguments.Get("root"), host),
                             torch != nullptr ? torch->folder : "pytorch"),
      .torch_ref = std::string(arguments.Get("torch-ref")),
      .pytest_words = arguments.positional,
  };
  Runner runner(host, arguments.Has("dry-run"));
  const std::string python = suite.Program("python");
  if (!runner.dry_run() && FindProgram(python, host.variables).empty()) {
    Log(host).Error("`wheelrun venv` makes the environment", fmt::format("there is no {}", python));
    return kFound;
  }
  const auto runs = level_name == "rocm" ? TestRocm(suite, runner) : TestTorch(suite, runner);
  if (!runs) return kFound;
  return runner.dry_run() ? kFine : Conclude(*runs, arguments, host);
}

}  // namespace

Command TestCommand() {
  return {
      .name = "test",
      .purpose = "Test what was installed, on the GPUs of this machine",
      .usage = "--venv DIR --family FAMILY --level LEVEL [--root DIR] [-- ARGUMENTS...]",
      .about =
          "Level rocm is `rocm-sdk test`; smoke is a few tests of each kind of thing that a GPU "
          "does; full runs PyTorch's own tests without those that the matrix skips, from the "
          "sources below the root. smoke and full run once for each kind of GPU that the wheels "
          "are for, and fail where there is none. What stands behind -- goes to pytest.\n\n"
          "Everything is ended when the level's minutes are over, with all that it started. A run "
          "that has written its results and then hangs is ended too, and its results count. The "
          "step summary has the numbers and what failed.\n",
      .options = WithDryRun(
          {{.name = "venv", .argument = "DIR", .help = "The environment that has the wheels"},
           FamilyOption(),
           {.name = "level",
            .argument = "LEVEL",
            .help = "How much is tested",
            .values = {"rocm", "smoke", "full"}},
           {.name = "root",
            .argument = "DIR",
            .help = "Where `wheelrun checkout` put PyTorch; level full needs it"},
           {.name = "torch-ref",
            .argument = "REF",
            .help = "The ref that PyTorch was checked out at; tests of another torch than the "
                    "installed one are refused"},
           {.name = "junit", .argument = "FILE", .help = "Write the results there, as JUnit XML"},
           PlatformOption(),
           PlanOption()}),
      .examples = {{"wheelrun test --venv .venv --family gfx1151 --level smoke",
                    "Does the torch that I have work?"},
                   {"wheelrun test --venv .venv --family gfx1151 --level full --root src "
                    "--torch-ref release/2.10 -- --maxfail 5",
                    "Run PyTorch's tests, and stop after five failures"}},
      .most_positional = 1000,
      .run = OnHost<RunTest>,
  };
}

}  // namespace wheelwright
