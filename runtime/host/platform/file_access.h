// Files as stores need them: written from many places at once, locked, and told apart from the file
// that stood there before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/host/platform/byte_source.h"
#include "runtime/host/platform/file_handle.h"

namespace wheelwright {

// A new file that several threads fill. Until Commit() it has another name, and without it nothing
// is left of it.
class FileSink {
 public:
  virtual ~FileSink() = default;

  // False when the device is full or fails; problem() says why then.
  virtual bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) = 0;
  // What was written there. False when it cannot be read.
  virtual bool ReadBack(std::uint64_t offset, std::span<Byte> out) const = 0;
  // Puts it in the place of the file at its path, in one step, once all writing has returned.
  virtual bool Commit() = 0;
  virtual std::string problem() const = 0;
};

// `temporary` is the name it has until then, on the same disk as `path`. Folders are made where
// they are missing. Nothing when it cannot be made; `problem` says why.
std::unique_ptr<FileSink> OpenFileSink(const std::string& temporary, const std::string& path,
                                       std::string& problem);

// Held by one program, and one thread in it, at a time. The file is made when it is missing, and
// ends of programs, however sudden, let go of it.
class FileLock {
 public:
  // Waits. Nothing is held when the file cannot be made; problem() says why then.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  const std::string& problem() const { return problem_; }

 private:
  std::optional<FileHandle> file_;
  std::string problem_;
};

}  // namespace wheelwright
