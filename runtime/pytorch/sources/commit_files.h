// Reads single files of commits without a clone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Fetches trees of commits, and only the files that are read, into a temporary folder, which the
// destructor removes.
class CommitFiles {
 public:
  explicit CommitFiles(Runner& runner) : runner_(runner) {}
  ~CommitFiles();
  CommitFiles(const CommitFiles&) = delete;
  CommitFiles& operator=(const CommitFiles&) = delete;

  // Fetches the commit's tree. On failure logs an error and returns false.
  bool Fetch(const std::string& repository, const std::string& commit);

  // A file of a fetched commit; nothing when the commit does not have it. On failure logs an error,
  // and failed() is true from then on.
  std::optional<std::string> Read(const std::string& repository, const std::string& commit,
                                  const std::string& path);
  bool failed() const { return failed_; }

 private:
  // The bare repository for an address; "" after a failure.
  std::string FolderOf(const std::string& repository);

  Runner& runner_;
  std::string root_;
  std::vector<std::pair<std::string, std::string>> folders_;  // by address
  std::vector<std::pair<std::string, std::string>> fetched_;  // address, commit
  bool failed_ = false;
};

}  // namespace wheelwright
