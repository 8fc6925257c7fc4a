#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/pytorch/acceptance/suite.h"

namespace wheelwright {
namespace {

// The levels to run, in order; reports unknown ones.
std::vector<const TestLevel*> TakeLevels(const Arguments& arguments, const Plan& plan,
                                         Diagnostics& diagnostics) {
  std::vector<const TestLevel*> levels;
  if (!Require(arguments, "test", "level", "--level smoke", diagnostics)) return levels;
  const std::string_view last = arguments.Get("level");
  for (const std::string_view name : kTestLevels) {
    if (name != last && arguments.Has("only")) continue;
    levels.push_back(plan.build_rules.FindLevel(name));
    if (levels.back() == nullptr) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("the matrix has no level {}", name),
                          .notes = {"add the row to test_levels in matrix/build.yml"}});
    }
    if (name == last) break;
  }
  return levels;
}

// Runs one level; adds obsolete skips to `stale`.
std::vector<TestRun> RunLevel(const Suite& suite, Runner& runner, Texts& stale) {
  if (suite.level.name == kTestLevels.front()) return TestRocm(suite, runner);
  auto runs = TestTorch(suite, runner, stale);
  if (runs) return *std::move(runs);
  return {{.problem = "the tests could not start: see the log", .level = suite.level.name}};
}

std::string StaleText(const Texts& stale) {
  std::string text = "\nObsolete skips of the matrix, because no test has the name:\n\n";
  for (const std::string& line : stale) text += fmt::format("- {}\n", EscapeMarkdown(line));
  return text;
}

// Writes the results and logs a verdict of one line.
int Conclude(const std::vector<TestRun>& runs, const Texts& stale, const Arguments& arguments,
             Host& host) {
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
  JobFiles(host).AddSummary(TestSummary(runs) + (stale.empty() ? "" : StaleText(stale)));
  Log log(host);
  if (!stale.empty()) {
    log.Warning(JoinWords(stale), fmt::format("remove {} from the matrix: no test has the name",
                                              Count(stale.size(), "skip")));
  }
  const bool good = std::ranges::all_of(runs, IsGood);
  log.Say(fmt::format("{} passed, {} failed, {} skipped; {}{}", all.passed(), all.failed.size(),
                      all.skipped, LevelsInWords(runs), good ? "; success" : ""));
  return good ? kSuccess : kFound;
}

int RunTest(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  const std::string platform = TakePlatform(arguments, host);
  Require(arguments, "test", "venv", "--venv .venv", diagnostics);
  const auto targets = TakeTargets(arguments, "test", platform, *plan, diagnostics);
  const std::vector<const TestLevel*> levels = TakeLevels(arguments, *plan, diagnostics);
  const bool full = arguments.Get("level") == kTestLevels.back();
  std::optional<std::chrono::seconds> limit;
  if (arguments.Has("time-limit")) limit.emplace(TakeNumber(arguments, "time-limit"));
  if (full) Require(arguments, "test", "root", "--root src", diagnostics);
  const ProjectRow* torch = plan->FindProject("torch");
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const auto suite_of = [&](const TestLevel& level) {
    return Suite{
        .plan = *plan,
        .level = level,
        .limit = limit.value_or(std::chrono::minutes(level.minutes)),
        .platform = platform,
        .family = std::string(arguments.Get("family")),
        .targets = *targets,
        .environment = AbsolutePath(arguments.Get("venv"), host),
        .sources = fmt::format("{}/{}", AbsolutePath(arguments.Get("root"), host),
                               torch != nullptr ? torch->folder : "pytorch"),
        .torch_ref = std::string(arguments.Get("torch-ref")),
        .pytest_words = level.files.empty() && full ? Texts() : arguments.positional,
    };
  };
  Runner runner(host, arguments.Has("dry-run"));
  const std::string python = suite_of(*levels.front()).Program("python");
  if (!runner.dry_run() && FindProgram(python, host.variables).empty()) {
    Log(host).Error("`wheelrun venv` creates the environment",
                    fmt::format("there is no {}", python));
    return kFound;
  }
  // The first level that fails is the last: later results would mean nothing.
  std::vector<TestRun> runs;
  Texts stale;
  for (const TestLevel* level : levels) {
    if (!runner.dry_run() && !std::ranges::all_of(runs, IsGood)) {
      runs.push_back({.level = level->name, .not_begun = true});
      continue;
    }
    std::vector<TestRun> more = RunLevel(suite_of(*level), runner, stale);
    std::ranges::move(more, std::back_inserter(runs));
  }
  return runner.dry_run() ? kSuccess : Conclude(runs, stale, arguments, host);
}

}  // namespace

Command TestCommand() {
  return {
      .name = "test",
      .purpose = "Test the installed packages on the GPUs of this machine",
      .usage = "--venv DIR --family FAMILY --level LEVEL [--root DIR] [-- ARGUMENTS...]",
      .about =
          "Level rocm runs `rocm-sdk test`, smoke some tests of each kind of GPU work, and full "
          "PyTorch's own tests from the sources below the root, except those that the matrix "
          "skips. A level first runs the levels before it, in this order, and stops after the "
          "first that fails. smoke and full run once for each kind of GPU of the wheels, and fail "
          "without such a GPU. Arguments behind -- are passed to pytest in the given "
          "level.\n\nTests are skipped by their exact names, in the files that the row of the "
          "matrix lists. Names that no test of the installed torch has are reported, so that "
          "obsolete rows are removed.\n\nAt the time limit of the level all processes are killed. "
          "A process that hangs after it wrote its results is killed too, and its results count. "
          "The step summary has the result of each level, the numbers and the failures.\n",
      .options = WithDryRun(
          {{.name = "venv", .argument = "DIR", .help = "The environment with the wheels"},
           FamilyOption(),
           {.name = "level",
            .argument = "LEVEL",
            .help = "The level of tests",
            .values = {"rocm", "smoke", "full"}},
           {.name = "only", .argument = {}, .help = "Skip the levels before it"},
           {.name = "root",
            .argument = "DIR",
            .help = "The folder in which `wheelrun checkout` put PyTorch; required by level full"},
           {.name = "torch-ref",
            .argument = "REF",
            .help = "The ref of the checkout of PyTorch; it must fit the installed torch"},
           {.name = "time-limit",
            .argument = "SECONDS",
            .help = "The time limit of a level, instead of that of the matrix"},
           {.name = "junit",
            .argument = "FILE",
            .help = "Write the results to this file, as JUnit XML"},
           PlatformOption(),
           PlanOption()}),
      .examples = {{"wheelrun test --venv .venv --family gfx1151 --level smoke",
                    "Does the installed torch work?"},
                   {"wheelrun test --venv .venv --family gfx1151 --level full --root src "
                    "--torch-ref release/2.10 -- --maxfail 5",
                    "Run PyTorch's tests, and stop after five failures"}},
      .most_positional = 1000,
      .run_on_host = RunTest,
  };
}

}  // namespace wheelwright
