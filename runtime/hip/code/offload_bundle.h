// The containers of GPU code in files for the host.
//
//   plain       "__CLANG_OFFLOAD_BUNDLE__": a table of ids, offsets and sizes, then the images
//   compressed  "CCOB": a small header, then a plain bundle packed by zlib or zstd
//   binary      10 FF 10 AD: the offload binary of the new driver; one image in version 1, several
//               in version 2
//   code object an ELF file for a GPU, alone
//   kpack       "KPAK": an archive of GPU code that was moved out of libraries (kpack.h)
//
// https://clang.llvm.org/docs/ClangOffloadBundler.html and llvm/Object/OffloadBinary.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/hip/code/gfx_target.h"

namespace wheelwright {

enum class BundleKind : std::uint8_t { kPlain, kCompressed, kBinary, kCodeObject, kKpack };

struct OffloadImage {
  std::string id;                   // as the container has it
  std::optional<GfxTarget> target;  // nothing: the host, or a GPU of another maker
  std::uint64_t size = 0;           // in bytes, unpacked
};

struct OffloadBundle {
  BundleKind kind = BundleKind::kPlain;
  unsigned version = 0;        // of compressed bundles, offload binaries and kpack archives
  std::string method;          // "zlib", "zstd", "zstd-per-kernel"; "" when it is not compressed
  std::uint64_t offset = 0;    // in the file
  std::uint64_t size = 0;      // bytes in the file
  std::uint64_t unpacked = 0;  // bytes after decompression
  std::vector<OffloadImage> images;

  // "plain bundle", "compressed bundle (CCOB 2, zstd)", "offload binary 1", "code object",
  // "kpack archive 1".
  std::string Describe() const;
};

struct BundleProblem {
  bool unknown = false;  // a version or method that this program does not know
  std::string message;   // no full stop
};

// The most bundles of one source (and images of a kpack archive), and images of one bundle.
inline constexpr std::size_t kMostBundles = 100'000;
inline constexpr std::size_t kMostImages = 4096;
// In bytes: the table of a container, and the id of an image in it.
inline constexpr std::uint64_t kLongestTable = 4 << 20;
inline constexpr std::uint64_t kLongestId = 1024;

inline constexpr std::string_view kPlainBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

}  // namespace wheelwright
