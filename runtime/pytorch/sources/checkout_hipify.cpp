// Hipify, as a part of a checkout or alone.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/pytorch/sources/checkout.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

constexpr std::string_view kHipifyScript = "tools/amd_build/build_amd.py";

}  // namespace

bool Checkout::HasHipify() const {
  return Exists(fmt::format("{}/{}", request_.folder, kHipifyScript));
}

bool Checkout::RunHipify() {
  if (runner_.dry_run()) return Hipify();
  if (!Exists(request_.folder + "/.git")) {
    runner_.log().Error("`wheelrun checkout` creates it",
                        fmt::format("{} is no checkout", request_.folder));
    return false;
  }
  if (!HasHipify()) {
    runner_.log().Error(fmt::format("there is no {} in it", kHipifyScript),
                        fmt::format("{} cannot be hipified", request_.project));
    return false;
  }
  std::string state = ReadState();
  if (!BeginHipify(state)) return false;
  const std::string head = Head();
  const auto tagged = runner_.Try(
      GitStep("tag", request_.folder, {"rev-parse", "--quiet", "--verify", TagRef(kHipifyTag)}));
  if (tagged && Trim(*tagged) == head) {
    runner_.log().Say(fmt::format("{} is hipified already", request_.project));
    return true;
  }
  std::vector<std::string> folders = SubmoduleFolders();
  folders.push_back(request_.folder);
  for (const std::string& folder : folders) {
    // The only record of the previous commit of a manual clone.
    const bool there =
        runner_
            .Try(GitStep("tag", folder, {"rev-parse", "--quiet", "--verify", TagRef(kUpstreamTag)}))
            .has_value();
    if (!there &&
        !runner_.Run(GitStep(Title("tag"), folder, {"update-ref", TagRef(kUpstreamTag), "HEAD"}))) {
      return false;
    }
    if (!HideSubmodules(folder)) return false;
  }
  if (!WriteState(std::string(kHipifying) + state) || !Hipify()) return false;
  if (!WriteState(HipifiedState(state, head))) return false;
  runner_.log().Say(fmt::format("{} is hipified", request_.project));
  return true;
}

// Drops the changes of an interrupted call and sets `state` to the state before it.
bool Checkout::BeginHipify(std::string& state) {
  DropLocks();
  if (state == kBusy) {
    runner_.log().Error("`wheelrun checkout` goes on with it",
                        fmt::format("a checkout of {} was interrupted", request_.project));
    return false;
  }
  if (state.starts_with(kHipifying)) {
    if (!TidyUp()) return false;
    state.erase(0, kHipifying.size());
    return WriteState(state);
  }
  std::vector<std::string> folders = SubmoduleFolders();
  folders.push_back(request_.folder);
  for (const std::string& folder : folders) {
    if (IsClean(folder)) continue;
    runner_.log().Error("commit or stash them: hipify's commit must only contain its own changes",
                        fmt::format("{} has uncommitted changes", folder));
    return false;
  }
  return true;
}

// The state that `wheelrun checkout` would leave if it had hipified `head`.
std::string Checkout::HipifiedState(std::string state, const std::string& head) {
  if (state.find(fmt::format("head {}\n", head)) == std::string::npos) return state;
  const auto replace = [&](std::string_view key, const std::string& value) {
    const std::size_t at = state.find(key);
    if (at == std::string::npos) return;
    state.replace(at, state.find('\n', at) - at, std::string(key) + value);
  };
  replace("head ", Head());
  replace("hipify ", "true");
  return state;
}

bool Checkout::Hipify() {
  if (!runner_.dry_run() && !HasHipify()) return true;
  if (!runner_.Run({.title = Title("hipify"),
                    .arguments = {request_.python, std::string(kHipifyScript)},
                    .folder = request_.folder,
                    .variables = {{"PYTHONUTF8", "1"}},
                    .limit = std::chrono::hours(1)})) {
    return false;
  }
  // Inner submodules first, because outer ones record their commits.
  std::vector<std::string> folders = SubmoduleFolders();
  std::ranges::reverse(folders);
  folders.push_back(request_.folder);
  return std::ranges::all_of(folders, [&](const std::string& folder) { return Commit(folder); });
}

bool Checkout::Commit(const std::string& folder) {
  if (!runner_.dry_run() && IsClean(folder)) return true;
  const auto time =
      runner_.Ask(GitStep(Title("date"), folder, {"log", "-1", "--format=%ct", "HEAD"}), "TIME");
  if (!time) return false;
  Step commit = GitStep(Title("commit what hipify did in"), folder,
                        {"-c", "commit.gpgSign=false", "commit", "--quiet", "--no-verify",
                         "--message", std::string(kHipifyMessage)});
  // The same sources give the same commit everywhere.
  for (const std::string_view who : {"AUTHOR", "COMMITTER"}) {
    commit.variables.emplace_back(fmt::format("GIT_{}_NAME", who), "wheelrun");
    commit.variables.emplace_back(fmt::format("GIT_{}_EMAIL", who), "wheelrun@localhost");
    commit.variables.emplace_back(fmt::format("GIT_{}_DATE", who),
                                  fmt::format("@{} +0000", Trim(*time)));
  }
  return runner_.Run(GitStep(Title("add what hipify did in"), folder, {"add", "--all"})) &&
         runner_.Run(commit) &&
         runner_.Run(GitStep(Title("tag"), folder, {"update-ref", TagRef(kHipifyTag), "HEAD"}));
}

}  // namespace wheelwright
