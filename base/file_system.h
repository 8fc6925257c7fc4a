// The interface to files; tests replace it to see what is read and written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The file's bytes, or nothing when there is no such file. Throws FileError when it cannot be
  // read.
  virtual std::optional<std::string> Read(const std::string& path) = 0;
  // Names (not paths) of the regular files in a folder, sorted; empty when there is no such folder.
  virtual std::vector<std::string> List(const std::string& folder) = 0;
  // Names of the folders in a folder, sorted. A link to one of its own parent folders is left out.
  virtual std::vector<std::string> ListFolders(const std::string& folder) = 0;
  // Replaces the file in one step: a reader sees the old bytes or the new ones, never a part. Makes
  // the folder when it is missing. Throws FileError.
  virtual void Write(const std::string& path, std::string_view text) = 0;
  // Adds to the end of a file, which is made when it is missing. Throws FileError.
  virtual void Append(const std::string& path, std::string_view text) = 0;
  // Removes the temporary files of writers that were killed, but not of those that still run.
  virtual void RemoveLeftovers(const std::string& /*folder*/) {}
  // Throws FileError.
  virtual void Remove(const std::string& path) = 0;
};

// An error of the operating system. `what()` names the path, the reason, and what to do.
class FileError : public std::exception {
 public:
  explicit FileError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// The files of this machine. Stateless.
FileSystem& RealFileSystem();

}  // namespace wheelwright
