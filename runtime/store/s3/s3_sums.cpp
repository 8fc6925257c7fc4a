#include "runtime/store/s3/s3_sums.h"

#include <string_view>
#include <utility>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMd5Length = 32;  // in hexadecimal
constexpr std::string_view kSha256Header = "x-amz-checksum-sha256";

struct CrcHeader {
  std::string_view header;
  CrcKind kind;
  std::size_t bytes;
};
constexpr CrcHeader kCrcs[] = {{"x-amz-checksum-crc32c", CrcKind::kCrc32c, 4},
                               {"x-amz-checksum-crc64nvme", CrcKind::kCrc64Nvme, 8},
                               {"x-amz-checksum-crc32", CrcKind::kCrc32, 4}};

bool EtagIsSum(const HttpAnswer& answer) {
  return !answer.Header("x-amz-server-side-encryption").starts_with("aws:") &&
         answer.Header("x-amz-server-side-encryption-customer-algorithm").empty();
}

bool IsMd5(std::string_view text) { return text.size() == kMd5Length && AreLowerHexDigits(text); }

std::string_view Unquoted(std::string_view etag) {
  const bool quoted = etag.size() >= 2 && etag.front() == '"' && etag.back() == '"';
  return quoted ? etag.substr(1, etag.size() - 2) : std::string_view();
}

// "SUM-4": the sum, and of how many parts; 0 where there is no number.
std::pair<std::string_view, std::size_t> SplitParts(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return {text, 0};
  const std::optional<std::size_t> parts = ReadWholeNumber(text.substr(dash + 1));
  if (!parts) return {text, 0};
  return {text.substr(0, dash), *parts};
}

std::optional<PartsSum> DecodePartsSum(std::string_view header,
                                       std::variant<DigestKind, CrcKind> kind) {
  const auto [sum, parts] = SplitParts(header);
  const std::optional<std::string> raw = DecodeBase64(sum);
  if (parts == 0 || !raw || raw->empty()) return std::nullopt;
  return PartsSum{kind, parts, Hexadecimal(*raw)};
}

}  // namespace

std::optional<WholeCrc> ReadWholeCrc(const HttpAnswer& answer) {
  for (const CrcHeader& row : kCrcs) {
    const std::string sum = DecodeBase64(answer.Header(row.header)).value_or("");
    if (sum.size() != row.bytes) continue;
    WholeCrc crc{row.kind, 0};
    for (const char byte : sum) crc.value = crc.value << 8 | static_cast<Byte>(byte);
    return crc;
  }
  return std::nullopt;
}

std::string ReadWholeSha256(const HttpAnswer& answer) {
  const auto [sum, parts] = SplitParts(answer.Header(kSha256Header));
  return parts == 0 ? Hexadecimal(DecodeBase64(sum).value_or("")) : std::string();
}

std::string ReadMd5(const HttpAnswer& answer) {
  const std::string_view sum = Unquoted(answer.Header("etag"));
  return IsMd5(sum) && EtagIsSum(answer) ? std::string(sum) : std::string();
}

std::optional<PartsSum> ReadPartsSum(const HttpAnswer& answer) {
  for (const CrcHeader& row : kCrcs) {
    if (auto sum = DecodePartsSum(answer.Header(row.header), row.kind)) return sum;
  }
  if (auto sum = DecodePartsSum(answer.Header(kSha256Header), DigestKind::kSha256)) return sum;
  const auto [sum, parts] = SplitParts(Unquoted(answer.Header("etag")));
  if (parts == 0 || !IsMd5(sum) || !EtagIsSum(answer)) return std::nullopt;
  return PartsSum{DigestKind::kMd5, parts, std::string(sum)};
}

}  // namespace wheelwright
