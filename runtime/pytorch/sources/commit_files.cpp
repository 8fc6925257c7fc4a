#include "runtime/pytorch/sources/commit_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <system_error>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

std::string MakeTemporaryFolder(const Host& host) {
  std::error_code error;
  std::filesystem::path base = SystemPath(host.Variable("RUNNER_TEMP"));
  if (base.empty()) base = std::filesystem::temp_directory_path(error);
  std::random_device device;
  const auto folder = std::filesystem::absolute(base, error) /
                      fmt::format("wheelrun-{:08x}{:08x}", device(), device());
  MakeFolders(PathText(folder), error);
  if (error) return {};
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  return PathText(folder);
}

}  // namespace

CommitFiles::~CommitFiles() {
  if (root_.empty()) return;
  std::error_code ignored;
  RemoveAll(root_, ignored);
}

std::string CommitFiles::FolderOf(const std::string& repository) {
  const auto known =
      std::ranges::find_if(folders_, [&](const auto& pair) { return pair.first == repository; });
  if (known != folders_.end()) return known->second;
  if (root_.empty()) root_ = MakeTemporaryFolder(runner_.host());
  if (root_.empty()) {
    runner_.log().Error("neither RUNNER_TEMP nor the system's temporary folder can be written to",
                        "cannot make a temporary folder");
    return {};
  }
  std::string folder = fmt::format("{}/{}", root_, folders_.size());
  // git fetches missing files later from a named remote.
  if (!runner_.Run(GitStep("make a repository", root_, {"init", "--quiet", "--bare", folder})) ||
      !runner_.Run(
          GitStep("name its remote", folder, {"config", "remote.origin.url", repository}))) {
    return {};
  }
  folders_.emplace_back(repository, folder);
  return folder;
}

bool CommitFiles::Fetch(const std::string& repository, const std::string& commit) {
  const std::pair<std::string, std::string> key(repository, commit);
  if (std::ranges::find(fetched_, key) != fetched_.end()) return true;
  const std::string folder = FolderOf(repository);
  if (folder.empty() ||
      !runner_.Run(GitNetworkStep(
          fmt::format("read {} at {}", ShortRepository(repository), commit.substr(0, 12)), folder,
          {"fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "--", "origin",
           commit}))) {
    failed_ = true;
    return false;
  }
  fetched_.push_back(key);
  return true;
}

std::optional<std::string> CommitFiles::Read(const std::string& repository,
                                             const std::string& commit, const std::string& path) {
  if (failed_) return std::nullopt;
  const std::string folder = FolderOf(repository);
  const std::string title =
      fmt::format("read {} of {} at {}", path, ShortRepository(repository), commit.substr(0, 12));
  const auto listed =
      runner_.Ask(GitStep(title, folder, {"ls-tree", "-z", "--full-tree", commit, "--", path}));
  if (!listed) {
    failed_ = true;
    return std::nullopt;
  }
  if (listed->empty()) return std::nullopt;
  const auto text = runner_.Ask(
      GitNetworkStep(title, folder, {"cat-file", "blob", fmt::format("{}:{}", commit, path)}));
  if (!text) failed_ = true;
  return text;
}

}  // namespace wheelwright
