// Cryptographic hashes of bytes that come in pieces.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/platform/byte_source.h"

struct evp_md_ctx_st;  // of OpenSSL

namespace wheelwright {

// MD5 is for servers that have no better sum.
enum class DigestKind { kSha256, kSha384, kSha512, kMd5 };

// For people: "SHA-256".
std::string_view NameOf(DigestKind kind);

// The kind with this name in RECORD files. Nothing for others: md5 and sha1 are not allowed there.
std::optional<DigestKind> DigestNamed(std::string_view name);

class Digest {
 public:
  explicit Digest(DigestKind kind);
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest();

  void Add(std::span<const Byte> bytes);
  void Add(std::string_view bytes);
  // The raw sum of all bytes added. Call it once, last.
  std::string Finish();

 private:
  evp_md_ctx_st* context_;
};

// The raw sum of `bytes`.
std::string DigestOf(DigestKind kind, std::string_view bytes);
// The SHA-256 of `bytes` in hexadecimal.
std::string Sha256Of(std::string_view bytes);
// The raw HMAC-SHA256 of `bytes`: https://www.rfc-editor.org/rfc/rfc2104
std::string HmacSha256(std::string_view key, std::string_view bytes);

// Base 64 with `+`, `/` and padding, as headers of HTTP write sums.
std::string Base64(std::string_view bytes);
// Decodes it; nothing for invalid text.
std::optional<std::string> DecodeBase64(std::string_view text);
// Base 64 with `-` and `_`, without padding, as RECORD files write sums.
std::string Base64Url(std::string_view bytes);
std::string Hexadecimal(std::string_view bytes);

}  // namespace wheelwright
