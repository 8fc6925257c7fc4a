#include "runtime/pytorch/acceptance/skips.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace wheelwright {
namespace {

bool IsFor(const TestSkip& skip, std::string_view file) {
  return skip.files.empty() || HasText(skip.files, file);
}

}  // namespace

std::vector<const TestSkip*> SkipsFor(const std::vector<TestSkip>& skips, std::string_view torch,
                                      std::string_view target, std::string_view platform) {
  std::vector<const TestSkip*> fit;
  for (const TestSkip& skip : skips) {
    if ((skip.torch.empty() || HasText(skip.torch, torch)) &&
        (skip.targets.empty() || BeginsLikeAny(target, skip.targets)) &&
        (skip.platforms.empty() || HasText(skip.platforms, platform))) {
      fit.push_back(&skip);
    }
  }
  return fit;
}

std::string SkipRequest(const std::vector<const TestSkip*>& skips, std::string_view file,
                        std::string_view report) {
  std::set<std::string> here, elsewhere;
  for (const TestSkip* skip : skips) {
    (IsFor(*skip, file) ? here : elsewhere).insert(skip->tests.begin(), skip->tests.end());
  }
  for (const std::string& name : here) elsewhere.erase(name);
  return DumpJson(nlohmann::ordered_json(
      {{"leave_out", here}, {"elsewhere", elsewhere}, {"report", std::string(report)}}));
}

void SeenNames::Add(std::string_view file, std::string_view report) {
  const auto json = ParseJson(report);
  if (!json.is_array()) {
    complete_ = false;
    return;
  }
  Ran ran{.file = std::string(file), .names = {}};
  for (const auto& name : json) {
    if (name.is_string()) ran.names.insert(name.get<std::string>());
  }
  files_.push_back(std::move(ran));
}

Texts SeenNames::Obsolete(const std::vector<const TestSkip*>& skips) const {
  Texts lines;
  const auto ran = [&](const std::string& file) {
    return std::ranges::find(files_, file, &Ran::file) != files_.end();
  };
  for (const TestSkip* skip : skips) {
    const bool known = skip->files.empty() ? complete_ : std::ranges::all_of(skip->files, ran);
    if (files_.empty() || !known) continue;
    for (const std::string& test : skip->tests) {
      const auto bears = [&](const Ran& file) { return file.names.contains(test); };
      if (std::ranges::any_of(
              files_, [&](const Ran& file) { return IsFor(*skip, file.file) && bears(file); })) {
        continue;
      }
      const auto other = std::ranges::find_if(files_, bears);
      std::string line =
          other == files_.end() ? test : fmt::format("{}, which is in {}", test, other->file);
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace wheelwright
