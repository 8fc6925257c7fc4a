// A folder as a store: its objects are files that a browser, a web server or pip can take as they
// are.
#pragma once

#include <memory>
#include <string>

#include "runtime/store/storage/storage.h"

namespace wheelwright {

// What files cannot say of an object (its SHA-256, content type and metadata) stands below
// `.objects/` in the folder, tied to the file's identity: after somebody replaced the file by hand,
// the note counts no more. Of files without a note, Head() computes the sum.
//
// Conditions hold among all programs that write to the folder through this class, because one lock
// is held from the look at the old file to the putting in place of the new one. Nothing is left of
// a write that was cut off, except for a file below `.objects/partial/`, which a later one removes.
//
// The folder need not exist; the first write makes it. `root` is absolute.
std::unique_ptr<Storage> OpenFolder(std::string root);

}  // namespace wheelwright
