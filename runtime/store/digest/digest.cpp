#include "runtime/store/digest/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <new>

namespace wheelwright {
namespace {

const EVP_MD* Algorithm(DigestKind kind) {
  switch (kind) {
    case DigestKind::kSha256:
      return EVP_sha256();
    case DigestKind::kSha384:
      return EVP_sha384();
    case DigestKind::kSha512:
      return EVP_sha512();
    case DigestKind::kMd5:
      return EVP_md5();
  }
  return nullptr;
}

std::string BaseSixtyFour(std::string_view bytes, std::string_view last_digits) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const auto digit = [&](unsigned value) {
    return value < kDigits.size() ? kDigits[value] : last_digits[value - kDigits.size()];
  };
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<Byte>(byte);
    for (bits += 8; bits >= 6; bits -= 6) out += digit(held >> (bits - 6) & 63);
  }
  if (bits > 0) out += digit(held << (6 - bits) & 63);
  return out;
}

}  // namespace

std::string_view NameOf(DigestKind kind) {
  switch (kind) {
    case DigestKind::kSha256:
      return "SHA-256";
    case DigestKind::kSha384:
      return "SHA-384";
    case DigestKind::kSha512:
      return "SHA-512";
    case DigestKind::kMd5:
      return "MD5";
  }
  return "";
}

std::optional<DigestKind> DigestNamed(std::string_view name) {
  if (name == "sha256") return DigestKind::kSha256;
  if (name == "sha384") return DigestKind::kSha384;
  if (name == "sha512") return DigestKind::kSha512;
  return std::nullopt;
}

// These calls fail only when memory runs out.
Digest::Digest(DigestKind kind) : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr || EVP_DigestInit_ex(context_, Algorithm(kind), nullptr) != 1) {
    EVP_MD_CTX_free(context_);
    throw std::bad_alloc();
  }
}

Digest::~Digest() { EVP_MD_CTX_free(context_); }

void Digest::Add(std::span<const Byte> bytes) {
  EVP_DigestUpdate(context_, bytes.data(), bytes.size());
}

void Digest::Add(std::string_view bytes) { EVP_DigestUpdate(context_, bytes.data(), bytes.size()); }

std::string Digest::Finish() {
  Byte sum[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_DigestFinal_ex(context_, sum, &length);
  return {reinterpret_cast<const char*>(sum), length};
}

std::string DigestOf(DigestKind kind, std::string_view bytes) {
  Digest digest(kind);
  digest.Add(bytes);
  return digest.Finish();
}

std::string Sha256Of(std::string_view bytes) {
  return Hexadecimal(DigestOf(DigestKind::kSha256, bytes));
}

std::string HmacSha256(std::string_view key, std::string_view bytes) {
  Byte sum[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const Byte*>(bytes.data()), bytes.size(), sum, &length);
  return {reinterpret_cast<const char*>(sum), length};
}

std::string Base64(std::string_view bytes) {
  std::string out = BaseSixtyFour(bytes, "+/");
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char c : text) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            .find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = held << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(held >> bits & 255);
    }
  }
  return out;
}

std::string Base64Url(std::string_view bytes) { return BaseSixtyFour(bytes, "-_"); }

std::string Hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char byte : bytes) {
    out += kDigits[static_cast<Byte>(byte) >> 4];
    out += kDigits[static_cast<Byte>(byte) & 15];
  }
  return out;
}

}  // namespace wheelwright
