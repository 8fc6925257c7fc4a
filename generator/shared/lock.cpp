#include "generator/shared/lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/arena.h"
#include "base/below.h"
#include "base/characters.h"
#include "base/platform/folders.h"
#include "base/run_program.h"
#include "base/text.h"
#include "generator/emit/quoting.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::string_view kAgain = "run `wheelwright fetch`, and commit what it writes";

bool IsId(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && AreLowerHexDigits(text);
}

bool ReadTemplatesOf(const Entry& row, LockedTemplates& into) {
  into.name = row.key->text;
  into.git = FindText(row.value, "git");
  into.ref = FindText(row.value, "ref");
  into.commit = FindText(row.value, "commit");
  into.folder = FindText(row.value, "folder");
  const Node* take = Find(row.value, "take");
  const Node* files = Find(row.value, "files");
  if (take == nullptr || files == nullptr || !IsId(into.commit)) return false;
  for (const Node* item : take->items) into.take.emplace_back(item->text);
  for (const Entry& file : files->entries) {
    into.files.push_back({std::string(file.key->text), std::string(file.value->text)});
    if (!StaysBelow(into.files.back().path) || !IsId(into.files.back().id)) return false;
  }
  return StaysBelow(into.name);
}

// git's ids of files, in their order. Empty where git is missing or fails, with the reason.
std::vector<std::string> IdsOf(const std::string& folder, const std::vector<std::string>& paths,
                               std::string& problem) {
  std::vector<std::string> words{"git", "hash-object", "--"};
  for (const std::string& path : paths) words.push_back(Below(folder, path));
  const auto printed = RunProgram(words);
  if (!printed) problem = "git is not installed";
  if (printed && !printed->good) problem = std::string(Trim(printed->errors));
  if (!printed || !printed->good) return {};
  std::vector<std::string> ids;
  for (const std::string_view line : Split(Trim(printed->out), '\n')) ids.emplace_back(Trim(line));
  if (ids.size() == paths.size()) return ids;
  problem = "git hash-object printed something else";
  return {};
}

std::string WhatChanged(const LockedTemplates& locked, const RemoteTemplates& row) {
  if (locked.git != row.git) return fmt::format("were fetched from {}", locked.git);
  if (locked.ref != row.ref) return fmt::format("were fetched at {}", locked.ref);
  if (locked.folder != row.folder)
    return fmt::format("were fetched from the folder {}", locked.folder);
  return fmt::format("were fetched with other files: {}", fmt::join(locked.take, ", "));
}

}  // namespace

bool StaysBelow(std::string_view path) {
  return !path.empty() && std::ranges::all_of(Split(path, '/'), [](std::string_view part) {
    return !part.empty() && part != "." && part != ".." &&
           part.find_first_of("\\:") == std::string_view::npos;
  });
}

std::string LockPath(const std::string& root) { return Below(root, "templates/shared.lock"); }

std::string LinkBelow(const std::string& root, std::string_view name) {
  std::error_code none;
  for (const FolderEntry& entry : EntriesOf(Below(root, "templates"), none)) {
    if (entry.name == name && entry.is_link) return FetchedFolder("", name);
  }
  std::string link;
  const std::string folder = FetchedFolder(root, name);
  WalkBelow(
      folder,
      [&](const FolderEntry& entry) {
        if (entry.is_link) link = FetchedFolder("", name) + entry.path.substr(folder.size());
        return true;
      },
      none);
  return link;
}

std::vector<std::string> FilesBelow(FileSystem& files, const std::string& folder) {
  std::vector<std::string> found;
  const auto walk = [&](const auto& again, const std::string& below) -> void {
    const std::string path = below.empty() ? folder : Below(folder, below);
    for (const std::string& name : files.List(path)) {
      if (name.ends_with(".yml") || name.ends_with(".yaml")) found.push_back(Below(below, name));
    }
    for (const std::string& name : files.ListFolders(path)) again(again, Below(below, name));
  };
  walk(walk, "");
  std::ranges::sort(found);
  return found;
}

const LockedTemplates* FindLocked(const Lock& lock, std::string_view name) {
  const auto found = std::ranges::find(lock, name, &LockedTemplates::name);
  return found == lock.end() ? nullptr : &*found;
}

std::optional<Lock> ReadLock(FileSystem& files, const std::string& root, SourceManager& sources,
                             Diagnostics& diagnostics) {
  Lock lock;
  auto text = files.Read(LockPath(root));
  if (!text) return lock;
  const std::size_t errors = diagnostics.errors();
  Arena arena;
  const Node* tree =
      ReadYaml(sources, sources.Add("templates/shared.lock", *std::move(text)), arena, diagnostics)
          .root;
  if (tree == nullptr) return std::nullopt;
  for (const Entry& row : tree->entries) {
    if (ReadTemplatesOf(row, lock.emplace_back())) continue;
    diagnostics.Report({.code = "bad-shared-lock",
                        .message = fmt::format("what the lock says of '{}' is not what "
                                               "`wheelwright fetch` writes",
                                               row.key->text),
                        .where = row.key->where,
                        .hint = "delete the row, and run `wheelwright fetch`"});
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  std::ranges::sort(lock, {}, &LockedTemplates::name);
  return lock;
}

std::string WriteLock(const Lock& lock) {
  std::string out =
      "# Written by `wheelwright fetch`: the commits of matrix/shared.yml, and git's id of each "
      "file.\n";
  const auto line = [&](std::string_view indent, std::string_view key, std::string_view value) {
    out += fmt::format("{}{}: {}\n", indent, QuoteScalar(key, ScalarPlace::kKey),
                       QuoteScalar(value, ScalarPlace::kBlock));
  };
  for (const LockedTemplates& one : lock) {
    out += fmt::format("{}:\n", QuoteScalar(one.name, ScalarPlace::kKey));
    line("  ", "git", one.git);
    line("  ", "ref", one.ref);
    line("  ", "commit", one.commit);
    line("  ", "folder", one.folder);
    out += "  take:\n";
    for (const std::string& item : one.take) {
      out += fmt::format("    - {}\n", QuoteScalar(item, ScalarPlace::kBlock));
    }
    out += "  files:\n";
    for (const LockedFile& file : one.files) line("    ", file.path, file.id);
  }
  return out;
}

std::vector<std::string> DifferencesFrom(const LockedTemplates& locked, FileSystem& files,
                                         const std::string& root, std::string& problem) {
  const std::string folder = FetchedFolder(root, locked.name);
  const std::string shown = FetchedFolder("", locked.name);
  std::map<std::string, std::string> wanted;
  for (const LockedFile& file : locked.files) wanted.emplace(file.path, file.id);
  std::vector<std::string> found, there;
  for (const std::string& path : FilesBelow(files, folder)) {
    if (wanted.contains(path)) {
      there.push_back(path);
    } else {
      found.push_back(fmt::format("{}/{} was not fetched", shown, path));
    }
  }
  const std::vector<std::string> ids =
      there.empty() ? std::vector<std::string>() : IdsOf(folder, there, problem);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (wanted[there[i]] != ids[i])
      found.push_back(fmt::format("{}/{} was changed", shown, there[i]));
  }
  for (const auto& [path, id] : wanted) {
    if (!std::ranges::binary_search(there, path)) {
      found.push_back(fmt::format("{}/{} is missing", shown, path));
    }
  }
  std::ranges::sort(found);
  return found;
}

void CheckLock(FileSystem& files, const std::string& root, std::span<const RemoteTemplates> rows,
               SourceManager& sources, Diagnostics& diagnostics) {
  const auto lock = ReadLock(files, root, sources, diagnostics);
  if (!lock) return;
  for (const LockedTemplates& locked : *lock) {
    if (std::ranges::find(rows, locked.name, &RemoteTemplates::name) != rows.end()) continue;
    diagnostics.Report(
        {.code = "not-fetched",
         .message = fmt::format("templates/shared.lock has '{}', and matrix/shared.yml "
                                "no longer fetches it",
                                locked.name),
         .hint = std::string(kAgain)});
  }
  for (const RemoteTemplates& row : rows) {
    const LockedTemplates* locked = FindLocked(*lock, row.name);
    if (locked == nullptr || !locked->IsOf(row)) {
      diagnostics.Report(
          {.code = "not-fetched",
           .message = locked == nullptr
                          ? fmt::format("the templates '{}' were never fetched", row.name)
                          : fmt::format("the templates '{}' are behind: they {}", row.name,
                                        WhatChanged(*locked, row)),
           .where = row.where,
           .hint = std::string(kAgain)});
      continue;
    }
    std::string problem;
    std::vector<std::string> different = DifferencesFrom(*locked, files, root, problem);
    if (!problem.empty()) {
      diagnostics.Report({.code = "changed-shared-templates",
                          .message = fmt::format("the templates '{}' cannot be compared with the "
                                                 "commit that they are of: {}",
                                                 row.name, problem),
                          .where = row.where});
    } else if (!different.empty()) {
      different.push_back(fmt::format("changes belong into {}", row.git));
      diagnostics.Report({.code = "changed-shared-templates",
                          .message = fmt::format("the templates '{}' are not those of commit {}",
                                                 row.name, locked->commit.substr(0, 12)),
                          .where = row.where,
                          .hint = "run `wheelwright fetch`, which writes them again",
                          .notes = std::move(different)});
    }
  }
}

}  // namespace wheelwright
