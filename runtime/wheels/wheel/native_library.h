// What a shared object or program says of the machine that it is for, read while its bytes stream
// by: libraries of gigabytes are never held.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

enum class NativeFormat { kNone, kElf, kPe, kMachO };

struct NativeFacts {
  NativeFormat format = NativeFormat::kNone;
  unsigned bits = 0;     // 32 or 64; 0 where the header is broken
  unsigned machine = 0;  // e_machine of ELF, Machine of PE
  bool little_endian = true;
  // Symbol versions that have to be there where it runs: "GLIBC_2.28", "GLIBCXX_3.4.24"; ELF only.
  // The versions of glibc and libstdc++ that this program knows of, in ascending order each.
  std::vector<std::string> needed_versions;
  std::string problem;  // it starts like a shared object but is none; empty when all is well
};

inline constexpr unsigned kElfAmd64 = 62, kElfAmdGpu = 224, kElfAArch64 = 183;
inline constexpr unsigned kPeAmd64 = 0x8664;

// Whether a file of that name should be a shared object: "libc10.so", "libuv.so.1", "_C.pyd".
bool IsLibraryName(std::string_view path);

// Feed it the file from the front. The tables that name versions may stand in any order, so more
// than one pass may be needed: as long as wants_pass(), call Restart() and feed the file again.
class NativeProbe {
 public:
  // `versions`: read the symbol versions too, which may take a second pass.
  explicit NativeProbe(bool versions) : versions_(versions) {}

  void Feed(std::span<const Byte> bytes);
  // At the end of a pass.
  void EndPass();
  bool wants_pass() const { return wanted_ && passes_ < kMostPasses; }
  void Restart();
  // Whether the rest of this pass is of no use to it.
  bool idle() const { return have_head_ && !wanted_; }

  const NativeFacts& facts() const { return facts_; }

 private:
  static constexpr unsigned kMostPasses = 5;
  enum class Step { kHead, kSegments, kDynamic, kVersions, kDone };
  struct Segment {
    std::uint64_t offset, address, size;
  };

  void ReadHead();
  void ReadElf();
  void ReadPe();
  void Want(std::uint64_t offset, std::uint64_t length, Step step);
  void Captured();
  void ReadSegments();
  void ReadDynamic();
  void ReadVersions();

  bool versions_;
  NativeFacts facts_;
  std::vector<Byte> held_;  // the head, or the range that is wanted
  bool have_head_ = false;
  bool wanted_ = false;
  Step step_ = Step::kHead;
  std::uint64_t want_offset_ = 0, want_length_ = 0;
  std::uint64_t at_ = 0;  // in the file
  unsigned passes_ = 0;
  std::vector<Byte> head_;
  std::vector<Segment> segments_;
  std::uint64_t dynamic_offset_ = 0, dynamic_size_ = 0;
};

}  // namespace wheelwright
