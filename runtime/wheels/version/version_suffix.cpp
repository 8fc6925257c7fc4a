#include "runtime/wheels/version/version_suffix.h"

#include <algorithm>

namespace wheelwright {
namespace {

std::string CompatibleSuffix(const PackageVersion& rocm) {
  std::string text = rocm.ToString();
  const bool development = text.find("dev") != std::string::npos;
  std::ranges::replace(text, '+', '-');
  return (development ? "+devrocm" : "+rocm") + text;
}

// PEP 440 compares local labels part by part: words before numbers, words as text, a shorter label
// before its extensions. So the word of the phase follows the release (7.10.0 before 7.10.0.1), and
// the words sort in the order of phases: dev < nightly < pre < rc < release < update.
std::optional<std::string> SortableSuffix(const PackageVersion& rocm) {
  if (rocm.dev && (rocm.pre || rocm.post)) return std::nullopt;
  if (rocm.pre && rocm.post) return std::nullopt;
  // 7.10 and 7.10.0 are the same version.
  std::vector<std::string> release = rocm.release;
  while (release.size() > 3 && release.back() == "0") release.pop_back();
  release.resize(std::max<std::size_t>(release.size(), 3), "0");
  std::string text = "+rocmsdk";
  for (const std::string& part : release) text += "." + part;
  if (rocm.dev) {
    text += ".dev." + *rocm.dev;
  } else if (rocm.pre) {
    const std::string& phase = rocm.pre->phase;
    text += phase == "a" ? ".nightly." : phase == "b" ? ".pre." : ".rc.";
    text += rocm.pre->number;
  } else if (rocm.post) {
    text += ".update." + *rocm.post;
  } else {
    text += ".release";
  }
  for (const std::string& part : rocm.local) text += "." + part;
  return text;
}

}  // namespace

std::optional<std::string> VersionSuffix(const PackageVersion& rocm, SuffixForm form) {
  if (rocm.epoch != "0") return std::nullopt;
  return form == SuffixForm::kSortable ? SortableSuffix(rocm) : CompatibleSuffix(rocm);
}

}  // namespace wheelwright
