// An open file by the calls of the system: the one place where files know which system it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

// A path of this program as the system takes it.
std::filesystem::path PathOf(const std::string& utf8);

struct FileFacts {
  std::uint64_t size = 0;  // in bytes
  // Another one for every file that is put in this one's place, and whenever this one is written.
  std::string identity;
};

// Of a regular file; nothing when there is none.
std::optional<FileFacts> LookAtFile(const std::string& path);

// Closed at the end of its life. Reading and writing at a place need no lock.
class FileHandle {
 public:
  enum class For : std::uint8_t {
    kReading,  // a regular file; others are refused
    kNewFile,  // emptied when it is there, made when it is missing
    kKept,     // the same, and what is in it stays
  };

  // Holds nothing when it fails; `problem` says why then.
  FileHandle(const std::string& path, For what, std::string& problem);
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&&) = delete;
  ~FileHandle();

  bool open() const { return handle_ != kNone; }
  void Close();
  // In bytes, as it was when it was opened.
  std::uint64_t size() const { return size_; }
  // All of it or false. LastProblem() says why, in the same thread.
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const;
  bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) const;
  // What was written survives the end of this program.
  bool Flush() const;
  // Waits until no other program, and no other handle of this one, has it locked.
  bool Lock() const;
  static std::string LastProblem();

 private:
  static constexpr std::intptr_t kNone = -1;  // of both systems

  std::intptr_t handle_ = kNone;
  std::uint64_t size_ = 0;
};

}  // namespace wheelwright
