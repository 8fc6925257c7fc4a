// Sums of either kind, of all the bytes or of their parts: what a stored object is recognised by.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "runtime/host/platform/byte_source.h"
#include "runtime/store/digest/crc.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

struct SumRule {
  std::variant<DigestKind, CrcKind> kind;
  // Not 0: it is the sum of the sums of parts of that many bytes, one behind the other. So S3 sums
  // what went up in parts, unless it is asked for another sum ("composite").
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

// Takes a sum of bytes that come in their order.
class RunningSum {
 public:
  explicit RunningSum(const SumRule& rule);
  void Add(std::span<const Byte> bytes);
  // In hexadecimal, of all that was added. Ends this object's use.
  std::string Finish();

 private:
  // Of a whole or of one part.
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

// Of a range, in hexadecimal; "" when it cannot be read.
std::string SumOf(const SumRule& rule, const ByteSource& source, std::uint64_t offset,
                  std::uint64_t length);

// The SHA-256 of a file in hexadecimal; nothing when it cannot be read.
std::optional<std::string> Sha256OfFile(const std::string& path);

// Shows a range to `visit`, in pieces that fit a processor's cache. False when it cannot be read.
bool ReadPieces(const ByteSource& source, std::uint64_t offset, std::uint64_t length,
                const std::function<void(std::span<const Byte> piece)>& visit);

}  // namespace wheelwright
