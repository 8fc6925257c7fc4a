// The sum by which an object can be recognised.
#pragma once

#include <optional>
#include <string>

#include "runtime/store/digest/sum.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// Of an object as Head() describes it: the SHA-256 that it was stored with, else the store's own
// CRC of the whole, else whatever it has. Nothing when the store knows no sum.
std::optional<KnownSum> KnownSumOf(const ObjectInfo& object);

// Whether the file is what the store holds, by size and sum. Nothing when the store knows no sum.
std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path);

}  // namespace wheelwright
