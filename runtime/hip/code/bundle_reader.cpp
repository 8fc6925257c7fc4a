#include "runtime/hip/code/bundle_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/platform/little_endian.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/code/container_table.h"
#include "runtime/hip/code/offload_binary.h"
#include "runtime/hip/code/unpacker.h"

namespace wheelwright {
namespace {

constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::string_view kBinaryMagic = "\x10\xff\x10\xad";
constexpr std::size_t kPiece = 64 * 1024;

// The table at the beginning of a plain bundle.
class PlainTable : public ContainerTable {
 public:
  // `limit`: maximum size of the whole bundle.
  State Read(std::span<const Byte> have, std::uint64_t limit) {
    images.clear();
    end = 0;
    constexpr std::size_t kFixed = kPlainBundleMagic.size() + 8;
    if (limit < kFixed) return Broken("it ends inside its head");
    if (have.size() < kFixed) return State::kShort;
    if (!AsText(have).starts_with(kPlainBundleMagic))
      return Broken("it does not begin as a bundle");
    const auto count = U64(have, kPlainBundleMagic.size());
    if (count > kMostImages) {
      return Broken(fmt::format("it declares {} images, more than {}", count, kMostImages));
    }
    std::size_t at = kFixed;
    for (std::uint64_t i = 0; i < count; ++i) {
      constexpr std::size_t kNumbers = 24;
      if (!LiesWithin(at, kNumbers, limit)) return Broken("it ends inside its table");
      if (!LiesWithin(at, kNumbers, have.size())) return State::kShort;
      const auto offset = U64(have, at);
      const auto size = U64(have, at + 8);
      const auto id_size = U64(have, at + 16);
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

  std::uint64_t end = 0;  // of the bundle, from its beginning
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
  return text == kPlainBundleMagic.substr(0, 4) || text == kCompressedMagic || text == kBinaryMagic;
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
  if (text == kBinaryMagic) return ReadOffloadBinary(source_, offset, end, problem_);
  if (text == kPlainBundleMagic.substr(0, 4)) return ReadPlain(offset, end);
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
  const auto read = [&](std::span<const Byte> have) { return table.Read(have, limit); };
  if (auto problem = ReadTable(source_, offset, limit, table, read)) {
    return Fail(*std::move(problem));
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
  OffloadBundle bundle{.kind = BundleKind::kCompressed, .version = U16(head, 4), .offset = offset};
  const auto method = U16(head, 6);
  std::size_t head_size = kShortest + kHash;
  switch (bundle.version) {
    case 1:
      head_size += 4;
      bundle.unpacked = U32(head, 8);
      break;
    case 2:
      head_size += 8;
      bundle.size = U32(head, 8);
      bundle.unpacked = U32(head, 12);
      break;
    case 3:
      head_size += 16;
      bundle.size = U64(head, 8);
      bundle.unpacked = U64(head, 16);
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
    return Fail(fmt::format("it declares {} bytes, but {} are left", bundle.size, limit));
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
    // All input was consumed without output.
    if (state == Unpacker::State::kMore && got == 0 && left.size() == before && at >= packed_end) {
      return Fail("its packed data ends too early");
    }
  }
  if (!have_table) return Fail("its packed data ends too early");
  if (!knows_end) bundle.size = at - left.size() - offset;
  bundle.images = std::move(table.images);
  return bundle;
}

}  // namespace wheelwright
