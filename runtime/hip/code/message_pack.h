// MessagePack, a value at a time, as far as the tables of kpack archives need it.
// https://github.com/msgpack/msgpack/blob/master/spec.md
//
// The JSON library reads it too, but calls itself for each level, which hostile bytes have millions
// of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

struct PackedValue {
  enum class Kind : std::uint8_t { kText, kNumber, kList, kMap, kOther };

  Kind kind = Kind::kOther;
  std::string_view text;     // of a text; borrowed
  std::uint64_t number = 0;  // a number; of a list its items, of a map its entries
};

class MessagePackReader {
 public:
  // Borrowed.
  explicit MessagePackReader(std::span<const Byte> bytes) : bytes_(bytes) {}

  // The next value; of a list and of a map what it holds comes next. Nothing at the end, and where
  // the bytes are no MessagePack. A list never has more items than bytes are left.
  std::optional<PackedValue> Next();
  // Goes past the next value and all that it holds. False as for Next().
  bool Skip();

  // The next value, where it is of that kind.
  std::optional<std::string_view> Text();
  std::optional<std::uint64_t> Number();
  std::optional<std::uint64_t> List();  // how many items
  std::optional<std::uint64_t> Map();   // how many entries: a key and a value each

 private:
  std::optional<PackedValue> Container(PackedValue::Kind kind, std::uint64_t count);
  std::optional<PackedValue> Bytes(PackedValue::Kind kind, std::uint64_t size);
  std::optional<std::uint64_t> BigEndian(std::size_t size);

  std::span<const Byte> bytes_;  // those that are left
};

}  // namespace wheelwright
