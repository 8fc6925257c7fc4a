#include "runtime/store/storage/keys.h"

#include <array>
#include <charconv>
#include <utility>

namespace wheelwright {
namespace {

// The characters that stand for themselves in a part of a path.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned char c = '0'; c <= '9'; ++c) plain[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) plain[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) plain[c] = true;
  for (const unsigned char c : {'-', '.', '_', '~'}) plain[c] = true;
  return plain;
}();

void Encode(std::string_view text, bool with_slash, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (kPlain[byte] || (byte == '/' && !with_slash)) continue;
    out.append(text.substr(done, i - done));
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
    done = i + 1;
  }
  out.append(text.substr(done));
}

std::string Encoded(std::string_view text, bool with_slash) {
  std::string out;
  out.reserve(text.size());
  Encode(text, with_slash, out);
  return out;
}

}  // namespace

std::string EncodePath(std::string_view key) { return Encoded(key, false); }
std::string EncodeQuery(std::string_view text) { return Encoded(text, true); }
void AppendQuery(std::string_view text, std::string& out) { Encode(text, true, out); }

std::string DecodeQuery(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string_view ContentTypeOf(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".json", "application/json"},
      {".whl", "application/zip"},
      {".zip", "application/zip"},
      {".metadata", "text/plain; charset=utf-8"},
      {".log", "text/plain; charset=utf-8"},
      {".txt", "text/plain; charset=utf-8"},
      {".sha256sum", "text/plain; charset=utf-8"},
      {".tar.gz", "application/gzip"},
      {".tgz", "application/gzip"},
      {".tar.xz", "application/x-xz"},
      {".tar.zst", "application/zstd"},
  };
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace wheelwright
