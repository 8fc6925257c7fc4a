// The sum by which an object can be recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/digest/digest.h"
#include "runtime/platform/byte_source.h"
#include "runtime/storage/storage.h"

namespace wheelwright {

struct KnownSum {
  std::variant<DigestKind, CrcKind> kind;
  std::string_view name;  // "SHA-256"
  std::string sum;        // hexadecimal

  // The same sum of these bytes; "" when they cannot be read.
  std::string Of(const ByteSource& source) const;
};

// Of an object as Head() describes it: the SHA-256 that it was stored with, else the store's own
// CRC of the whole, else the MD5 that S3 gives as the ETag of what went up as a whole. Objects that
// went up in parts to a server that sums just those have none.
std::optional<KnownSum> KnownSumOf(const ObjectInfo& object);

// Whether the file is what the store holds, by size and sum. Nothing when the store knows no sum.
std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path);

}  // namespace wheelwright
