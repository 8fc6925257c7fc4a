#include "runtime/pytorch/build/rocm.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

constexpr std::chrono::minutes kAskLimit{10};  // the first call unpacks the development files

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
  const auto ask = [&](std::vector<std::string> words) -> std::optional<std::string> {
    Step step{.title = fmt::format("ask the ROCm packages: {}", fmt::join(words, " ")),
              .arguments = {python, "-m", "rocm_sdk"},
              .variables = {{"PYTHONUTF8", "1"}},
              .limit = kAskLimit};
    step.arguments.insert(step.arguments.end(), words.begin(), words.end());
    const std::optional<std::string> answer = runner.Ask(step);
    if (answer && Trim(*answer).empty() && !runner.dry_run()) {
      runner.log().Error("it printed nothing", step.title);
      return std::nullopt;
    }
    return answer ? std::optional(std::string(Trim(*answer))) : std::nullopt;
  };
  RocmPackages rocm;
  const auto version = ask({"version"});
  if (!version) return std::nullopt;
  const auto targets = ask({"targets"});
  const auto root = targets ? ask({"path", "--root"}) : std::nullopt;
  const auto bin = root ? ask({"path", "--bin"}) : std::nullopt;
  const auto cmake = bin ? ask({"path", "--cmake"}) : std::nullopt;
  if (!cmake) return std::nullopt;
  return RocmPackages{
      .version = *version, .targets = Words(*targets), .root = *root, .bin = *bin, .cmake = *cmake};
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
