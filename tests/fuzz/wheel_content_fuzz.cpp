// Any text is read as RECORD and as headers, with every position inside of it; any bytes are read
// as a shared object, with the same result for all divisions into pieces.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "runtime/wheels/native/native_library.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

NativeFacts Probe(std::span<const Byte> bytes, std::size_t piece) {
  NativeProbe probe(true);
  while (true) {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      probe.Feed(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    }
    probe.EndPass();
    if (!probe.wants_pass()) return probe.facts();
    probe.Restart();
  }
}

void RequireSame(const NativeFacts& a, const NativeFacts& b) {
  Require(a == b, "the pieces matter");
}

const Fuzzer kWheelContent("wheel_content", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto inside = [&](TextPart part) {
    Require(part.offset <= size && part.length <= size - part.offset, "a place outside the text");
  };
  for (const RecordRow& row : ReadRecord(text)) {
    inside(row.path_part);
    inside(row.sum_part);
    inside(row.size_part);
  }
  const Headers headers = ReadHeaders(text);
  if (headers.broken) inside(*headers.broken);
  for (const Header& field : headers.fields) {
    inside(field.name_part);
    inside(field.value_part);
    Require(headers.Find(field.name) != nullptr, "a header is not found");
  }
  const std::span<const Byte> bytes(data, size);
  const NativeFacts whole = Probe(bytes, size + 1);
  RequireSame(whole, Probe(bytes, 37));
  RequireSame(whole, Probe(bytes, 4096));
});

}  // namespace
}  // namespace wheelwright
