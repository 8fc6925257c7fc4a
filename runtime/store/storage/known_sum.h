// The sum that identifies the bytes of a stored object.
#pragma once

#include <optional>
#include <string>

#include "runtime/store/digest/sum.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// For an object from Head(): its SHA-256, else the store's CRC of the whole, else another sum.
// Nothing when the store has no sum.
std::optional<KnownSum> KnownSumOf(const ObjectInfo& object);

// Whether file and object are equal by size and sum. Nothing when the store has no sum.
std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path);

}  // namespace wheelwright
