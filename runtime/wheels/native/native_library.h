// Reads the machine of a shared object or program, and the versions of system libraries that it
// needs, from a stream: large libraries are never held in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/wheels/native/elf.h"

namespace wheelwright {

struct NativeFacts {
  ObjectFormat format = ObjectFormat::kNone;
  unsigned bits = 0;     // 32 or 64; 0 where the header is broken
  unsigned machine = 0;  // e_machine of ELF, Machine of PE
  bool little_endian = true;
  // The versions of glibc and libstdc++ that it needs at run time, in ascending order each:
  // "GLIBC_2.28", "GLIBCXX_3.4.24". ELF only, and only versions that this program knows.
  std::vector<std::string> needed_versions;
  std::string problem;  // why it is no valid shared object although it has the magic number, or ""
};

inline constexpr unsigned kPeAmd64 = 0x8664;

// Whether the name is that of a shared object: "libc10.so", "libuv.so.1", "_C.pyd".
bool IsLibraryName(std::string_view path);

// Feed it the file from the front. The tables may be in any order, so it may need several passes:
// while wants_pass(), call Restart() and feed the file again.
class NativeProbe {
 public:
  // `versions`: also read the symbol versions, which may take more passes.
  explicit NativeProbe(bool versions) : versions_(versions) {}

  void Feed(std::span<const Byte> bytes);
  // At the end of a pass.
  void EndPass();
  bool wants_pass() const { return wanted_ && passes_ < kMostPasses; }
  void Restart();
  // Whether it needs no more bytes of this pass.
  bool idle() const { return have_head_ && !wanted_; }

  const NativeFacts& facts() const { return facts_; }

 private:
  static constexpr unsigned kMostPasses = 5;
  enum class Step { kHead, kSegments, kDynamic, kVersions, kDone };

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
  std::vector<ElfSegment> segments_;  // those that are loaded
};

}  // namespace wheelwright
