// The archives of a build: their names, and unpacking them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// "fft_lib_gfx942" of "fft_lib_gfx942.tar.zst"; nothing of what is no archive.
std::optional<std::string> ArchiveStem(std::string_view file);

// Why no folder below another one may be called so, or "". Archives are named by builds, and one
// called "...tar.xz" would be unpacked over the folder above: its stem is "..".
std::string ProblemOfStem(std::string_view stem);

// Unpacks each archive (.tar.xz, .tar.zst, .tar.gz) in the folder or below it whose name without
// that ending is wanted into a folder of its name in `output`, as many at once as there are cores.
// A folder appears when it is whole, in place of an older one: until then it is below
// output/.unpacking. False, which was said, when there is no archive, when one cannot be unpacked
// because it is broken or would write outside of its folder, and, before any is unpacked, when the
// name of one is that of no folder below `output`, or two have one name.
bool UnpackAll(const std::string& archives, const std::string& output,
               const std::function<bool(std::string_view stem)>& wanted, bool dry_run, Host& host);

}  // namespace wheelwright
