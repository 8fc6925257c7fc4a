// The containers that code for GPUs stands in, inside a host's file.
//
//   plain       "__CLANG_OFFLOAD_BUNDLE__": a table of ids, offsets and sizes, then the images
//   compressed  "CCOB": a small header, then a plain bundle packed by zlib or zstd
//   binary      10 FF 10 AD: the offload binary of the new driver; one image in version 1, several
//               in version 2
//   code object an ELF file for a GPU, alone
//   kpack       "KPAK": an archive of what was moved out of libraries (kpack.h)
//
// https://clang.llvm.org/docs/ClangOffloadBundler.html and llvm/Object/OffloadBinary.h.
//
// Every container says how long it is, and only that is believed: the bytes of one may look like
// the beginning of another. The reading is our own because LLVM's tools list the first bundle of a
// section that was linked from several only, and older ones do not know the compressed kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hip/code/gfx_target.h"
#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

enum class BundleKind : std::uint8_t { kPlain, kCompressed, kBinary, kCodeObject, kKpack };

struct OffloadImage {
  std::string id;                   // as it is written
  std::optional<GfxTarget> target;  // nothing: the host's, or of another maker
  std::uint64_t size = 0;           // in bytes, unpacked
};

struct OffloadBundle {
  BundleKind kind = BundleKind::kPlain;
  unsigned version = 0;        // of the compressed kind, the binary and kpack
  std::string method;          // "zlib", "zstd", "zstd-per-kernel"; "" where nothing is packed
  std::uint64_t offset = 0;    // in its source
  std::uint64_t size = 0;      // in bytes, there
  std::uint64_t unpacked = 0;  // the same where nothing is packed
  std::vector<OffloadImage> images;

  // "plain bundle", "compressed bundle (CCOB 2, zstd)", "offload binary 1", "code object",
  // "kpack archive 1".
  std::string Describe() const;
};

struct BundleProblem {
  bool unknown = false;  // of a version or method that this program does not know
  std::string message;   // no full stop
};

// How much may still be unpacked to read tables, and to find where bundles end: the first version
// of the compressed kind does not say so itself. Hostile files promise gigabytes.
struct UnpackBudget {
  std::uint64_t left = std::uint64_t{4} << 30;  // bytes
};

// The most bundles of one source (and images of a kpack archive), and images of one bundle.
inline constexpr std::size_t kMostBundles = 100'000;
inline constexpr std::size_t kMostImages = 4096;
// In bytes: the table of a container, and the id of an image in it.
inline constexpr std::uint64_t kLongestTable = 4 << 20;
inline constexpr std::uint64_t kLongestId = 1024;

// Whether a container of any kind could begin with these 4 bytes.
bool LooksLikeBundle(const Byte* four);

// Reads containers one after the other. Reads forward only, and of each no more than its tables,
// except where it has to find the end.
class BundleReader {
 public:
  // Both are borrowed.
  BundleReader(const ByteSource& source, UnpackBudget& budget) : source_(source), budget_(budget) {}

  // The container that begins at `offset` and ends at `end` at the latest. Nothing when there is
  // none that can be read; problem() says why.
  std::optional<OffloadBundle> ReadAt(std::uint64_t offset, std::uint64_t end);
  // Where the zeros end that stand between containers, or `end`.
  std::uint64_t SkipZeros(std::uint64_t offset, std::uint64_t end) const;

  const BundleProblem& problem() const { return problem_; }

 private:
  std::nullopt_t Fail(std::string message);
  std::nullopt_t Unknown(std::string message);
  std::optional<OffloadBundle> ReadPlain(std::uint64_t offset, std::uint64_t end);
  std::optional<OffloadBundle> ReadCompressed(std::uint64_t offset, std::uint64_t end);
  std::optional<OffloadBundle> ReadBinary(std::uint64_t offset, std::uint64_t end);

  const ByteSource& source_;
  UnpackBudget& budget_;
  BundleProblem problem_;
};

// A bundle of code objects, by their targets, in the plain format, which a host's compile takes in.
std::string MakeBundle(const std::vector<std::pair<std::string, std::string>>& objects);

}  // namespace wheelwright
