// The sums of an object in the headers of S3's answers. The request must have had the header
// `x-amz-checksum-mode: ENABLED`.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "runtime/store/digest/sum.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {

// The CRC of the whole object.
std::optional<WholeCrc> ReadWholeCrc(const HttpAnswer& answer);

// The SHA-256 of the whole object in hexadecimal, or "".
std::string ReadWholeSha256(const HttpAnswer& answer);

// The MD5 in the ETag in hexadecimal, or "": of buckets with their own encryption key, ETags are no
// sums.
std::string ReadMd5(const HttpAnswer& answer);

// A sum of the sums of parts of unknown length.
struct PartsSum {
  std::variant<DigestKind, CrcKind> kind;
  std::size_t parts = 0;
  std::string sum;  // hexadecimal
};

// The cheapest one that the answer has: CRC, SHA-256, or MD5 in the ETag.
std::optional<PartsSum> ReadPartsSum(const HttpAnswer& answer);

}  // namespace wheelwright
