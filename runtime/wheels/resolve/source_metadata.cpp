#include "runtime/wheels/resolve/source_metadata.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace wheelwright {
namespace {

constexpr std::size_t kTarBlock = 512;

// Everything up to the limit; a broken end is no problem if PKG-INFO lies before it.
std::string Gunzip(std::string_view packed, std::size_t most) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (inflateInit2(&stream, kGzip) != Z_OK) return {};
  std::string out;
  std::array<char, 64 * 1024> piece{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,
  // cppcoreguidelines-pro-type-const-cast)
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  while (state == Z_OK && out.size() < most) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return out;
}

}  // namespace

std::optional<std::string> ReadPackageInfo(std::string_view archive, std::size_t most) {
  const std::string tar = Gunzip(archive, most);
  std::string_view rest = tar;
  while (rest.size() > kTarBlock) {
    const std::string_view header = rest.substr(0, kTarBlock);
    const std::string_view name = header.substr(0, std::min<std::size_t>(100, header.find('\0')));
    const std::string_view digits = header.substr(124, 12);
    std::size_t size = 0;
    const std::size_t first = std::min(digits.find_first_not_of(" 0"), digits.size() - 1);
    std::from_chars(digits.data() + first, digits.data() + digits.size(), size, 8);
    rest.remove_prefix(kTarBlock);
    if (name.ends_with("/PKG-INFO") && std::ranges::count(name, '/') == 1) {
      if (size > rest.size()) return std::nullopt;
      return std::string(rest.substr(0, size));
    }
    const std::size_t whole = (size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (whole < size) return std::nullopt;
    rest.remove_prefix(std::min(whole, rest.size()));
  }
  return std::nullopt;
}

}  // namespace wheelwright
