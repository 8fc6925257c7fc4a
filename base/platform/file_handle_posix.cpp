#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/platform/file_facts_posix.h"
#include "base/platform/file_handle.h"

namespace wheelwright {

std::string FileHandle::LastProblem() { return std::generic_category().message(errno); }

FileHandle::FileHandle(const std::string& path, For what, std::string& problem) {
  // Without O_NONBLOCK, opening a named pipe that nobody writes to would never end.
  const int how = what == For::kReading   ? O_RDONLY | O_NONBLOCK
                  : what == For::kNewFile ? O_RDWR | O_CREAT | O_TRUNC
                                          : O_RDWR | O_CREAT;
  handle_ = ::open(path.c_str(), how | O_CLOEXEC, 0666);
  struct stat facts{};
  if (!open() || fstat(static_cast<int>(handle_), &facts) != 0) {
    problem = LastProblem();
    Close();
    return;
  }
  if (what == For::kReading && !S_ISREG(facts.st_mode)) {
    problem = "it is not a regular file";
    Close();
    return;
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
}

void FileHandle::Close() {
  if (open()) ::close(static_cast<int>(std::exchange(handle_, kNone)));
}

bool FileHandle::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  while (!out.empty()) {
    const ssize_t got =
        pread(static_cast<int>(handle_), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool FileHandle::WriteAt(std::uint64_t offset, std::span<const Byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done =
        pwrite(static_cast<int>(handle_), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

// What the kernel holds survives everything but a machine that loses its power, and the job is gone
// with it.
bool FileHandle::Flush() const { return true; }

FileHandle::Locking FileHandle::TryLock() const {
  if (flock(static_cast<int>(handle_), LOCK_EX | LOCK_NB) == 0) return Locking::kDone;
  return errno == EWOULDBLOCK || errno == EINTR ? Locking::kTaken : Locking::kFailed;
}

FileFacts FactsOf(const struct stat& facts) {
  // Folders may have ten thousands of files.
  std::array<char, 3 * 20 + 2> text{};  // three numbers of 64 bits
  char* end = text.data();
  const auto add = [&](auto number) {
    end = std::to_chars(end, text.data() + text.size(), number).ptr;
  };
  add(facts.st_ino);
  *end++ = '-';
  add(facts.st_mtim.tv_sec);
  *end++ = '.';
  add(facts.st_mtim.tv_nsec);
  return {static_cast<std::uint64_t>(facts.st_size), std::string(text.data(), end)};
}

std::optional<FileFacts> LookAtFile(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return FactsOf(facts);
}

}  // namespace wheelwright
