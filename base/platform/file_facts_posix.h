// The facts of a file from what stat() tells.
#pragma once

#include <sys/stat.h>

#include "base/platform/file_handle.h"

namespace wheelwright {

FileFacts FactsOf(const struct stat& facts);

}  // namespace wheelwright
