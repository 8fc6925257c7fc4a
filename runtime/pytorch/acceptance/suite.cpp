#include "runtime/pytorch/acceptance/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/pytorch/acceptance/skips.h"
#include "runtime/pytorch/python/installed.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/pytorch/python/virtual_environment.h"

namespace wheelwright {
namespace {

using Clock = std::chrono::steady_clock;

// The time between the results and the end of the process. On Windows some processes never end:
// https://github.com/ROCm/TheRock/issues/999
constexpr std::chrono::seconds kLongestTeardown{60};

constexpr std::string_view kOneGoodTest =
    "<testsuites><testsuite tests=\"1\"><testcase classname=\"rocm_sdk\" name=\"test\"/>"
    "</testsuite></testsuites>";

constexpr std::string_view kLeaveOutModule = "wheelrun_leave_out";

class TorchTests {
 public:
  TorchTests(const Suite& suite, Runner& runner)
      : suite_(suite),
        runner_(runner),
        log_(runner.log()),
        python_(suite.Program("python")),
        folder_(suite.environment + "/wheelrun") {}

  std::optional<std::vector<TestRun>> Run() {
    if (!FindVersion()) return std::nullopt;
    const std::optional<std::vector<Gpu>> gpus = FindDevices();
    if (!gpus || !InstallPackages()) return std::nullopt;
    end_by_ = Clock::now() + suite_.limit;
    if (!runner_.dry_run()) {
      runner_.host().files.Write(folder_ + "/smoke_test.py", kSmokeTest);
      runner_.host().files.Write(fmt::format("{}/{}.py", folder_, kLeaveOutModule), kSkipPlugin);
    }
    std::vector<TestRun> runs;
    for (const Gpu& gpu : *gpus) {
      if (suite_.level.files.empty()) {
        runs.push_back(Pytest(gpu, folder_ + "/smoke_test.py"));
      }
      skips_ = SkipsFor(suite_.plan.build_rules.skips, minor_, gpu.target, suite_.platform);
      SeenNames borne;
      for (const std::string& file : suite_.level.files) {
        runs.push_back(Pytest(gpu, fmt::format("{}/test/{}", suite_.sources, file)));
        borne.Add(file, runner_.host().files.Read(ReportOf(file, gpu)).value_or(""));
      }
      // Extra pytest arguments may select tests.
      if (suite_.level.files.empty() || !suite_.pytest_words.empty()) continue;
      for (std::string& line : borne.Obsolete(skips_)) {
        stale_.push_back(fmt::format("{} ({}, torch {})", line, gpu.target, minor_));
      }
    }
    return runs;
  }

  Texts TakeStale() { return std::move(stale_); }

 private:
  // The installed torch decides about skips, and the tests must be of the same version.
  bool FindVersion() {
    const TorchRow* row = suite_.plan.FindTorch(suite_.torch_ref);
    const std::string wanted = row != nullptr ? row->version : std::string();
    const auto said = runner_.Ask(
        {.title = "ask for the version of torch",
         .arguments = {python_, "-c",
                       "import importlib.metadata; print(importlib.metadata.version('torch'))"}},
        wanted.empty() ? "0.0" : wanted);
    const auto version = said ? ParsePackageVersion(*said) : std::nullopt;
    if (!version) return false;
    minor_ = MinorOf(*version);
    if (wanted.empty() || wanted == minor_) return true;
    log_.Error(fmt::format("torch {} is installed, and the tests are those of {}", minor_,
                           suite_.torch_ref),
               "the tests are for another torch");
    return false;
  }

  std::optional<std::vector<Gpu>> FindDevices() {
    if (runner_.dry_run()) {
      FindGpus(python_, runner_);
      runner_.host().out << fmt::format(
          "# for each GPU of these targets that is found; {} as device 0 stands for them\n",
          suite_.targets.front());
      return std::vector<Gpu>{{.target = suite_.targets.front(), .device = "0"}};
    }
    const std::optional<std::vector<Gpu>> gpus = FindGpus(python_, runner_);
    if (!gpus) return std::nullopt;
    std::vector<Gpu> chosen = ChooseGpus(*gpus, suite_.targets);
    if (!chosen.empty()) return chosen;
    if (gpus->empty()) {
      log_.Error(suite_.windows()
                     ? "is its driver installed, and the runner one with a GPU?"
                     : "is the runner one with a GPU? A container needs --device /dev/kfd --device "
                       "/dev/dri, and a user who may open them",
                 "torch sees no GPU");
    } else {
      Texts there;
      for (const Gpu& gpu : *gpus) there.push_back(gpu.target);
      log_.Error(fmt::format("the machine has {}, and wheels of {} are for {}: choose a runner of "
                             "that family",
                             JoinWords(there), suite_.family, JoinWords(suite_.targets)),
                 "no GPU here fits the wheels");
    }
    return std::nullopt;
  }

  bool InstallPackages() {
    if (suite_.level.packages.empty()) return true;
    std::vector<std::string> words{"install"};
    words.insert(words.end(), suite_.level.packages.begin(), suite_.level.packages.end());
    return RunUnlessMet(PipStep("install what the tests need", python_, std::move(words)),
                        suite_.level.packages, runner_);
  }

  TestRun Pytest(const Gpu& gpu, const std::string& file) {
    const std::string name = PathText(SystemPath(file).filename());
    TestRun run{.name = fmt::format("{} on {}", name, gpu.target), .level = suite_.level.name};
    const std::string junit = fmt::format("{}/{}-{}.xml", folder_, name, gpu.target);
    // The run itself writes the smoke tests.
    if (runner_.dry_run() && !file.starts_with(folder_) && !Exists(file)) {
      runner_.host().out << fmt::format("# there is no {}: `wheelrun checkout torch` creates it\n",
                                        file);
      return run;
    }
    if (!runner_.dry_run()) {
      if (!Exists(file)) {
        run.problem = fmt::format("there is no {}", file);
        log_.Error(run.problem, run.name);
        return run;
      }
      std::error_code ignored;
      RemoveFile(junit, ignored);
      RemoveFile(ReportOf(name, gpu), ignored);
      runner_.host().files.Write(RequestOf(name, gpu),
                                 SkipRequest(skips_, name, ReportOf(name, gpu)));
    }
    Step step = StepFor(gpu, file, junit);
    step.title = fmt::format("test {}", run.name);
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(end_by_ - Clock::now());
    if (left.count() <= 0) {
      run.problem = fmt::format("not started: the limit of level {}, {}, was reached",
                                suite_.level.name, DurationText(suite_.limit));
      log_.Error(run.problem, run.name);
      return run;
    }
    step.limit = left;
    bool hung = false;
    step.enough = [this, &junit, &hung, written = std::optional<Clock::time_point>()]() mutable {
      if (!written) {
        const auto text = runner_.host().files.Read(junit);
        if (text && ReadJUnit(*text)) written = Clock::now();
        return false;
      }
      return hung = Clock::now() - *written > Teardown();
    };
    const bool good = runner_.Run(step);
    if (runner_.dry_run()) return run;
    Judge(run, good, hung, runner_.host().files.Read(junit).value_or(""));
    return run;
  }

  // The input of the plugin.
  std::string RequestOf(std::string_view file, const Gpu& gpu) const {
    return fmt::format("{}/leave-out-{}-{}.json", folder_, file, gpu.target);
  }
  std::string ReportOf(std::string_view file, const Gpu& gpu) const {
    return fmt::format("{}/borne-{}-{}.json", folder_, file, gpu.target);
  }

  Step StepFor(const Gpu& gpu, const std::string& file, const std::string& junit) {
    const std::string tests = PathText(SystemPath(file).parent_path());
    Step step{.arguments = {python_, "-m", "pytest", file, "--junitxml", junit, "-q", "-rfE", "-p",
                            "no:cacheprovider"},
              // Python imports from the current folder first, so it must not have torch's sources.
              .folder = tests,
              .variables = {{"PYTHONUTF8", "1"},
                            {"HIP_VISIBLE_DEVICES", gpu.device},
                            {"MIOPEN_CUSTOM_CACHE_DIR", folder_ + "/miopen-cache"}}};
    if (!suite_.level.files.empty()) {
      const std::string name = PathText(SystemPath(file).filename());
      step.arguments.insert(step.arguments.end(), {"-p", std::string(kLeaveOutModule)});
      step.variables.insert(
          step.variables.end(),
          {{"PYTHONPATH", fmt::format("{}{}{}", tests, suite_.windows() ? ';' : ':', folder_)},
           {"WHEELRUN_LEAVE_OUT", RequestOf(name, gpu)},
           {"PYTORCH_PRINT_REPRO_ON_FAILURE", "0"},
           {"PYTORCH_TEST_WITH_ROCM", "1"},
           {"PYTORCH_TESTING_DEVICE_ONLY_FOR", "cuda"}});
    }
    step.arguments.insert(step.arguments.end(), suite_.pytest_words.begin(),
                          suite_.pytest_words.end());
    return step;
  }

  // How long a run may take to end after its results.
  std::chrono::milliseconds Teardown() const {
    return std::min<std::chrono::milliseconds>(kLongestTeardown, suite_.limit / 10);
  }

  void Judge(TestRun& run, bool good, bool hung, std::string junit) {
    const std::optional<TestResults> results = ReadJUnit(junit);
    if (!results) {
      run.problem = good ? "it wrote no results" : "it ended before it wrote its results";
      if (good) log_.Error(run.problem, run.name);
      return;
    }
    run.junit = std::move(junit);
    if (results->tests == 0) {
      run.problem = "no test ran";
      if (good) log_.Error(run.problem, run.name);
    } else if (!good && results->failed.empty()) {
      run.problem = "all tests passed, but the process failed";
    } else if (hung && results->failed.empty()) {
      log_.Warning(
          fmt::format("it was ended {} after it had written them", DurationText(Teardown())),
          fmt::format("{}: all tests passed, but the process did not exit", run.name));
    } else if (good && !results->failed.empty()) {
      log_.Error(Count(results->failed.size(), "test") + " failed", run.name);
    }
    for (const FailedTest& test : results->failed) {
      log_.Say(fmt::format("  failed: {}: {}", test.name, Shorten(test.message, 200)));
    }
  }

  const Suite& suite_;
  Runner& runner_;
  Log& log_;
  std::string python_;
  std::string folder_;                  // for files of the tests
  Clock::time_point end_by_;            // of the tests, without installation
  std::string minor_;                   // "2.10"
  std::vector<const TestSkip*> skips_;  // for the GPU that is tested on
  Texts stale_;
};

}  // namespace

std::string Suite::Program(std::string_view name) const {
  return ProgramOfEnvironment(environment, name, windows());
}

std::vector<TestRun> TestRocm(const Suite& suite, Runner& runner) {
  TestRun run{.name = "rocm-sdk test", .level = suite.level.name};
  const bool good = runner.Run({.title = run.name,
                                .arguments = {suite.Program("rocm-sdk"), "test"},
                                .variables = {{"PYTHONUTF8", "1"}},
                                .limit = suite.limit});
  if (good) {
    run.junit = kOneGoodTest;
  } else {
    run.problem = "it failed: see the log";
  }
  return {run};
}

std::optional<std::vector<TestRun>> TestTorch(const Suite& suite, Runner& runner, Texts& stale) {
  TorchTests tests(suite, runner);
  auto runs = tests.Run();
  stale = tests.TakeStale();
  return runs;
}

}  // namespace wheelwright
