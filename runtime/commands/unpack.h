// Unpacking the archives of a build.
#pragma once

#include <string>

#include "runtime/host/host.h"

namespace wheelwright {

// Unpacks each archive (.tar.xz, .tar.zst, .tar.gz) in the folder or below it into a folder of its
// name in `output`, as many at once as there are cores. A folder appears when it is whole, in place
// of an older one. False, which was said, when there is no archive or one cannot be unpacked: it is
// broken, or would write outside of its folder.
bool UnpackAll(const std::string& archives, const std::string& output, bool dry_run, Host& host);

}  // namespace wheelwright
