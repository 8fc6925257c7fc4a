// Single files of commits, without a clone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Keeps what it fetches in a temporary folder until it is destroyed: of each commit its folders,
// and of files only those that are read.
class CommitFiles {
 public:
  explicit CommitFiles(Runner& runner) : runner_(runner) {}
  ~CommitFiles();
  CommitFiles(const CommitFiles&) = delete;
  CommitFiles& operator=(const CommitFiles&) = delete;

  // Makes the commit's list of files known. False: that failed, which was said.
  bool Fetch(const std::string& repository, const std::string& commit);

  // A file of a commit that was fetched; nothing when the commit has no such file. When reading it
  // failed, which was said, `failed()` is true from then on.
  std::optional<std::string> Read(const std::string& repository, const std::string& commit,
                                  const std::string& path);
  bool failed() const { return failed_; }

 private:
  // The bare repository for what comes from an address; "" after a failure.
  std::string FolderOf(const std::string& repository);

  Runner& runner_;
  std::string root_;
  std::vector<std::pair<std::string, std::string>> folders_;  // by address
  std::vector<std::pair<std::string, std::string>> fetched_;  // address, commit
  bool failed_ = false;
};

}  // namespace wheelwright
