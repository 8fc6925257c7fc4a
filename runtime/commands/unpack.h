// Unpacking the archives of a build.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// Unpacks each archive (.tar.xz, .tar.zst, .tar.gz) in the folder or below it whose name without
// that ending is wanted into a folder of its name in `output`, as many at once as there are cores.
// A folder appears when it is whole, in place of an older one: until then it is below
// output/.unpacking. False, which was said, when there is no archive, when one cannot be unpacked
// because it is broken or would write outside of its folder, and, before any is unpacked, when the
// name of one is that of no folder below `output`, or two have one name.
bool UnpackAll(const std::string& archives, const std::string& output,
               const std::function<bool(std::string_view stem)>& wanted, bool dry_run, Host& host);

}  // namespace wheelwright
