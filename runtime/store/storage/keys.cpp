#include "runtime/store/storage/keys.h"

#include <charconv>
#include <utility>

namespace wheelwright {
namespace {

std::string Encode(std::string_view text, bool with_slash) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~' || (c == '/' && !with_slash);
    if (plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

}  // namespace

std::string EncodePath(std::string_view key) { return Encode(key, false); }
std::string EncodeQuery(std::string_view text) { return Encode(text, true); }

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
