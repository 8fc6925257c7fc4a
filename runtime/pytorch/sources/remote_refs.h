// Reads the output of `git ls-remote`: branches and tags with their commits.
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

// Finds a branch, else a tag, else a ref with that full name. For an annotated tag, the commit that
// it points to.
std::optional<FoundRef> FindRef(const std::vector<RemoteRef>& refs, std::string_view name);

// The patterns for `git ls-remote` that list all candidates of FindRef().
std::vector<std::string> PatternsOf(std::string_view name);

// A few branches and tags with similar names, nearest first.
std::vector<std::string> NearRefs(const std::vector<RemoteRef>& refs, std::string_view name);

}  // namespace wheelwright
