// The local label that wheels built against ROCm packages carry: which ROCm they belong to.
#pragma once

#include <optional>
#include <string>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

enum class SuffixForm {
  // "+rocm7.10.0a20251124", "+devrocm7.10.0.dev0-efed3c": what the wheels of the ROCm indexes have
  // always carried. Installers compare "rocm10" and "rocm7" as text, so ROCm 10 sorts below ROCm 7:
  // https://github.com/ROCm/TheRock/issues/7183
  kCompatible,
  // "+rocmsdk.7.10.0.nightly.20251124": every number a part of its own, every phase a word that
  // sorts where it should. Of two wheels of one version, the one with the newer ROCm is newer, and
  // any of this form is newer than all of the compatible form.
  kSortable,
};

// The suffix for wheels built against that version of the ROCm packages; holds one `+`. Nothing
// where the form has no room for it: an epoch in either, a development release of a pre- or
// post-release in the sortable one.
std::optional<std::string> VersionSuffix(const PackageVersion& rocm, SuffixForm form);

}  // namespace wheelwright
