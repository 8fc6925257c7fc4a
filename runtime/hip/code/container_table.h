// What the tables of plain bundles and offload binaries have in common: their length is known only
// once they were read, so they are read in pieces that grow.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {

class ContainerTable {
 public:
  enum class State : std::uint8_t { kDone, kShort, kBroken };

  std::vector<OffloadImage> images;
  std::string problem;

 protected:
  State Broken(std::string message) {
    problem = std::move(message);
    return State::kBroken;
  }
};

// Calls `read` with more and more bytes from `offset` on, `limit` at most, until it does not return
// kShort. Returns what is wrong; nothing when the table was read.
template <typename Read>
std::optional<std::string> ReadTable(const ByteSource& source, std::uint64_t offset,
                                     std::uint64_t limit, const ContainerTable& table,
                                     const Read& read) {
  std::vector<Byte> bytes;
  for (std::uint64_t want = 4096;; want *= 4) {
    bytes.resize(static_cast<std::size_t>(std::min({want, limit, kLongestTable})));
    if (!source.ReadAt(offset, bytes)) return "its bytes cannot be read";
    const ContainerTable::State state = read(bytes);
    if (state == ContainerTable::State::kBroken) return table.problem;
    if (state == ContainerTable::State::kDone) return std::nullopt;
    if (bytes.size() < want) return "its table is too long";
  }
}

}  // namespace wheelwright
