// Files for stores: written by several threads, replaced in one step, locked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/platform/byte_source.h"
#include "base/platform/file_handle.h"

namespace wheelwright {

// A new file that several threads write. It has a temporary name until Commit(); without Commit()
// it is deleted.
class FileSink {
 public:
  virtual ~FileSink() = default;

  // False when the device is full or fails; problem() says why then.
  virtual bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) = 0;
  // Reads what was written. False on failure.
  virtual bool ReadBack(std::uint64_t offset, std::span<Byte> out) const = 0;
  // Replaces the file at its path in one step. Call it after all writing has returned.
  virtual bool Commit() = 0;
  virtual std::string problem() const = 0;
};

// `temporary` is the name until then, on the same disk as `path`. Makes missing folders. Nothing
// when the file cannot be made; `problem` says why.
std::unique_ptr<FileSink> OpenFileSink(const std::string& temporary, const std::string& path,
                                       std::string& problem);

// A lock between programs and threads. Makes the file when it is missing. The system releases the
// lock when the program ends, even by a crash.
class FileLock {
 public:
  // Waits until no other has the lock; calls `on_wait` before the first wait. When the file cannot
  // be made or a signal ends this program, it is not locked and problem() says why.
  explicit FileLock(const std::string& path, const std::function<void()>& on_wait = {});
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  const std::string& problem() const { return problem_; }

 private:
  std::optional<FileHandle> file_;
  std::string problem_;
};

}  // namespace wheelwright
