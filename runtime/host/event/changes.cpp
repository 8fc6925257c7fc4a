#include "runtime/host/event/changes.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::chrono::seconds kLocalLimit{60};
constexpr std::chrono::seconds kFetchLimit{120};

class Repository {
 public:
  Repository(const std::string& folder, Runner& runner) : folder_(folder), runner_(runner) {}

  // The output of git, or nothing when it failed.
  std::optional<std::string> Git(std::vector<std::string> arguments,
                                 std::chrono::seconds limit = kLocalLimit) {
    arguments.insert(arguments.begin(), "git");
    return runner_.Try({.title = "git",
                        .arguments = std::move(arguments),
                        .folder = folder_,
                        // A job cannot type a password.
                        .variables = {{"GIT_TERMINAL_PROMPT", "0"}},
                        .limit = limit});
  }

  bool Has(const std::string& commit) {
    return Git({"rev-parse", "--quiet", "--verify", commit + "^{commit}"}).has_value();
  }

  // Fetches a commit without its history.
  bool Fetch(const std::string& commit) {
    return Has(commit) ||
           Git({"fetch", "--quiet", "--no-tags", "--depth=1", "origin", commit}, kFetchLimit)
               .has_value();
  }

  std::optional<std::vector<std::string>> Paths(const std::string& from) {
    // Lists both names of a renamed file, and does not quote unusual names.
    const auto output = Git({"diff", "--name-only", "--no-renames", "-z", from, "HEAD", "--"});
    if (!output) return std::nullopt;
    std::vector<std::string> paths;
    for (const std::string_view path : Split(*output, '\0')) {
      if (!path.empty()) paths.emplace_back(path);
    }
    return paths;
  }

  // The merge base; deepens the clone as far as needed.
  std::optional<std::string> MergeBase(const std::string& base) {
    constexpr std::array<int, 4> kDeepen{0, 50, 500, 5000};
    for (const int commits : kDeepen) {
      if (commits > 0 &&
          !Git({"fetch", "--quiet", "--no-tags", fmt::format("--deepen={}", commits), "origin"},
               kFetchLimit)) {
        break;
      }
      if (const auto found = Git({"merge-base", base, "HEAD"})) return std::string(Trim(*found));
    }
    return std::nullopt;
  }

  std::vector<std::string> Submodules() {
    std::vector<std::string> paths;
    const auto output =
        Git({"config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"});
    if (!output) return paths;  // there are none
    for (const std::string_view entry : Split(*output, '\0')) {
      const std::size_t end = entry.find('\n');
      if (end != std::string_view::npos) paths.emplace_back(entry.substr(end + 1));
    }
    return paths;
  }

 private:
  const std::string& folder_;
  Runner& runner_;
};

// The commit to compare HEAD with, or nothing when it is unknown.
std::optional<std::string> FindBase(const JobEvent& event, Repository& repository) {
  if (!event.before.empty()) {
    return repository.Fetch(event.before) ? std::optional(event.before) : std::nullopt;
  }
  if (event.base.empty()) return std::nullopt;
  // A runner checks out the merge of a pull request; its first parent is the base as it was merged,
  // which is newer than the one in the payload.
  const auto parents = repository.Git({"cat-file", "-p", "HEAD"});
  if (parents) {
    std::vector<std::string> found;
    for (const std::string_view line : Split(*parents, '\n')) {
      constexpr std::string_view kParent = "parent ";
      if (line.empty()) break;
      if (line.starts_with(kParent)) found.emplace_back(line.substr(kParent.size()));
    }
    const bool is_merge = found.size() == 2 && (event.head.empty() || found[1] == event.head);
    if (is_merge && repository.Fetch(found[0])) return found[0];
  }
  if (!repository.Fetch(event.base)) return std::nullopt;
  return repository.MergeBase(event.base);
}

}  // namespace

void FindChanges(JobEvent& event, const std::string& folder, Runner& runner) {
  Repository repository(folder, runner);
  event.inputs.submodules = repository.Submodules();
  if (event.before.empty() && event.base.empty()) return;
  const std::optional<std::string> base = FindBase(event, repository);
  if (base) event.inputs.changed_files = repository.Paths(*base);
  if (!event.inputs.changed_files) {
    runner.log().Warning(
        fmt::format("cannot find out what changed since {}: everything counts as changed",
                    event.before.empty() ? event.base : event.before));
  }
}

}  // namespace wheelwright
