// The local label of wheels that names the ROCm version they were built against.
#pragma once

#include <optional>
#include <string>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

enum class SuffixForm {
  // "+rocm7.10.0a20251124", "+devrocm7.10.0.dev0-efed3c": the existing form in the ROCm indexes.
  // Installers compare "rocm10" and "rocm7" as text, so ROCm 10 sorts below ROCm 7:
  // https://github.com/ROCm/TheRock/issues/7183
  kCompatible,
  // "+rocmsdk.7.10.0.nightly.20251124": every number is a part of its own, and the words of phases
  // sort correctly. A wheel with a newer ROCm sorts as newer, and this form sorts after the
  // compatible one.
  kSortable,
};

// The suffix, beginning with `+`, for wheels built against that ROCm version. Nothing if the form
// cannot express it: an epoch in either form, a development release of a pre- or post-release in
// the sortable one.
std::optional<std::string> VersionSuffix(const PackageVersion& rocm, SuffixForm form);

}  // namespace wheelwright
