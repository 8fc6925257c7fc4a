// Digests and CRCs, of a whole object or of its parts, that identify the bytes of stored objects.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "base/platform/byte_source.h"
#include "runtime/store/digest/crc.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

struct SumRule {
  std::variant<DigestKind, CrcKind> kind;
  // Not 0: the sum of the concatenated sums of parts with this many bytes, S3's default for uploads
  // in parts ("composite").
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
  std::uint64_t part = 0;
};

// For people: "SHA-256", "CRC-32 by parts".
std::string NameOf(const SumRule& rule);

struct KnownSum {
  SumRule rule;
  std::string sum;  // hexadecimal
};

KnownSum KnownSumOf(const WholeCrc& crc);

// Computes a sum of bytes that come in order.
class RunningSum {
 public:
  explicit RunningSum(const SumRule& rule);
  void Add(std::span<const Byte> bytes);
  // The sum of all bytes added, in hexadecimal. Call it once, last.
  std::string Finish();

 private:
  // The sum of the whole or of one part.
  class Plain {
   public:
    explicit Plain(const std::variant<DigestKind, CrcKind>& kind);
    void Add(std::span<const Byte> bytes);
    std::string Finish();  // raw

   private:
    std::optional<Digest> digest_;
    WholeCrc crc_;
  };

  void EndPart();

  SumRule rule_;
  std::uint64_t left_;  // of the part
  bool ended_any_ = false;
  std::optional<Plain> part_;
  Plain whole_;  // of the bytes, or of the parts' sums
};

// The sum of a range in hexadecimal; "" when it cannot be read.
std::string SumOf(const SumRule& rule, const ByteSource& source, std::uint64_t offset,
                  std::uint64_t length);

// The SHA-256 of a file in hexadecimal; nothing when it cannot be read.
std::optional<std::string> Sha256OfFile(const std::string& path);

// Calls `visit` with pieces of a range that fit into the processor's cache. False when it cannot be
// read.
bool ReadPieces(const ByteSource& source, std::uint64_t offset, std::uint64_t length,
                const std::function<void(std::span<const Byte> piece)>& visit);

}  // namespace wheelwright
