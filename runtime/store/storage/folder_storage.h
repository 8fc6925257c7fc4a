// A folder as a store: its objects are ordinary files, for browsers, web servers and pip.
#pragma once

#include <memory>
#include <string>

#include "runtime/store/storage/storage.h"

namespace wheelwright {

// `.objects/` in the folder holds a note for each file with its SHA-256, content type, metadata and
// the file's identity. The note is ignored once somebody has replaced the file by hand; Head()
// computes the sum of files without a valid note.
//
// A lock makes conditional writes atomic among all programs that use this class. An interrupted
// write leaves at most a file below `.objects/partial/`, which a later write removes.
//
// The folder need not exist; the first write makes it. `root` is absolute.
std::unique_ptr<Storage> OpenFolder(std::string root);

}  // namespace wheelwright
