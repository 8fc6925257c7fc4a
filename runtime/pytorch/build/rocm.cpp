#include "runtime/pytorch/build/rocm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

constexpr std::chrono::minutes kAskLimit{10};  // the first call unpacks the development files

constexpr std::array<std::string_view, 5> kQuestions = {"version", "targets", "path --root", "path --bin",
                                                        "path --cmake"};

// Runs `python -m rocm_sdk QUESTION` for each argument, in one process, and prints each answer as one line.
constexpr std::string_view kAskEach = R"(import contextlib, io, runpy, sys
questions = sys.argv[1:]
for question in questions:
    sys.argv[1:] = question.split()
    with contextlib.redirect_stdout(io.StringIO()) as answer:
        try:
            runpy.run_module("rocm_sdk", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            if end.code: raise
    print(*answer.getvalue().splitlines())
)";

Texts Words(std::string_view text) {
  Texts words;
  std::string word;
  for (const char c : text) {
    if (std::string_view(" \t\r\n;,").find(c) == std::string_view::npos) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool SameVersion(std::string_view a, std::string_view b) {
  const auto one = ParsePackageVersion(a);
  const auto other = ParsePackageVersion(b);
  return one && other && *one == *other;
}

// "gfx90a" for "gfx90a:xnack+".
std::string_view WithoutFeatures(std::string_view target) {
  return target.substr(0, target.find(':'));
}

}  // namespace

std::optional<RocmPackages> AskRocm(const std::string& python, Runner& runner) {
  Step step{.title = fmt::format("ask the ROCm packages: {}", fmt::join(kQuestions, ", ")),
            .arguments = {python, "-c", std::string(kAskEach)},
            .variables = {{"PYTHONUTF8", "1"}},
            .limit = kAskLimit};
  step.arguments.insert(step.arguments.end(), kQuestions.begin(), kQuestions.end());
  const std::optional<std::string> said = runner.Ask(step);
  if (!said || runner.dry_run()) return std::nullopt;
  std::array<std::string, kQuestions.size()> answers;
  std::string_view rest = *said;
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    answers[i] = Trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (answers[i].empty()) {
      runner.log().Error("it printed nothing", fmt::format("ask the ROCm packages: {}", kQuestions[i]));
      return std::nullopt;
    }
  }
  return RocmPackages{.version = answers[0],
                      .targets = Words(answers[1]),
                      .root = answers[2],
                      .bin = answers[3],
                      .cmake = answers[4]};
}

RocmPackages ImaginedRocm(std::string_view version, const Texts& targets) {
  return {.version = std::string(version),
          .targets = targets,
          .root = "ROCM_ROOT",
          .bin = "ROCM_ROOT/bin",
          .cmake = "ROCM_ROOT/lib/cmake",
          .there = false};
}

bool CheckRocm(const RocmPackages& rocm, std::string_view version, std::string_view family,
               const Texts& targets, Log& log) {
  if (!version.empty() && !SameVersion(rocm.version, version)) {
    log.Error(fmt::format("version {} was asked for, and {} is installed", version, rocm.version),
              "the ROCm packages are of another version");
    return false;
  }
  Texts missing;
  for (const std::string& target : targets) {
    const bool there = std::ranges::any_of(rocm.targets, [&](const std::string& has) {
      return WithoutFeatures(has) == WithoutFeatures(target);
    });
    if (!there) missing.push_back(target);
  }
  if (missing.empty()) return true;
  log.Error(fmt::format("{} needs {}; the packages are for {}", family, JoinWords(missing),
                        rocm.targets.empty() ? "nothing" : JoinWords(rocm.targets)),
            "the ROCm packages are for other GPUs");
  return false;
}

std::vector<std::pair<std::string, std::string>> FamilyVariable(std::string_view family,
                                                                std::string_view platform,
                                                                const Plan& plan) {
  const FamilyRow* row = plan.selection.FindFamily(family);
  if (row == nullptr) return {};
  for (std::size_t i = 0; i < plan.selection.platforms.size(); ++i) {
    if (plan.selection.platforms[i].name == platform && row->on[i]) {
      return {{"ROCM_SDK_TARGET_FAMILY", row->on[i]->family}};
    }
  }
  return {};
}

}  // namespace wheelwright
