// The sum by which an object can be recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/digest/digest.h"
#include "runtime/storage/storage.h"

namespace wheelwright {

struct KnownSum {
  DigestKind kind = DigestKind::kSha256;
  std::string_view name;  // "SHA-256"
  std::string sum;        // hexadecimal
};

// Of an object as Head() describes it: the SHA-256 that it was stored with, else the MD5 that S3
// gives as the ETag of what went up as a whole. Objects that other tools sent in parts have
// neither.
std::optional<KnownSum> KnownSumOf(const ObjectInfo& object);

// Whether the file is what the store holds, by size and sum. Nothing when the store knows no sum.
std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path);

}  // namespace wheelwright
