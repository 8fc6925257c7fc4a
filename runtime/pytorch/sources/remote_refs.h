// What `git ls-remote` lists: branches and tags of a repository, and their commits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct RemoteRef {
  std::string name;  // "refs/heads/release/2.10", "refs/tags/v2.10.0^{}"
  std::string commit;
};

// Nothing when the text is no such list.
std::optional<std::vector<RemoteRef>> ParseLsRemote(std::string_view output);

struct FoundRef {
  std::string commit;
  std::string name;          // whole: "refs/heads/nightly"
  bool hides_a_tag = false;  // a tag has the same name and another commit; the branch wins
};

// A branch of that name, else a tag, else a ref whose whole name it is. Of an annotated tag, the
// commit that it is for.
std::optional<FoundRef> FindRef(const std::vector<RemoteRef>& refs, std::string_view name);

// The patterns by which `git ls-remote` lists what FindRef looks for.
std::vector<std::string> PatternsOf(std::string_view name);

// Branches and tags whose names are like it, the nearest first, a few.
std::vector<std::string> NearRefs(const std::vector<RemoteRef>& refs, std::string_view name);

}  // namespace wheelwright
