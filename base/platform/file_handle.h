// An open file, by calls of the operating system.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/platform/byte_source.h"

namespace wheelwright {

struct FileFacts {
  std::uint64_t size = 0;  // in bytes
  // Changes when the file is replaced or written.
  std::string identity;
};

// The facts of a regular file; nothing when there is none.
std::optional<FileFacts> LookAtFile(const std::string& path);

// An open file, closed by the destructor. ReadAt() and WriteAt() are safe to call from several
// threads.
class FileHandle {
 public:
  enum class For : std::uint8_t {
    kReading,  // a regular file; others are refused
    kNewFile,  // truncated, or made when it is missing
    kKept,     // the same, but keeps its contents
  };

  // When opening fails, open() is false and `problem` says why.
  FileHandle(const std::string& path, For what, std::string& problem);
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&&) = delete;
  ~FileHandle();

  bool open() const { return handle_ != kNone; }
  void Close();
  // In bytes, at the time of opening.
  std::uint64_t size() const { return size_; }
  // Reads or writes all bytes. False on failure; LastProblem() then says why, in the same thread.
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const;
  bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) const;
  // Makes sure that written bytes survive the end of this program.
  bool Flush() const;
  enum class Locking : std::uint8_t { kDone, kTaken, kFailed };
  // kTaken: by another program, or by another handle of this one. kFailed: LastProblem() says why.
  Locking TryLock() const;
  static std::string LastProblem();

 private:
  static constexpr std::intptr_t kNone = -1;  // of both systems

  std::intptr_t handle_ = kNone;
  std::uint64_t size_ = 0;
};

}  // namespace wheelwright
