#include "runtime/hip/code/offload_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/code/little_endian.h"
#include "runtime/hip/code/unpacker.h"

namespace wheelwright {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::string_view kBinaryMagic = "\x10\xff\x10\xad";
constexpr std::size_t kPiece = 64 * 1024;

std::string_view AsText(std::span<const Byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The table of a plain bundle, from its first bytes.
class PlainTable {
 public:
  enum class State : std::uint8_t { kDone, kShort, kBroken };

  // `limit`: bytes that the whole bundle may have.
  State Read(std::span<const Byte> have, std::uint64_t limit) {
    images.clear();
    end = 0;
    constexpr std::size_t kFixed = kPlainMagic.size() + 8;
    if (limit < kFixed) return Broken("it ends inside its head");
    if (have.size() < kFixed) return State::kShort;
    if (!AsText(have).starts_with(kPlainMagic)) return Broken("it does not begin as a bundle");
    const auto count = LittleEndian<std::uint64_t>(have, kPlainMagic.size());
    if (count > kMostImages) {
      return Broken(fmt::format("it declares {} images, more than {}", count, kMostImages));
    }
    std::size_t at = kFixed;
    for (std::uint64_t i = 0; i < count; ++i) {
      constexpr std::size_t kNumbers = 24;
      if (!LiesWithin(at, kNumbers, limit)) return Broken("it ends inside its table");
      if (!LiesWithin(at, kNumbers, have.size())) return State::kShort;
      const auto offset = LittleEndian<std::uint64_t>(have, at);
      const auto size = LittleEndian<std::uint64_t>(have, at + 8);
      const auto id_size = LittleEndian<std::uint64_t>(have, at + 16);
      at += kNumbers;
      if (id_size > kLongestId) {
        return Broken(fmt::format("the id of an image is {} bytes long", id_size));
      }
      if (!LiesWithin(at, id_size, limit)) return Broken("it ends inside its table");
      if (!LiesWithin(at, id_size, have.size())) return State::kShort;
      OffloadImage image{.id = std::string(AsText(have.subspan(at, id_size))), .size = size};
      at += id_size;
      if (!LiesWithin(offset, size, limit)) {
        return Broken(fmt::format("its image {} lies behind its end", Quoted(image.id)));
      }
      image.target = TargetOfBundleId(image.id);
      images.push_back(std::move(image));
      end = std::max(end, offset + size);
    }
    end = std::max<std::uint64_t>(end, at);
    return State::kDone;
  }

  std::vector<OffloadImage> images;
  std::uint64_t end = 0;  // of the bundle, from its beginning
  std::string problem;

 private:
  State Broken(std::string message) {
    problem = std::move(message);
    return State::kBroken;
  }
};

}  // namespace

std::string OffloadBundle::Describe() const {
  switch (kind) {
    case BundleKind::kPlain:
      return "plain bundle";
    case BundleKind::kCompressed:
      return fmt::format("compressed bundle (CCOB {}, {})", version, method);
    case BundleKind::kBinary:
      return fmt::format("offload binary {}", version);
    case BundleKind::kKpack:
      return fmt::format("kpack archive {}", version);
    case BundleKind::kCodeObject:
      break;
  }
  return "code object";
}

bool LooksLikeBundle(const Byte* four) {
  const std::string_view text(reinterpret_cast<const char*>(four), 4);
  return text == kPlainMagic.substr(0, 4) || text == kCompressedMagic || text == kBinaryMagic;
}

std::nullopt_t BundleReader::Fail(std::string message) {
  problem_ = {.unknown = false, .message = std::move(message)};
  return std::nullopt;
}

std::nullopt_t BundleReader::Unknown(std::string message) {
  problem_ = {.unknown = true, .message = std::move(message)};
  return std::nullopt;
}

std::optional<OffloadBundle> BundleReader::ReadAt(std::uint64_t offset, std::uint64_t end) {
  std::array<Byte, 4> magic{};
  if (!LiesWithin(offset, magic.size(), end)) return Fail("it ends inside its magic number");
  if (!source_.ReadAt(offset, magic)) return Fail("its bytes cannot be read");
  const std::string_view text = AsText(magic);
  if (text == kCompressedMagic) return ReadCompressed(offset, end);
  if (text == kBinaryMagic) return ReadBinary(offset, end);
  if (text == kPlainMagic.substr(0, 4)) return ReadPlain(offset, end);
  return Unknown(fmt::format("it begins with {:02x} {:02x} {:02x} {:02x}, as no known container",
                             magic[0], magic[1], magic[2], magic[3]));
}

std::uint64_t BundleReader::SkipZeros(std::uint64_t offset, std::uint64_t end) const {
  std::array<Byte, 4096> piece{};
  while (offset < end) {
    const std::span<Byte> into(piece.data(), static_cast<std::size_t>(std::min<std::uint64_t>(
                                                 piece.size(), end - offset)));
    if (!source_.ReadAt(offset, into)) return end;
    const auto other = std::ranges::find_if(into, [](Byte byte) { return byte != 0; });
    offset += static_cast<std::uint64_t>(other - into.begin());
    if (other != into.end()) return offset;
  }
  return end;
}

std::optional<OffloadBundle> BundleReader::ReadPlain(std::uint64_t offset, std::uint64_t end) {
  const std::uint64_t limit = end - offset;
  PlainTable table;
  std::vector<Byte> head;
  for (std::uint64_t want = 4096;; want *= 4) {
    head.resize(static_cast<std::size_t>(std::min({want, limit, kLongestTable})));
    if (!source_.ReadAt(offset, head)) return Fail("its bytes cannot be read");
    const PlainTable::State state = table.Read(head, limit);
    if (state == PlainTable::State::kBroken) return Fail(table.problem);
    if (state == PlainTable::State::kDone) break;
    if (head.size() < want) return Fail("its table is too long");
  }
  return OffloadBundle{.kind = BundleKind::kPlain,
                       .offset = offset,
                       .size = table.end,
                       .unpacked = table.end,
                       .images = std::move(table.images)};
}

std::optional<OffloadBundle> BundleReader::ReadCompressed(std::uint64_t offset, std::uint64_t end) {
  const std::uint64_t limit = end - offset;
  std::array<Byte, 32> head{};
  constexpr std::size_t kShortest = 8, kHash = 8;
  if (limit < kShortest) return Fail("it ends inside its head");
  const std::span<Byte> have(head.data(),
                             static_cast<std::size_t>(std::min<std::uint64_t>(head.size(), limit)));
  if (!source_.ReadAt(offset, have)) return Fail("its bytes cannot be read");
  OffloadBundle bundle{.kind = BundleKind::kCompressed,
                       .version = LittleEndian<std::uint16_t>(head, 4),
                       .offset = offset};
  const auto method = LittleEndian<std::uint16_t>(head, 6);
  std::size_t head_size = kShortest + kHash;
  switch (bundle.version) {
    case 1:
      head_size += 4;
      bundle.unpacked = LittleEndian<std::uint32_t>(head, 8);
      break;
    case 2:
      head_size += 8;
      bundle.size = LittleEndian<std::uint32_t>(head, 8);
      bundle.unpacked = LittleEndian<std::uint32_t>(head, 12);
      break;
    case 3:
      head_size += 16;
      bundle.size = LittleEndian<std::uint64_t>(head, 8);
      bundle.unpacked = LittleEndian<std::uint64_t>(head, 16);
      break;
    default:
      return Unknown(fmt::format("it is a compressed bundle of version {}; known are 1, 2 and 3",
                                 bundle.version));
  }
  if (method > 1) {
    return Unknown(
        fmt::format("it is packed by method {}; known are 0 (zlib) and 1 (zstd)", method));
  }
  bundle.method = method == 0 ? "zlib" : "zstd";
  if (limit < head_size) return Fail("it ends inside its head");
  const bool knows_end = bundle.version > 1;
  if (knows_end && (bundle.size < head_size || bundle.size > limit)) {
    return Fail(fmt::format("it declares {} bytes, where {} are left", bundle.size, limit));
  }

  const std::uint64_t packed_end = knows_end ? offset + bundle.size : end;
  const auto unpacker = MakeUnpacker(bundle.method);
  std::vector<Byte> packed(kPiece), room(kPiece), table_bytes;
  PlainTable table;
  bool have_table = false;
  std::uint64_t at = offset + head_size, given = 0;
  std::span<const Byte> left;
  Unpacker::State state = Unpacker::State::kMore;
  while (state == Unpacker::State::kMore && !(have_table && knows_end)) {
    if (left.empty() && at < packed_end) {
      packed.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, packed_end - at)));
      if (!source_.ReadAt(at, packed)) return Fail("its bytes cannot be read");
      at += packed.size();
      left = packed;
    }
    std::span<Byte> out = room;
    const std::size_t before = left.size();
    state = unpacker->Step(left, out);
    const std::size_t got = room.size() - out.size();
    given += got;
    if (state == Unpacker::State::kBroken) return Fail("its packed data is broken");
    if (given > bundle.unpacked) {
      return Fail(
          fmt::format("it unpacks to more than the {} bytes that it declares", bundle.unpacked));
    }
    if (got > budget_.left) return Fail("it takes too much unpacking to find its end");
    budget_.left -= got;
    if (!have_table) {
      table_bytes.insert(table_bytes.end(), room.begin(),
                         room.begin() + static_cast<std::ptrdiff_t>(got));
      const PlainTable::State read = table.Read(table_bytes, bundle.unpacked);
      if (read == PlainTable::State::kBroken) return Fail("in what it packs, " + table.problem);
      have_table = read == PlainTable::State::kDone;
      if (!have_table && table_bytes.size() > kLongestTable) return Fail("its table is too long");
    }
    // All that there is was taken, and nothing came of it.
    if (state == Unpacker::State::kMore && got == 0 && left.size() == before && at >= packed_end) {
      return Fail("its packed data ends too early");
    }
  }
  if (!have_table) return Fail("its packed data ends too early");
  if (!knows_end) bundle.size = at - left.size() - offset;
  bundle.images = std::move(table.images);
  return bundle;
}

std::string MakeBundle(const std::vector<std::pair<std::string, std::string>>& objects) {
  // What the runtime maps must begin at a page.
  constexpr std::size_t kAlignment = 4096;
  const auto align = [](std::size_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; };
  const auto number = [](std::string& out, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  };
  std::vector<std::pair<std::string, std::string_view>> entries{
      {"host-x86_64-unknown-linux--", {}}};
  for (const auto& [target, bytes] : objects) {
    entries.emplace_back("hipv4-amdgcn-amd-amdhsa--" + target, bytes);
  }
  std::size_t at = 24 + 8;
  for (const auto& [id, bytes] : entries) at += 24 + id.size();
  std::string table(kPlainMagic);
  number(table, entries.size());
  std::size_t offset = align(at);
  for (const auto& [id, bytes] : entries) {
    number(table, offset);
    number(table, bytes.size());
    number(table, id.size());
    table += id;
    offset = align(offset + bytes.size());
  }
  std::string bundle = std::move(table);
  for (const auto& [id, bytes] : entries) {
    bundle.resize(align(bundle.size()), '\0');
    bundle += bytes;
  }
  return bundle;
}

}  // namespace wheelwright
