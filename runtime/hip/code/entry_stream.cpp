#include "runtime/hip/code/entry_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/platform/bytes.h"

namespace wheelwright {

EntryStream::EntryStream(const ByteSource& archive, const ZipEntry& entry)
    : archive_(archive), entry_(entry) {
  stream_.Start(archive, entry);
}

bool EntryStream::Reach(std::uint64_t offset, std::uint64_t end) const {
  if (end > entry_.size || end < offset) return false;
  if (offset < window_begin_) {
    if (++restarts_ > kMostRestarts) return false;
    stream_.Start(archive_, entry_);
    window_.clear();
    window_begin_ = 0;
  }
  while (window_begin_ + window_.size() < end) {
    const std::span<const Byte> piece = stream_.Next();
    if (piece.empty()) return false;
    if (head_.size() < kHead && window_begin_ + window_.size() == head_.size()) {
      const std::size_t more = std::min(kHead - head_.size(), piece.size());
      head_.insert(head_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(more));
    }
    window_.insert(window_.end(), piece.begin(), piece.end());
    if (window_.size() < 2 * kWindow) continue;
    const std::uint64_t keep_from =
        std::min(offset, window_begin_ + window_.size() - std::uint64_t{kWindow});
    if (keep_from <= window_begin_) continue;
    window_.erase(window_.begin(),
                  window_.begin() + static_cast<std::ptrdiff_t>(keep_from - window_begin_));
    window_begin_ = keep_from;
  }
  return true;
}

bool EntryStream::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  if (out.empty()) return offset <= entry_.size;
  const std::uint64_t end = offset + out.size();
  if (end <= head_.size() && end >= offset) {
    std::memcpy(out.data(), head_.data() + offset, out.size());
    return true;
  }
  if (!Reach(offset, end)) return false;
  std::memcpy(out.data(), window_.data() + (offset - window_begin_), out.size());
  return true;
}

std::span<const Byte> EntryStream::View(std::uint64_t offset, std::size_t most) const {
  if (offset >= entry_.size) return {};
  const std::uint64_t end = offset + std::min<std::uint64_t>(most, entry_.size - offset);
  if (!Reach(offset, end)) return {};
  return {window_.data() + (offset - window_begin_), static_cast<std::size_t>(end - offset)};
}

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kWindow = 256 * 1024;
constexpr std::array<std::string_view, 4> kNames = {".hip_fat", ".rocm_kpack", ".llvm.offloading",
                                                    "__CLANG_OFFLOAD_BUNDLE__"};
constexpr std::size_t kLongestName = 24;

bool HoldsName(std::span<const Byte> bytes) {
  return std::ranges::any_of(kNames, [&](std::string_view name) { return Contains(bytes, name); });
}

// The chain that begins at `at`; empty when there is none.
BundleChain ReadChain(const EntryStream& stream, BundleReader& reader, std::uint64_t at) {
  BundleChain chain{.begin = at, .end = at};
  while (chain.bundles.size() < kMostBundles) {
    std::optional<OffloadBundle> bundle = reader.ReadAt(chain.end, stream.size());
    if (!bundle || bundle->size == 0) break;
    chain.end = reader.SkipZeros(bundle->offset + bundle->size, stream.size());
    chain.bundles.push_back(*std::move(bundle));
    std::array<Byte, 4> magic{};
    if (stream.size() - chain.end < magic.size() || !stream.ReadAt(chain.end, magic) ||
        !LooksLikeBundle(magic.data())) {
      break;
    }
  }
  return chain;
}

}  // namespace

EntryScan ScanElf(const EntryStream& stream, UnpackBudget& budget) {
  EntryScan scan;
  BundleReader reader(stream, budget);
  std::size_t held = 0;
  for (std::uint64_t at = 0; at < stream.size();) {
    const std::uint64_t from = at - std::min<std::uint64_t>(at, kLongestName);
    const std::span<const Byte> piece = stream.View(from, kWindow);
    if (piece.empty()) break;
    const std::uint64_t end = from + piece.size();
    // Linkers align these sections to pages.
    std::uint64_t page = (at + kPage - 1) / kPage * kPage;
    while (page + 4 <= end && !LooksLikeBundle(piece.data() + (page - from))) page += kPage;
    const bool found = page + 4 <= end && held < kMostBundles;
    scan.may_hold_code =
        scan.may_hold_code || found ||
        HoldsName(found ? piece.first(static_cast<std::size_t>(page - from)) : piece);
    at = end;
    if (!found) continue;
    BundleChain chain = ReadChain(stream, reader, page);
    at = std::max(chain.end, page + 1);
    held += chain.bundles.size();
    if (!chain.bundles.empty()) scan.chains.push_back(std::move(chain));
  }
  return scan;
}

}  // namespace wheelwright
