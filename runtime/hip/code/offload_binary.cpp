// The offload binary: BundleReader's part for it.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/hip/code/little_endian.h"
#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kHead = 32, kEntry = 40;

// What stands in an offload binary, from its first bytes. https://github.com/llvm/llvm-project,
// llvm/include/llvm/Object/OffloadBinary.h; version 2 came by its pull request 169425.
class BinaryTable {
 public:
  enum class State : std::uint8_t { kDone, kShort, kBroken };

  // `have`: its beginning, with the whole head; `size`: of all of it.
  BinaryTable(std::span<const Byte> have, std::uint64_t size, unsigned version)
      : have_(have), size_(size), version_(version) {}

  State Read() {
    const auto entries = LittleEndian<std::uint64_t>(have_, 16);
    // In version 1 the size of the only entry stands in its place.
    const auto count = version_ == 1 ? 1 : LittleEndian<std::uint64_t>(have_, 24);
    if (count > kMostImages) {
      return Broken(fmt::format("it declares {} images, more than {}", count, kMostImages));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = entries + i * kEntry;
      if (entries > size_ || !LiesWithin(at, kEntry, size_)) {
        return Broken("its entries lie behind its end");
      }
      if (!LiesWithin(at, kEntry, have_.size())) return State::kShort;
      const State state = ReadEntry(at);
      if (state != State::kDone) return state;
    }
    return State::kDone;
  }

  std::vector<OffloadImage> images;
  std::string problem;

 private:
  State Broken(std::string message) {
    problem = std::move(message);
    return State::kBroken;
  }

  State ReadEntry(std::uint64_t at) {
    constexpr std::uint64_t kMostStrings = 64;
    constexpr std::uint32_t kNoImage = 1;
    const auto flags = LittleEndian<std::uint32_t>(have_, at + 4);
    const auto strings = LittleEndian<std::uint64_t>(have_, at + 8);
    const auto count = LittleEndian<std::uint64_t>(have_, at + 16);
    const auto offset = LittleEndian<std::uint64_t>(have_, at + 24);
    const auto size = LittleEndian<std::uint64_t>(have_, at + 32);
    const std::uint64_t row = version_ == 1 ? 16 : 24;
    if (!LiesWithin(offset, size, size_)) return Broken("its image lies behind its end");
    if (count > kMostStrings || !LiesWithin(strings, count * row, size_)) {
      return Broken("its strings lie behind its end");
    }
    if (!LiesWithin(strings, count * row, have_.size())) return State::kShort;
    std::string_view triple, arch;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto key = TextAt(LittleEndian<std::uint64_t>(have_, strings + i * row));
      auto value = TextAt(LittleEndian<std::uint64_t>(have_, strings + i * row + 8));
      // From version 2 on a value says how long it is, and may hold zeros.
      if (value && version_ > 1) {
        value = value->substr(0, LittleEndian<std::uint64_t>(have_, strings + i * row + 16));
      }
      if (!key || !value) return missing_;
      if (*key == "triple") triple = *value;
      if (*key == "arch") arch = *value;
    }
    images.push_back({.id = fmt::format("{}-{}", triple, arch), .size = size});
    // An entry may be there for its strings alone.
    if (version_ == 1 || (flags & kNoImage) == 0) images.back().target = ParseGfxTarget(arch);
    return State::kDone;
  }

  // Up to the first zero.
  std::optional<std::string_view> TextAt(std::uint64_t at) {
    if (at >= size_) {
      missing_ = Broken("its strings lie behind its end");
      return std::nullopt;
    }
    if (at >= have_.size()) {
      missing_ = State::kShort;
      return std::nullopt;
    }
    const std::string_view rest(reinterpret_cast<const char*>(have_.data()) + at,
                                std::min<std::uint64_t>(have_.size() - at, kLongestId));
    const std::size_t zero = rest.find('\0');
    if (zero == std::string_view::npos && rest.size() < kLongestId && have_.size() < size_) {
      missing_ = State::kShort;
      return std::nullopt;
    }
    return rest.substr(0, zero);
  }

  std::span<const Byte> have_;
  std::uint64_t size_;
  unsigned version_;
  State missing_ = State::kDone;  // why the last text is not there
};

}  // namespace

std::optional<OffloadBundle> BundleReader::ReadBinary(std::uint64_t offset, std::uint64_t end) {
  const std::uint64_t limit = end - offset;
  std::vector<Byte> head(kHead);
  if (limit < kHead) return Fail("it ends inside its head");
  if (!source_.ReadAt(offset, head)) return Fail("its bytes cannot be read");
  OffloadBundle bundle{.kind = BundleKind::kBinary,
                       .version = LittleEndian<std::uint32_t>(head, 4),
                       .offset = offset,
                       .size = LittleEndian<std::uint64_t>(head, 8)};
  if (bundle.version != 1 && bundle.version != 2) {
    return Unknown(
        fmt::format("it is an offload binary of version {}; known are 1 and 2", bundle.version));
  }
  if (bundle.size < kHead || bundle.size > limit) {
    return Fail(fmt::format("it declares {} bytes, where {} are left", bundle.size, limit));
  }
  bundle.unpacked = bundle.size;
  for (std::uint64_t want = 4096;; want *= 4) {
    head.resize(static_cast<std::size_t>(std::min({want, bundle.size, kLongestTable})));
    if (!source_.ReadAt(offset, head)) return Fail("its bytes cannot be read");
    BinaryTable table(head, bundle.size, bundle.version);
    const BinaryTable::State state = table.Read();
    if (state == BinaryTable::State::kBroken) return Fail(table.problem);
    if (state == BinaryTable::State::kDone) {
      bundle.images = std::move(table.images);
      return bundle;
    }
    if (head.size() < want) return Fail("its table is too long");
  }
}

}  // namespace wheelwright
