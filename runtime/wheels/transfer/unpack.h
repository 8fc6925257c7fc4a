// Unpacks the archives of a build.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// "fft_lib_gfx942" for "fft_lib_gfx942.tar.zst"; nothing for other files.
std::optional<std::string> ArchiveStem(std::string_view file);

// Why the stem is unsafe as a folder name, or "". Builds name the archives, and the stem of
// "...tar.xz" is "..".
std::string ProblemOfStem(std::string_view stem);

// Unpacks each archive (.tar.xz, .tar.zst, .tar.gz) in or below the folder whose stem is wanted
// into a folder of that name in `output`, in parallel. A complete folder replaces an older one;
// until then it is below output/.unpacking. Logs an error and returns false when there is no
// archive, when one is broken or would write outside of its folder, and, before any is unpacked,
// when a stem is unsafe or two are equal.
bool UnpackAll(const std::string& archives, const std::string& output,
               const std::function<bool(std::string_view stem)>& wanted, bool dry_run, Host& host);

}  // namespace wheelwright
