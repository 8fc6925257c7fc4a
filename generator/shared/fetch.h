// Takes the templates of other projects out of their repositories, by git.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/run_program.h"
#include "generator/shared/lock.h"
#include "generator/shared/sources.h"

namespace wheelwright {

// More than that is not fetched of one repository.
inline constexpr std::size_t kMostSharedFiles = 1000;
inline constexpr std::size_t kMostSharedBytes = std::size_t{16} << 20;

struct FetchedFile {
  LockedFile file;
  std::string text;
};

// One row's repository, of which a temporary copy holds what is needed.
class SharedRepository {
 public:
  SharedRepository(const RemoteTemplates& row, Diagnostics& diagnostics)
      : row_(row), diagnostics_(diagnostics) {}

  // The commit that the ref is now, asked of the remote. "" after a report (fetch-failed).
  std::string CommitOfRef();
  // The files of the commit that the row takes, sorted by path. Nothing after a report:
  // fetch-failed, unknown-shared-file, too-many-shared-files.
  std::optional<std::vector<FetchedFile>> FilesOf(const std::string& commit);

 private:
  std::optional<std::string> Git(std::vector<std::string> words);
  bool Get(const std::string& commit);
  void Fail(std::string message, std::string hint = {});

  const RemoteTemplates& row_;
  Diagnostics& diagnostics_;
  TemporaryFolder folder_;
  std::string problem_;  // what git said last
};

}  // namespace wheelwright
