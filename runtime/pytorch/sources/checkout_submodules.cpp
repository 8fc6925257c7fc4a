// The submodules of a checkout, recursively.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/pytorch/sources/checkout.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// Whether a submodule's name stays in git's own folder.
bool IsName(std::string_view name) {
  return std::ranges::none_of(Split(name, '/'), [](std::string_view part) {
    return part.empty() || part == "." || part == ".." || part.find('\\') != part.npos;
  });
}

}  // namespace

// `git submodule foreach` would start a shell and a dozen programs in each folder, even without
// submodules.
std::vector<std::string> Checkout::SubmoduleFolders() {
  std::vector<std::string> folders;
  AddSubmodulesOf(request_.folder, folders);
  return folders;
}

void Checkout::AddSubmodulesOf(const std::string& outer, std::vector<std::string>& folders) {
  for (const std::string& path : Gitlinks(outer)) {
    const std::string folder = fmt::format("{}/{}", outer, path);
    if (RepositoryOf(folder).empty()) continue;
    folders.push_back(folder);
    AddSubmodulesOf(folder, folders);
  }
}

// As `git submodule` decides: a folder with a repository, or with a file that names one.
std::string Checkout::RepositoryOf(const std::string& folder) const {
  constexpr std::string_view kBegin = "gitdir:";
  std::string link = folder + "/.git";
  if (IsFolder(link)) return link;
  const std::string text = runner_.host().files.Read(link).value_or(std::string());
  if (!text.starts_with(kBegin)) return {};
  const std::string_view of = Trim(std::string_view(text).substr(kBegin.size()));
  std::string named = PathText(SystemPath(folder) / SystemPath(std::string(of)));
  return IsFolder(named) ? named : std::string();
}

std::vector<std::string> Checkout::Gitlinks(const std::string& folder) {
  constexpr std::string_view kMode = "160000 ";
  std::vector<std::string> paths;
  // Most folders have none, and git need not be asked. Who removed the file still has the others.
  if (!Exists(folder + "/.gitmodules") && !Exists(RepositoryOf(folder) + "/modules")) return paths;
  const auto output =
      runner_.Try(GitStep("list submodules", folder, {"ls-files", "--stage", "-z"}));
  if (!output) return paths;
  for (const std::string_view entry : Split(*output, '\0')) {
    const std::size_t tab = entry.find('\t');
    if (entry.starts_with(kMode) && tab != std::string_view::npos) {
      paths.emplace_back(entry.substr(tab + 1));
    }
  }
  return paths;
}

std::vector<std::pair<std::string, std::string>> Checkout::Modules(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> modules;
  const std::string listed = runner_
                                 .Try(GitStep("list submodules", folder,
                                              {"config", "-z", "--file", ".gitmodules",
                                               "--get-regexp", "^submodule\\..*\\.path$"}))
                                 .value_or(std::string());
  for (const std::string_view entry : Split(listed, '\0')) {
    constexpr std::string_view kBegin = "submodule.";
    constexpr std::string_view kEnd = ".path";
    const std::size_t line = entry.find('\n');
    if (line == std::string_view::npos) continue;
    std::string_view name = entry.substr(0, line);
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) continue;
    name = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    modules.emplace_back(name, entry.substr(line + 1));
  }
  return modules;
}

// git skips submodules with `ignore`, so unset it.
bool Checkout::ShowSubmodules(const std::string& folder) {
  const std::vector<std::string> paths = Gitlinks(folder);
  if (paths.empty()) return true;
  std::vector<std::string> arguments{"update-index", "--no-skip-worktree", "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return runner_.Run(GitStep(Title("show submodules of"), folder, std::move(arguments)));
}

// Hipify changes submodules too, which must not count as changes of the outer repository.
bool Checkout::HideSubmodules(const std::string& folder) {
  const std::vector<std::string> paths = Gitlinks(folder);
  if (paths.empty()) return true;
  for (const auto& [name, path] : Modules(folder)) {
    if (!runner_.Run(GitStep(Title("ignore submodules of"), folder,
                             {"config", fmt::format("submodule.{}.ignore", name), "all"}))) {
      return false;
    }
  }
  std::vector<std::string> arguments{"update-index", "--skip-worktree", "--"};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  return runner_.Run(GitStep(Title("hide submodules of"), folder, std::move(arguments)));
}

// git takes a partial clone for a complete one and fails every time.
void Checkout::DropBrokenSubmodules() {
  const fs::path folder = SystemPath(request_.folder);
  for (const std::string& path : Gitlinks(request_.folder)) {
    for (const auto& [name, of] : Modules(request_.folder)) {
      const fs::path store = folder / ".git" / "modules" / SystemPath(name);
      const fs::path there = folder / SystemPath(path);
      if (of != path || !IsName(name) || !Exists(PathText(store))) continue;
      const bool is_there = Exists(PathText(there / ".git"));
      const std::string at = PathText(is_there ? there : store);
      const auto head =
          runner_.Try(GitStep("look", at, {"rev-parse", "--quiet", "--verify", "HEAD^{commit}"}));
      // `status` does not show a nested submodule without a commit.
      const auto good = [&](std::vector<std::string> words) {
        return runner_.Try(GitStep("look", at, std::move(words))).has_value();
      };
      const bool whole =
          head && (!is_there || (good({"submodule", "status", "--recursive"}) &&
                                 good({"submodule", "--quiet", "foreach", "--quiet", "--recursive",
                                       "git rev-parse --quiet --verify 'HEAD^{commit}'"})));
      if (whole) continue;
      std::error_code ignored;
      RemoveAll(PathText(there), ignored);
      RemoveAll(PathText(store), ignored);
      runner_.log().Say(fmt::format("{} was cloned incompletely; starting again", path));
    }
  }
}

bool Checkout::UpdateSubmodules() {
  if (!runner_.dry_run()) {
    if (!Exists(request_.folder + "/.gitmodules")) return true;
    DropBrokenSubmodules();
  }
  std::vector<std::string> update{
      "submodule",   "--quiet", "update", "--init",
      "--recursive", "--force", "--jobs", std::to_string(request_.jobs)};
  if (request_.depth > 0) {
    update.insert(update.end(), {"--depth", std::to_string(request_.depth)});
  }
  // `update` takes the addresses of .gitmodules, but not for a submodule that has one already.
  const std::string config =
      runner_.host().files.Read(request_.folder + "/.git/config").value_or(std::string());
  const bool has_addresses = config.find("[submodule ") != std::string::npos;
  if ((has_addresses &&
       !Git("set addresses of submodules of", {"submodule", "--quiet", "sync", "--recursive"})) ||
      !runner_.Run(
          GitNetworkStep(Title("fetch submodules of"), request_.folder, std::move(update)))) {
    return false;
  }
  const std::string tag = fmt::format("git update-ref {} HEAD && git update-ref -d {}",
                                      TagRef(kUpstreamTag), TagRef(kHipifyTag));
  if (!Git("tag submodules of",
           {"submodule", "--quiet", "foreach", "--quiet", "--recursive", tag})) {
    return false;
  }
  if (runner_.dry_run()) return true;
  std::vector<std::string> folders = SubmoduleFolders();
  folders.push_back(request_.folder);
  return std::ranges::all_of(folders,
                             [&](const std::string& folder) { return HideSubmodules(folder); });
}

}  // namespace wheelwright
