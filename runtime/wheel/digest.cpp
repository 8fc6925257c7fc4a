#include "runtime/wheel/digest.h"

#include <openssl/evp.h>

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
  }
  return nullptr;
}

}  // namespace

std::optional<DigestKind> DigestNamed(std::string_view name) {
  if (name == "sha256") return DigestKind::kSha256;
  if (name == "sha384") return DigestKind::kSha384;
  if (name == "sha512") return DigestKind::kSha512;
  return std::nullopt;
}

// None of these fails but for want of memory.
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

std::string Digest::Finish() {
  Byte sum[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_DigestFinal_ex(context_, sum, &length);
  return {reinterpret_cast<const char*>(sum), length};
}

std::string Base64Url(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned held = 0, bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<Byte>(byte);
    for (bits += 8; bits >= 6; bits -= 6) out += kDigits[held >> (bits - 6) & 63];
  }
  if (bits > 0) out += kDigits[held << (6 - bits) & 63];
  return out;
}

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
