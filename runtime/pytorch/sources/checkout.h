// Checks out the sources of one project: a commit with submodules, ready to build.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// The tags of the original sources and of those after hipify, also in each submodule.
inline constexpr std::string_view kUpstreamTag = "THEROCK_UPSTREAM_DIFFBASE";
inline constexpr std::string_view kHipifyTag = "THEROCK_HIPIFY_DIFFBASE";
// "refs/tags/" and the name.
std::string TagRef(std::string_view tag);
inline constexpr std::string_view kHipifyMessage = "DO NOT SUBMIT: HIPIFY";

// The first line of the state file during a checkout, and during hipify alone; then the previous
// state follows.
inline constexpr std::string_view kBusy = "busy\n";
inline constexpr std::string_view kHipifying = "hipifying\n";

struct CheckoutRequest {
  std::string project;  // "torch"
  std::string repository;
  std::string commit;
  std::string folder;     // absolute
  std::size_t jobs = 10;  // submodules fetched in parallel
  std::size_t depth = 1;  // commits of history; 0: all of it
  bool submodules = true;
  bool hipify = false;
  std::string python;  // runs hipify
};

// Checks out into a folder in any state: missing, from an earlier run (finished or killed), or with
// manual changes, which are kept by `git stash`. Refuses a folder that is no checkout.
class Checkout {
 public:
  Checkout(CheckoutRequest request, Runner& runner)
      : request_(std::move(request)), runner_(runner) {}

  // On failure logs an error and returns false; a repetition resumes.
  bool Run();

  // Hipifies an existing checkout, made by Run() without hipify or by hand. Refuses a folder with
  // uncommitted changes, because hipify's commit must have only its own.
  bool RunHipify();
  // Whether the project has the hipify script.
  bool HasHipify() const;

 private:
  bool PrepareFolder();
  void DropLocks();
  std::string ReadState() const;
  bool WriteState(const std::string& state);
  std::string DoneState(const std::string& head) const;
  bool IsDone();
  bool TidyUp();
  bool PutAside(const std::string& folder);
  bool KeepCommits();
  bool Fetch();
  bool CheckOut();
  bool UpdateSubmodules();
  void DropBrokenSubmodules();
  bool ShowSubmodules(const std::string& folder);
  bool HideSubmodules(const std::string& folder);
  bool WriteBuildEnvironment();
  bool BeginHipify(std::string& state);
  std::string HipifiedState(std::string state, const std::string& head);
  bool Hipify();
  bool Commit(const std::string& folder);

  // Also true for a dangling link.
  std::string Head();
  bool IsClean(const std::string& folder);
  // Folders of the submodules, recursively, parents first.
  std::vector<std::string> SubmoduleFolders();
  void AddSubmodulesOf(const std::string& outer, std::vector<std::string>& folders);
  // The folder of git's own files; "": none.
  std::string RepositoryOf(const std::string& folder) const;
  std::vector<std::string> Gitlinks(const std::string& folder);
  // Names and paths of the submodules in .gitmodules.
  std::vector<std::pair<std::string, std::string>> Modules(const std::string& folder);
  bool Git(std::string_view what, std::vector<std::string> arguments);
  std::string Title(std::string_view what) const;

  CheckoutRequest request_;
  Runner& runner_;
};

}  // namespace wheelwright
