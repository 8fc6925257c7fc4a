#include "generator/shared/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/below.h"
#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// A line of `git ls-tree -l`: "100644 blob 1234abcd     512\tfragments/setup.yml".
struct TreeEntry {
  std::string_view mode, id, path;
  std::size_t size = 0;
};

std::optional<TreeEntry> ReadTreeEntry(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> words = Split(line.substr(0, tab), ' ');
  std::erase(words, "");
  if (words.size() != 4) return std::nullopt;
  TreeEntry entry{words[0], words[2], line.substr(tab + 1)};
  std::from_chars(words[3].data(), words[3].data() + words[3].size(), entry.size);
  return entry;
}

bool IsYaml(std::string_view path) { return path.ends_with(".yml") || path.ends_with(".yaml"); }

}  // namespace

std::optional<std::string> SharedRepository::Git(std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", folder_.path()});
  // No question on a terminal: a hook and a job have none.
  // And nothing of a hook's repository, which git would use in place of the folder.
  const auto printed = RunProgram(
      words, {"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
              "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR",
              "GIT_NAMESPACE", "GIT_PREFIX"});
  if (printed && printed->good) return printed->out;
  problem_ = printed ? std::string(Trim(printed->errors)) : "git is not installed";
  return std::nullopt;
}

void SharedRepository::Fail(std::string message, std::string hint) {
  Diagnostic diagnostic{.code = "fetch-failed",
                        .message = std::move(message),
                        .where = row_.where,
                        .hint = std::move(hint)};
  for (const std::string_view line : Split(problem_, '\n')) {
    if (!Trim(line).empty()) diagnostic.notes.emplace_back(Trim(line));
  }
  diagnostics_.Report(std::move(diagnostic));
}

std::string SharedRepository::CommitOfRef() {
  if (IsCommitId(row_.ref)) return row_.ref;
  const auto refs = Git({"ls-remote", "--quiet", "--", row_.git, row_.ref, row_.ref + "^{}"});
  if (!refs) {
    Fail(fmt::format("the repository of '{}' cannot be asked for {}", row_.name, row_.ref),
         "the address, access to it, and the network");
    return "";
  }
  // A tag before a branch of the same name, and what an annotated tag points to before itself.
  for (const std::string_view kind : {"refs/tags/{}^{{}}", "refs/tags/{}", "refs/heads/{}"}) {
    const std::string wanted = fmt::format(fmt::runtime(kind), row_.ref);
    for (const std::string_view line : Split(*refs, '\n')) {
      const std::size_t tab = line.find('\t');
      if (tab != std::string_view::npos && Trim(line.substr(tab + 1)) == wanted) {
        return std::string(line.substr(0, tab));
      }
    }
  }
  problem_.clear();
  Fail(fmt::format("{} has no branch and no tag '{}'", row_.git, row_.ref));
  return "";
}

// A server may give a commit by its name, or by a ref alone.
bool SharedRepository::Get(const std::string& commit) {
  if (!Git({"init", "--quiet", "--bare"})) return false;
  const auto fetch = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"fetch", "--quiet", "--no-tags"});
    return Git(std::move(words)) && Git({"cat-file", "-e", commit + "^{commit}"});
  };
  return fetch({"--depth=1", "--", row_.git, commit}) || fetch({"--", row_.git, row_.ref});
}

std::optional<std::vector<FetchedFile>> SharedRepository::FilesOf(const std::string& commit) {
  if (!Get(commit)) {
    Fail(fmt::format("commit {} of '{}' cannot be fetched", commit.substr(0, 12), row_.name),
         "if the repository no longer has it: `wheelwright fetch --update` takes what the ref is "
         "now");
    return std::nullopt;
  }
  const auto listing =
      Git({"ls-tree", "-r", "-z", "-l", "--full-tree", fmt::format("{}:{}", commit, row_.folder)});
  if (!listing) {
    Fail(fmt::format("commit {} of '{}' has no folder {}", commit.substr(0, 12), row_.name,
                     row_.folder));
    return std::nullopt;
  }
  const std::size_t errors = diagnostics_.errors();
  const auto refuse = [&](std::string_view code, SourceRange where, std::string message,
                          std::string hint = {}) {
    diagnostics_.Report(
        {.code = code, .message = std::move(message), .where = where, .hint = std::move(hint)});
  };
  std::vector<TreeEntry> entries;
  std::vector<std::string_view> all;
  std::size_t bytes = 0;
  for (const std::string_view line : Split(*listing, '\0')) {
    const auto entry = ReadTreeEntry(line);
    if (!entry || !IsYaml(entry->path)) continue;
    all.push_back(entry->path);
    if (!Takes(row_.take, entry->path)) continue;
    if (!entry->mode.starts_with("100") || !StaysBelow(entry->path)) {
      refuse("unknown-shared-file", row_.where,
             fmt::format("'{}' of '{}' is no file of its folder", entry->path, row_.name));
      continue;
    }
    bytes += entry->size;
    entries.push_back(*entry);
  }
  for (std::size_t i = 0; i < row_.take.size(); ++i) {
    const std::vector<std::string> one{row_.take[i]};
    if (std::ranges::any_of(all, [&](std::string_view path) { return Takes(one, path); })) continue;
    std::vector<std::string_view> known = all;
    for (const std::string_view path : all) known.push_back(path.substr(0, path.rfind('/')));
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    refuse("unknown-shared-file", row_.take_where[i],
           fmt::format("{} of '{}' has no templates '{}'", row_.folder, row_.name, row_.take[i]),
           DidYouMean(row_.take[i], known, "there are"));
  }
  if (entries.size() > kMostSharedFiles || bytes > kMostSharedBytes) {
    refuse("too-many-shared-files", row_.where,
           fmt::format("'{}' would take {} with {:.1f} MB; at most {} and {} MB are fetched",
                       row_.name, Count(entries.size(), "file"), static_cast<double>(bytes) * 1e-6,
                       kMostSharedFiles, kMostSharedBytes >> 20),
           "take less by `take`");
  }
  if (diagnostics_.errors() > errors) return std::nullopt;
  std::vector<FetchedFile> files;
  for (const TreeEntry& entry : entries) {
    auto text = Git({"cat-file", "blob", std::string(entry.id)});
    if (!text) {
      Fail(fmt::format("'{}' of '{}' cannot be read", entry.path, row_.name));
      return std::nullopt;
    }
    files.push_back({{std::string(entry.path), std::string(entry.id)}, *std::move(text)});
  }
  std::ranges::sort(files, {}, [](const FetchedFile& file) { return file.file.path; });
  return files;
}

}  // namespace wheelwright
