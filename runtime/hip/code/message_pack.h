// Reads MessagePack, as far as the tables of kpack archives need it.
// https://github.com/msgpack/msgpack/blob/master/spec.md
//
// The JSON library reads it too, but recursively: hostile bytes nest millions of levels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/platform/byte_source.h"

namespace wheelwright {

struct PackedValue {
  enum class Kind : std::uint8_t { kText, kNumber, kList, kMap, kOther };

  Kind kind = Kind::kOther;
  std::string_view text;     // of kText; borrowed
  std::uint64_t number = 0;  // value of kNumber, items of kList, entries of kMap
};

class MessagePackReader {
 public:
  // Borrowed.
  explicit MessagePackReader(std::span<const Byte> bytes) : bytes_(bytes) {}

  // The next value; the items of a list and the entries of a map follow. Nothing at the end, and
  // when the bytes are no MessagePack. A list never has more items than bytes are left.
  std::optional<PackedValue> Next();
  // Skips the next value with all that it contains. False when Next() would return nothing.
  bool Skip();

  // The next value; nothing when it is of another kind.
  std::optional<std::string_view> Text();
  std::optional<std::uint64_t> Number() { return NumberOf(PackedValue::Kind::kNumber); }
  // How many items; how many entries, a key and a value each.
  std::optional<std::uint64_t> List() { return NumberOf(PackedValue::Kind::kList); }
  std::optional<std::uint64_t> Map() { return NumberOf(PackedValue::Kind::kMap); }

 private:
  std::optional<std::uint64_t> NumberOf(PackedValue::Kind kind);
  std::optional<PackedValue> Container(PackedValue::Kind kind, std::uint64_t count);
  std::optional<PackedValue> Bytes(PackedValue::Kind kind, std::uint64_t size);
  std::optional<std::uint64_t> BigEndian(std::size_t size);

  std::span<const Byte> bytes_;  // not read yet
};

}  // namespace wheelwright
