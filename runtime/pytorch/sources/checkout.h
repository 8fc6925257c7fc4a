// The sources of one project in a folder: at a commit, with submodules, ready to be built.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Where the sources are as their project has them, and where as hipify left them. Each submodule
// has these tags too.
inline constexpr std::string_view kUpstreamTag = "THEROCK_UPSTREAM_DIFFBASE";
inline constexpr std::string_view kHipifyTag = "THEROCK_HIPIFY_DIFFBASE";
// "refs/tags/" and the name.
std::string TagRef(std::string_view tag);
inline constexpr std::string_view kHipifyMessage = "DO NOT SUBMIT: HIPIFY";

// Begins the state file from before the first change until all is done: of a checkout, and of
// hipify alone, where the state before it stands on the next lines.
inline constexpr std::string_view kBusy = "busy\n";
inline constexpr std::string_view kHipifying = "hipifying\n";

struct CheckoutRequest {
  std::string project;  // "torch"
  std::string repository;
  std::string commit;
  std::string folder;     // absolute
  std::size_t jobs = 10;  // submodules that are fetched at a time
  std::size_t depth = 1;  // commits of history; 0: all of it
  bool submodules = true;
  bool hipify = false;
  std::string python;  // runs hipify
};

// Brings a folder there from any state: one that is not there, one from an earlier run that ended
// or was killed anywhere in it, one in which somebody worked. What somebody changed by hand is put
// aside with `git stash`, never lost. A folder that holds other things than a checkout is left
// alone.
class Checkout {
 public:
  Checkout(CheckoutRequest request, Runner& runner)
      : request_(std::move(request)), runner_(runner) {}

  // False: it failed, which was said; running it again goes on from there.
  bool Run();

  // Hipifies what is checked out already, by Run() without hipify or by hand. A folder in which
  // something was changed and not committed is refused: hipify's commit holds its own changes
  // alone.
  bool RunHipify();
  // Whether the project brings the script.
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

  // Whatever it is, be it a link to nowhere.
  static bool Exists(const std::filesystem::path& path);
  std::string Head();
  bool IsClean(const std::string& folder);
  // Folders of the submodules, also of submodules of submodules, which come behind their parents.
  std::vector<std::string> SubmoduleFolders();
  std::vector<std::string> Gitlinks(const std::string& folder);
  // Name and path of the submodules that .gitmodules has.
  std::vector<std::pair<std::string, std::string>> Modules(const std::string& folder);
  bool Git(std::string_view what, std::vector<std::string> arguments);
  std::string Title(std::string_view what) const;

  CheckoutRequest request_;
  Runner& runner_;
};

}  // namespace wheelwright
