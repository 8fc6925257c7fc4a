// Reads the machine of a shared object, DLL or program, the libraries and versions that it needs,
// and where it looks for them, from a stream: large libraries are never held in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/wheels/native/elf.h"

namespace wheelwright {

// A version of a library's symbols: GLIBC_2.28 of libc.so.6.
// https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html
struct NeededVersion {
  std::string library, version;

  friend auto operator<=>(const NeededVersion&, const NeededVersion&) = default;
};

struct NativeFacts {
  ObjectFormat format = ObjectFormat::kNone;
  unsigned bits = 0;     // 32 or 64; 0 where the header is broken
  unsigned machine = 0;  // e_machine of ELF, Machine of PE
  bool little_endian = true;
  // DT_NEEDED of ELF, the imports of PE; in their order.
  std::vector<std::string> libraries;
  // PE only: what is loaded when it is first called.
  // https://learn.microsoft.com/windows/win32/debug/pe-format#delay-load-import-tables-image-only
  std::vector<std::string> delayed;
  // ELF for a processor only.
  // https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html
  std::string name;                        // DT_SONAME, or ""
  std::vector<NeededVersion> versions;     // sorted
  std::optional<std::string> search_path;  // DT_RUNPATH, else DT_RPATH: folders with `:` between
  bool executable_stack = false;
  bool writable_code = false;  // a segment that is both writable and executable
  bool cut = false;            // whether it needs more than is kept of it
  std::string problem;  // why it is no valid shared object although it has the magic number, or ""

  std::size_t Names() const;  // bytes of memory that the names take
  friend bool operator==(const NativeFacts&, const NativeFacts&) = default;
};

inline constexpr unsigned kPeAmd64 = 0x8664, kPeI386 = 0x014C, kPeAArch64 = 0xAA64;

// Whether the name is that of a shared object: "libc10.so", "libuv.so.1", "_C.pyd".
bool IsLibraryName(std::string_view path);

// Feed it the file from the front. The tables may be in any order, so it may need several passes:
// while wants_pass(), call Restart() and feed the file again.
class NativeProbe {
 public:
  // `names`: also read what it needs, which may take more passes.
  explicit NativeProbe(bool names) : names_(names) {}

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
  enum class Step { kSegments, kDynamic, kVersions, kImports, kDelayed, kStrings };

  // A string in the file, up to a zero byte.
  struct Wanted {
    enum class What : std::uint8_t {
      kName,
      kLibrary,
      kDelayed,
      kSearchPath,
      kVersion,
      kVersionLibrary
    };

    What what = What::kName;
    std::uint64_t offset = 0;  // into the table of strings; later, into the file
    std::size_t version = 0;   // index of facts_.versions
    std::string text{};
    bool done = false;
  };

  void ReadHead();
  void ReadElf();
  void ReadPe();
  void Want(std::uint64_t offset, std::uint64_t length, Step step);
  void Captured();
  void ReadSegments();
  void ReadDynamic();
  void ReadVersions();
  void ReadImports();
  void WantImports(Step step);
  void WantStrings();
  void CaptureStrings(std::span<const Byte> bytes, std::uint64_t begin);
  // The offset in the file of what is loaded at an address, and how many bytes of its segment
  // follow.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> Find(std::uint64_t address) const;

  bool names_;
  NativeFacts facts_;
  std::vector<Byte> held_;  // the head, or the range that is wanted
  bool have_head_ = false;
  bool wanted_ = false;
  Step step_ = Step::kSegments;
  std::uint64_t want_offset_ = 0, want_length_ = 0;
  std::uint64_t at_ = 0;  // in the file
  unsigned passes_ = 0;
  std::vector<Byte> head_;
  std::vector<ElfSegment> segments_;         // those that are loaded; of PE, the sections
  std::uint64_t imports_ = 0, delayed_ = 0;  // addresses of the tables of PE, or 0
  std::uint64_t strings_address_ = 0, strings_size_ = 0;
  std::vector<Wanted> strings_;
};

}  // namespace wheelwright
