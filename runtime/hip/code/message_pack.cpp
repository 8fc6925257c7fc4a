#include "runtime/hip/code/message_pack.h"

namespace wheelwright {

using Kind = PackedValue::Kind;

std::optional<std::uint64_t> MessagePackReader::BigEndian(std::size_t size) {
  if (bytes_.size() < size) return std::nullopt;
  std::uint64_t number = 0;
  for (const Byte byte : bytes_.first(size)) number = number << 8 | byte;
  bytes_ = bytes_.subspan(size);
  return number;
}

std::optional<PackedValue> MessagePackReader::Container(Kind kind, std::uint64_t count) {
  // Each item takes a byte at least, each entry two.
  if (count > bytes_.size() / (kind == Kind::kMap ? 2 : 1)) return std::nullopt;
  return PackedValue{.kind = kind, .text = {}, .number = count};
}

std::optional<PackedValue> MessagePackReader::Bytes(Kind kind, std::uint64_t size) {
  if (size > bytes_.size()) return std::nullopt;
  const auto own = bytes_.first(static_cast<std::size_t>(size));
  bytes_ = bytes_.subspan(own.size());
  PackedValue value{.kind = kind};
  if (kind == Kind::kText) value.text = {reinterpret_cast<const char*>(own.data()), own.size()};
  return value;
}

std::optional<PackedValue> MessagePackReader::Next() {
  const auto head = BigEndian(1);
  if (!head) return std::nullopt;
  const std::uint64_t code = *head;
  if (code < 0x80) return PackedValue{.kind = Kind::kNumber, .text = {}, .number = code};
  if (code < 0x90) return Container(Kind::kMap, code & 0x0f);
  if (code < 0xa0) return Container(Kind::kList, code & 0x0f);
  if (code < 0xc0) return Bytes(Kind::kText, code & 0x1f);
  if (code >= 0xe0) return PackedValue{};  // a small negative number
  // Codes with a length: its size doubles from code to code.
  const auto length = [&](std::uint64_t first, std::size_t smallest) {
    return BigEndian(smallest << (code - first));
  };
  switch (code) {
    case 0xc0:  // nil
    case 0xc2:  // false
    case 0xc3:  // true
      return PackedValue{};
    case 0xc4:  // bytes
    case 0xc5:
    case 0xc6: {
      const auto size = length(0xc4, 1);
      return size ? Bytes(Kind::kOther, *size) : std::nullopt;
    }
    case 0xc7:  // an extension: its size, its type, its bytes
    case 0xc8:
    case 0xc9: {
      const auto size = length(0xc7, 1);
      return size ? Bytes(Kind::kOther, *size + 1) : std::nullopt;
    }
    case 0xca:  // fractions
    case 0xcb:
      return Bytes(Kind::kOther, std::uint64_t{4} << (code - 0xca));
    case 0xcc:  // numbers without a sign
    case 0xcd:
    case 0xce:
    case 0xcf: {
      const auto number = length(0xcc, 1);
      if (!number) return std::nullopt;
      return PackedValue{.kind = Kind::kNumber, .text = {}, .number = *number};
    }
    case 0xd0:  // numbers with one
    case 0xd1:
    case 0xd2:
    case 0xd3:
      return Bytes(Kind::kOther, std::uint64_t{1} << (code - 0xd0));
    case 0xd4:  // extensions of fixed size: their type, their bytes
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return Bytes(Kind::kOther, 1 + (std::uint64_t{1} << (code - 0xd4)));
    case 0xd9:
    case 0xda:
    case 0xdb: {
      const auto size = length(0xd9, 1);
      return size ? Bytes(Kind::kText, *size) : std::nullopt;
    }
    case 0xdc:
    case 0xdd: {
      const auto count = length(0xdc, 2);
      return count ? Container(Kind::kList, *count) : std::nullopt;
    }
    case 0xde:
    case 0xdf: {
      const auto count = length(0xde, 2);
      return count ? Container(Kind::kMap, *count) : std::nullopt;
    }
    default:
      return std::nullopt;  // 0xc1, which is never used
  }
}

bool MessagePackReader::Skip() {
  for (std::uint64_t left = 1; left > 0; --left) {
    const auto value = Next();
    if (!value) return false;
    if (value->kind == Kind::kList) left += value->number;
    if (value->kind == Kind::kMap) left += 2 * value->number;
  }
  return true;
}

std::optional<std::string_view> MessagePackReader::Text() {
  const auto value = Next();
  if (!value || value->kind != Kind::kText) return std::nullopt;
  return value->text;
}

std::optional<std::uint64_t> MessagePackReader::NumberOf(Kind kind) {
  const auto value = Next();
  if (!value || value->kind != kind) return std::nullopt;
  return value->number;
}

}  // namespace wheelwright
