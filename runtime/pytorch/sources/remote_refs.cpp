#include "runtime/pytorch/sources/remote_refs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kTags = "refs/tags/";
constexpr std::string_view kPeeled = "^{}";

const RemoteRef* Find(const std::vector<RemoteRef>& refs, std::string_view name) {
  const auto found = std::ranges::find(refs, name, &RemoteRef::name);
  return found == refs.end() ? nullptr : &*found;
}

const RemoteRef* FindPeeled(const std::vector<RemoteRef>& refs, const std::string& name) {
  const RemoteRef* peeled = Find(refs, fmt::format("{}{}", name, kPeeled));
  return peeled != nullptr ? peeled : Find(refs, name);
}

}  // namespace

std::optional<std::vector<RemoteRef>> ParseLsRemote(std::string_view output) {
  std::vector<RemoteRef> refs;
  for (std::string_view line : Split(output, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab + 1 == line.size()) return std::nullopt;
    if (!IsCommitId(line.substr(0, tab))) return std::nullopt;
    refs.push_back(
        {.name = std::string(line.substr(tab + 1)), .commit = std::string(line.substr(0, tab))});
  }
  return refs;
}

std::optional<FoundRef> FindRef(const std::vector<RemoteRef>& refs, std::string_view name) {
  const RemoteRef* branch = Find(refs, fmt::format("{}{}", kHeads, name));
  const RemoteRef* tag = FindPeeled(refs, fmt::format("{}{}", kTags, name));
  if (branch != nullptr) {
    return FoundRef{.commit = branch->commit,
                    .name = branch->name,
                    .hides_a_tag = tag != nullptr && tag->commit != branch->commit};
  }
  if (tag != nullptr) {
    return FoundRef{.commit = tag->commit, .name = fmt::format("{}{}", kTags, name)};
  }
  if (!name.starts_with("refs/")) return std::nullopt;
  const RemoteRef* whole = FindPeeled(refs, std::string(name));
  if (whole == nullptr) return std::nullopt;
  return FoundRef{.commit = whole->commit, .name = std::string(name)};
}

std::vector<std::string> PatternsOf(std::string_view name) {
  std::vector<std::string> patterns{fmt::format("{}{}", kHeads, name),
                                    fmt::format("{}{}", kTags, name),
                                    fmt::format("{}{}{}", kTags, name, kPeeled)};
  if (name.starts_with("refs/")) {
    patterns.emplace_back(name);
    patterns.push_back(fmt::format("{}{}", name, kPeeled));
  }
  return patterns;
}

std::vector<std::string> NearRefs(const std::vector<RemoteRef>& refs, std::string_view name) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string_view> names;
  for (const RemoteRef& ref : refs) {
    std::string_view text = ref.name;
    if (text.ends_with(kPeeled)) continue;
    if (text.starts_with(kHeads)) text.remove_prefix(kHeads.size());
    if (text.starts_with(kTags)) text.remove_prefix(kTags.size());
    if (text != "HEAD" && std::ranges::find(names, text) == names.end()) names.push_back(text);
  }
  std::vector<std::string> near;
  while (near.size() < kMost) {
    const std::string_view nearest = Nearest(name, names);
    if (nearest.empty()) break;
    near.emplace_back(nearest);
    std::erase(names, nearest);
  }
  return near;
}

}  // namespace wheelwright
