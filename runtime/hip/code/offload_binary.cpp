#include "runtime/hip/code/offload_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/platform/little_endian.h"
#include "runtime/hip/code/container_table.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kHead = 32, kEntry = 40;

class BinaryTable : public ContainerTable {
 public:
  // `size`: of the whole binary.
  BinaryTable(std::uint64_t size, unsigned version) : size_(size), version_(version) {}

  // `have`: the beginning of the binary, with its whole head.
  State Read(std::span<const Byte> have) {
    have_ = have;
    images.clear();
    const auto entries = U64(have_, 16);
    // Version 1 has one entry, and its size instead of the count.
    const auto count = version_ == 1 ? 1 : U64(have_, 24);
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

 private:
  State ReadEntry(std::uint64_t at) {
    constexpr std::uint64_t kMostStrings = 64;
    constexpr std::uint32_t kNoImage = 1;
    const auto flags = U32(have_, at + 4);
    const auto strings = U64(have_, at + 8);
    const auto count = U64(have_, at + 16);
    const auto offset = U64(have_, at + 24);
    const auto size = U64(have_, at + 32);
    const std::uint64_t row = version_ == 1 ? 16 : 24;
    if (!LiesWithin(offset, size, size_)) return Broken("its image lies behind its end");
    if (count > kMostStrings || !LiesWithin(strings, count * row, size_)) {
      return Broken("its strings lie behind its end");
    }
    if (!LiesWithin(strings, count * row, have_.size())) return State::kShort;
    std::string_view triple, arch;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto key = TextAt(U64(have_, strings + i * row));
      auto value = TextAt(U64(have_, strings + i * row + 8));
      // A value of version 2 has a length, and may contain zeros.
      if (value && version_ > 1) {
        value = value->substr(0, U64(have_, strings + i * row + 16));
      }
      if (!key || !value) return missing_;
      if (*key == "triple") triple = *value;
      if (*key == "arch") arch = *value;
    }
    images.push_back({.id = fmt::format("{}-{}", triple, arch), .size = size});
    // An entry may have strings only.
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

std::optional<OffloadBundle> ReadOffloadBinary(const ByteSource& source, std::uint64_t offset,
                                               std::uint64_t end, BundleProblem& problem) {
  const auto fail = [&](std::string message, bool unknown = false) {
    problem = {.unknown = unknown, .message = std::move(message)};
    return std::nullopt;
  };
  const std::uint64_t limit = end - offset;
  std::array<Byte, kHead> head{};
  if (limit < kHead) return fail("it ends inside its head");
  if (!source.ReadAt(offset, head)) return fail("its bytes cannot be read");
  OffloadBundle bundle{
      .kind = BundleKind::kBinary, .version = U32(head, 4), .offset = offset, .size = U64(head, 8)};
  if (bundle.version != 1 && bundle.version != 2) {
    return fail(
        fmt::format("it is an offload binary of version {}; known are 1 and 2", bundle.version),
        true);
  }
  if (bundle.size < kHead || bundle.size > limit) {
    return fail(fmt::format("it declares {} bytes, but {} are left", bundle.size, limit));
  }
  bundle.unpacked = bundle.size;
  BinaryTable table(bundle.size, bundle.version);
  const auto read = [&](std::span<const Byte> have) { return table.Read(have); };
  if (auto broken = ReadTable(source, offset, bundle.size, table, read)) {
    return fail(*std::move(broken));
  }
  bundle.images = std::move(table.images);
  return bundle;
}

}  // namespace wheelwright
