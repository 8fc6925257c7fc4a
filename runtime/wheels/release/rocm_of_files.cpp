#include "runtime/wheels/release/rocm_of_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "runtime/wheels/version/version_suffix.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {

std::string RefLabelOf(const TorchRow& row) {
  std::string label = ToLower(row.id);
  std::erase_if(label, [](char c) { return c == '_' || c == '-' || c == '.'; });
  return label;
}

RocmOfFiles::RocmOfFiles(const Plan& plan) : own_(plan.OwnProjects()) {
  for (const ProjectRow& row : plan.projects) built_.push_back(NormalizeProject(row.name));
  for (const TorchRow& row : plan.torch) refs_.push_back(RefLabelOf(row));
}

bool RocmOfFiles::IsRocm(const Distribution& file) const {
  return !HasText(built_, file.project) &&
         std::ranges::any_of(
             own_, [&](const std::string& pattern) { return MatchesStars(pattern, file.project); });
}

void RocmOfFiles::Add(const PackageVersion& rocm) {
  for (const SuffixForm form : {SuffixForm::kCompatible, SuffixForm::kSortable}) {
    const auto suffix = VersionSuffix(rocm, form);
    const auto version = suffix ? ParsePackageVersion("0" + *suffix) : std::nullopt;
    if (version) by_label_.emplace(fmt::format("{}", fmt::join(version->local, ".")), rocm);
  }
}

std::optional<PackageVersion> RocmOfFiles::Of(const Distribution& file) const {
  if (IsRocm(file)) return file.version;
  const auto find = [&](std::span<const std::string> label) -> std::optional<PackageVersion> {
    for (; !label.empty(); label = label.subspan(1)) {
      const auto found = by_label_.find(fmt::format("{}", fmt::join(label, ".")));
      if (found != by_label_.end()) return found->second;
    }
    return std::nullopt;
  };
  const std::span<const std::string> label(file.version.local);
  if (auto found = find(label)) return found;
  return RefLabel(file.version).empty() ? std::nullopt : find(label.first(label.size() - 1));
}

std::string_view RocmOfFiles::RefLabel(const PackageVersion& version) const {
  if (version.local.empty() || !HasText(refs_, version.local.back())) return {};
  return version.local.back();
}

}  // namespace wheelwright
