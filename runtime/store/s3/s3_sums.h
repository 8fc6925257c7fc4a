// What the headers of S3's answers say of the bytes of an object. Sums are there where it was asked
// for them by the header `x-amz-checksum-mode: ENABLED`.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "runtime/store/digest/sum.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {

// Of the whole.
std::optional<WholeCrc> ReadWholeCrc(const HttpAnswer& answer);

// Of the whole, in hexadecimal; "" where there is none.
std::string ReadWholeSha256(const HttpAnswer& answer);

// The MD5 that the ETag is, in hexadecimal; "" where it is none: with a key of its own, a bucket's
// ETags are no sums of the bytes.
std::string ReadMd5(const HttpAnswer& answer);

// A sum of the sums of parts. How long these are, it does not say.
struct PartsSum {
  std::variant<DigestKind, CrcKind> kind;
  std::size_t parts = 0;
  std::string sum;  // hexadecimal
};

// The one that is taken soonest of those that there are: by CRC, SHA-256, or MD5 as the ETag.
std::optional<PartsSum> ReadPartsSum(const HttpAnswer& answer);

}  // namespace wheelwright
