#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/platform/files.h"

namespace wheelwright {

namespace fs = std::filesystem;

std::filesystem::path SystemPath(std::string_view utf8) { return utf8; }

std::string PathText(const std::filesystem::path& path) { return path.string(); }

StreamFile OpenToRead(const std::string& path, std::error_code& error) {
  // Of any other file than a pipe the flag changes nothing.
  const int handle = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (handle >= 0) ::fcntl(handle, F_SETFL, ::fcntl(handle, F_GETFL) & ~O_NONBLOCK);
  StreamFile file(handle >= 0 ? ::fdopen(handle, "rb") : nullptr);
  if (!file) error.assign(errno, std::generic_category());
  return file;
}

StreamFile OpenToWrite(const std::string& path, bool append, std::error_code& error) {
  StreamFile file(std::fopen(path.c_str(), append ? "ab" : "wb"));
  if (!file) error.assign(errno, std::generic_category());
  return file;
}

bool TryLock(std::FILE* file) { return ::flock(::fileno(file), LOCK_EX | LOCK_NB) == 0; }

void PutInPlace(const std::string& from, const std::string& to, std::error_code& error) {
  fs::rename(from, to, error);
}

std::string ReasonFor(const std::error_code& error, const std::string& /*path*/) {
  return error.message();
}

void RemoveAll(const std::string& path, std::error_code& error) { fs::remove_all(path, error); }

std::string MakeTemporaryFolder(std::string_view prefix) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / prefix).string() + "-XXXXXX";
  return !error && mkdtemp(name.data()) != nullptr ? name : std::string();
}

}  // namespace wheelwright
