#include "runtime/pytorch/sources/checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStateFile = ".git/wheelrun-checkout";
constexpr std::string_view kBuildEnvironment = "build_env.json";

}  // namespace

std::string TagRef(std::string_view tag) { return fmt::format("refs/tags/{}", tag); }

std::string Checkout::Title(std::string_view what) const {
  return fmt::format("{} {}", what, request_.project);
}

bool Checkout::Git(std::string_view what, std::vector<std::string> arguments) {
  return runner_.Run(GitStep(Title(what), request_.folder, std::move(arguments)));
}

bool Checkout::Run() {
  // First of all: a lock of the configuration would stop the preparation too.
  if (!runner_.dry_run()) DropLocks();
  if (!PrepareFolder()) return false;
  if (!runner_.dry_run()) {
    if (IsDone()) {
      runner_.log().Say(fmt::format("{} is at {} already", request_.project, request_.commit));
      return true;
    }
    if (!TidyUp() || !WriteState(std::string(kBusy))) return false;
  }
  if (!Fetch() || !CheckOut()) return false;
  if (request_.submodules && !UpdateSubmodules()) return false;
  if (request_.project == "triton" && !WriteBuildEnvironment()) return false;
  if (request_.hipify && !Hipify()) return false;
  if (runner_.dry_run()) return true;
  if (!WriteState(DoneState(Head()))) return false;
  runner_.log().Say(fmt::format("{} is at {}", request_.project, request_.commit));
  return true;
}

bool Checkout::PrepareFolder() {
  std::error_code error;
  if (!runner_.dry_run()) {
    MakeFolders(request_.folder, error);
    if (error) {
      runner_.log().Error(error.message(), fmt::format("cannot make {}", request_.folder));
      return false;
    }
    const bool is_checkout = IsFolder(request_.folder + "/.git");
    if (!is_checkout && !EntriesOf(request_.folder, error).empty()) {
      runner_.log().Error("move it away, or choose another --root",
                          fmt::format("{} has files but is not a checkout", request_.folder));
      return false;
    }
  }
  // Completes a partial repository, and does not change a complete one.
  return Git("make a repository for", {"init", "--quiet", "--initial-branch=main"}) &&
         Git("set the address of", {"config", "remote.origin.url", request_.repository}) &&
         Git("set branches of",
             {"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"}) &&
         Git("set up", {"config", "advice.detachedHead", "false"}) &&
         (!runner_.host().machine.windows ||
          Git("take long paths in", {"config", "core.longpaths", "true"}));
}

// A killed git leaves its locks. Only one job uses the folder at a time.
void Checkout::DropLocks() {
  std::error_code error;
  std::vector<std::string> locks;
  const auto visit = [&](const FolderEntry& entry) {
    if (entry.is_file && entry.name.ends_with(".lock")) locks.push_back(entry.path);
    return entry.name != "objects";
  };
  WalkBelow(request_.folder + "/.git", visit, error);
  for (const std::string& lock : locks) {
    RemoveFile(lock, error);
    runner_.log().Warning(fmt::format("removed {}, which an earlier run left behind",
                                      lock.substr(request_.folder.size() + 1)));
  }
}

std::string Checkout::ReadState() const {
  return runner_.host()
      .files.Read(fmt::format("{}/{}", request_.folder, kStateFile))
      .value_or(std::string());
}

bool Checkout::WriteState(const std::string& state) {
  runner_.host().files.Write(fmt::format("{}/{}", request_.folder, kStateFile), state);
  return true;
}

std::string Checkout::DoneState(const std::string& head) const {
  return fmt::format("commit {}\nhead {}\nrepository {}\nsubmodules {}\nhipify {}\n",
                     request_.commit, head, WithoutCredentials(request_.repository),
                     request_.submodules, request_.hipify);
}

std::string Checkout::Head() {
  const auto head = runner_.Try(
      GitStep("head", request_.folder, {"rev-parse", "--quiet", "--verify", "HEAD^{commit}"}));
  return head ? std::string(Trim(*head)) : std::string();
}

bool Checkout::IsClean(const std::string& folder) {
  const auto status = runner_.Try(
      GitStep("status", folder, {"status", "--porcelain", "-z", "--ignore-submodules=all"}));
  return status && status->empty();
}

bool Checkout::IsDone() {
  const std::string head = Head();
  if (head.empty() || ReadState() != DoneState(head) || !IsClean(request_.folder)) return false;
  if (!request_.submodules) return true;
  return std::ranges::all_of(SubmoduleFolders(),
                             [&](const std::string& folder) { return IsClean(folder); });
}

// Removes all files that the project does not have, except ignored ones.
bool Checkout::TidyUp() {
  if (Head().empty()) return true;
  if (const std::string state = ReadState(); state != kBusy && !state.starts_with(kHipifying)) {
    if (!KeepCommits()) return false;
    std::vector<std::string> folders = SubmoduleFolders();
    folders.push_back(request_.folder);
    return std::ranges::all_of(folders,
                               [&](const std::string& folder) { return PutAside(folder); });
  }
  runner_.log().Say(fmt::format("an earlier checkout of {} was interrupted", request_.project));
  // Later changes are by the interrupted run; drop them.
  runner_.Try(GitStep("tidy up", request_.folder,
                      {"submodule", "--quiet", "foreach", "--quiet", "--recursive",
                       "git reset --quiet --hard && git clean --quiet -ffd"}));
  return Git("tidy up", {"reset", "--quiet", "--hard"}) &&
         Git("tidy up", {"clean", "--quiet", "-ffd"});
}

bool Checkout::KeepCommits() {
  const std::string head = Head();
  for (const std::string_view tag : {kUpstreamTag, kHipifyTag}) {
    const auto at = runner_.Try(
        GitStep("tag", request_.folder, {"rev-parse", "--quiet", "--verify", TagRef(tag)}));
    if (at && Trim(*at) == head) return true;
  }
  const std::string ref = fmt::format("refs/wheelrun/kept/{}", head.substr(0, 12));
  if (!Git("keep commits of", {"update-ref", ref, head})) return false;
  runner_.log().Notice(
      fmt::format("{} was at {}, which is kept as {}", request_.project, head, ref));
  return true;
}

bool Checkout::PutAside(const std::string& folder) {
  if (IsClean(folder)) return true;
  Step step =
      GitStep(Title("stash changes of"), folder,
              {"-c", "user.name=wheelrun", "-c", "user.email=wheelrun@localhost", "stash", "push",
               "--quiet", "--include-untracked", "--message", "put aside by wheelrun checkout"});
  if (!runner_.Run(step)) return false;
  runner_.log().Notice(
      fmt::format("the changes in {} were stashed: `git stash pop` there restores them", folder));
  return true;
}

bool Checkout::Fetch() {
  if (!runner_.dry_run() &&
      runner_.Try(GitStep("look", request_.folder,
                          {"rev-parse", "--quiet", "--verify", request_.commit + "^{commit}"}))) {
    return true;
  }
  std::vector<std::string> arguments{"fetch", "--quiet", "--force", "--no-tags",
                                     "--no-recurse-submodules"};
  if (request_.depth > 0) arguments.push_back(fmt::format("--depth={}", request_.depth));
  arguments.insert(arguments.end(), {"--", "origin", request_.commit});
  return runner_.Run(GitNetworkStep(
      fmt::format("fetch {} at {}", ShortRepository(request_.repository), request_.commit),
      request_.folder, std::move(arguments)));
}

bool Checkout::CheckOut() {
  std::vector<std::string> before;
  if (!runner_.dry_run()) {
    before = Gitlinks(request_.folder);
    std::vector<std::string> folders = SubmoduleFolders();
    folders.push_back(request_.folder);
    if (!std::ranges::all_of(folders,
                             [&](const std::string& folder) { return ShowSubmodules(folder); })) {
      return false;
    }
  }
  if (!Git("check out", {"checkout", "--quiet", "--force", "--detach", request_.commit}) ||
      !Git("tag", {"update-ref", TagRef(kUpstreamTag), "HEAD"})) {
    return false;
  }
  if (!runner_.dry_run()) {
    runner_.Try(GitStep("tag", request_.folder, {"update-ref", "-d", TagRef(kHipifyTag)}));
  }
  // Folders of removed submodules would count as new files.
  const std::vector<std::string> now =
      before.empty() ? std::vector<std::string>() : Gitlinks(request_.folder);
  for (const std::string& path : before) {
    const fs::path folder = SystemPath(request_.folder) / SystemPath(path);
    if (std::ranges::find(now, path) != now.end() || !Exists(PathText(folder / ".git"))) continue;
    std::error_code ignored;
    RemoveAll(PathText(folder), ignored);
  }
  return true;
}

// The file is not committed, because Triton's version contains the commit.
bool Checkout::WriteBuildEnvironment() {
  if (runner_.dry_run()) return true;
  FileSystem& files = runner_.host().files;
  files.Write(fmt::format("{}/{}", request_.folder, kBuildEnvironment),
              "{\n  \"TRITON_WHEEL_VERSION_SUFFIX\": \"\"\n}\n");
  const std::string path = fmt::format("{}/.git/info/exclude", request_.folder);
  const std::string line = fmt::format("/{}\n", kBuildEnvironment);
  const std::string text = files.Read(path).value_or(std::string());
  if (text.find(line) == std::string::npos) {
    files.Write(path, text + (text.empty() || text.ends_with('\n') ? "" : "\n") + line);
  }
  return true;
}

}  // namespace wheelwright
