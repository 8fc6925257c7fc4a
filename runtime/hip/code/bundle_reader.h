// Reads containers of GPU code one after the other.
//
// A container declares its size, and only that is believed: the bytes of one may look like the
// beginning of another. The reader is our own because LLVM's tools list only the first bundle of a
// section that was linked from several, and older ones do not know the compressed kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/hip/code/offload_bundle.h"

namespace wheelwright {

// How much may still be unpacked to read tables, and to find where bundles end: version 1 of the
// compressed kind does not declare its size. Hostile files promise gigabytes.
struct UnpackBudget {
  std::uint64_t left = std::uint64_t{4} << 30;  // bytes
};

// Whether a container of any kind could begin with these 4 bytes.
bool LooksLikeBundle(const Byte* four);

// Reads forward only, and of each container no more than its tables, unless it does not declare its
// size.
class BundleReader {
 public:
  // Both are borrowed.
  BundleReader(const ByteSource& source, UnpackBudget& budget) : source_(source), budget_(budget) {}

  // The container that begins at `offset` and ends at `end` at the latest. Nothing when it cannot
  // be read; problem() says why.
  std::optional<OffloadBundle> ReadAt(std::uint64_t offset, std::uint64_t end);
  // The end of the zeros that pad containers from `offset` on; at most `end`.
  std::uint64_t SkipZeros(std::uint64_t offset, std::uint64_t end) const;

  const BundleProblem& problem() const { return problem_; }

 private:
  std::nullopt_t Fail(std::string message);
  std::nullopt_t Unknown(std::string message);
  std::optional<OffloadBundle> ReadPlain(std::uint64_t offset, std::uint64_t end);
  std::optional<OffloadBundle> ReadCompressed(std::uint64_t offset, std::uint64_t end);

  const ByteSource& source_;
  UnpackBudget& budget_;
  BundleProblem problem_;
};

}  // namespace wheelwright
