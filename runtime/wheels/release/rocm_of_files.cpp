#include "runtime/wheels/release/rocm_of_files.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/wheels/version/version_suffix.h"

namespace wheelwright {

std::vector<std::vector<std::string>> RocmLabels(const PackageVersion& rocm) {
  std::vector<std::vector<std::string>> labels;
  for (const SuffixForm form : {SuffixForm::kCompatible, SuffixForm::kSortable}) {
    const auto suffix = VersionSuffix(rocm, form);
    if (!suffix) continue;
    if (auto version = ParsePackageVersion("0" + *suffix)) labels.push_back(version->local);
  }
  return labels;
}

std::string RefLabelOf(const TorchRow& row) {
  std::string label = ToLower(row.id);
  std::erase_if(label, [](char c) { return c == '_' || c == '-' || c == '.'; });
  return label;
}

RocmOfFiles::RocmOfFiles(const Plan& plan) {
  for (const TorchRow& row : plan.torch) refs_.push_back(RefLabelOf(row));
}

bool RocmOfFiles::IsRocm(const Distribution& file) const {
  return file.project == "rocm" || file.project.starts_with("rocm-");
}

void RocmOfFiles::Add(const Distribution& file) {
  if (!IsRocm(file)) return;
  for (const std::vector<std::string>& label : RocmLabels(file.version)) {
    by_label_.emplace(fmt::format("{}", fmt::join(label, ".")), file.version);
  }
}

std::optional<PackageVersion> RocmOfFiles::Of(const Distribution& file) const {
  if (IsRocm(file)) return file.version;
  std::vector<std::string> label = file.version.local;
  const auto find = [&]() -> std::optional<PackageVersion> {
    const auto found = by_label_.find(fmt::format("{}", fmt::join(label, ".")));
    return found == by_label_.end() ? std::nullopt : std::optional(found->second);
  };
  if (auto found = find()) return found;
  if (label.empty() || !HasText(refs_, label.back())) return std::nullopt;
  label.pop_back();
  return find();
}

}  // namespace wheelwright
