// Folders, on all systems.
#include "base/platform/folders.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/file_system.h"
#include "base/platform/files.h"

namespace wheelwright {
namespace {

TEST_CASE("folders with long paths are made, listed, walked, copied and removed", "[files]") {
  const std::string top = MakeTemporaryFolder("wheelwright-é");
  std::string deep = top;
  for (int i = 0; i < 10; ++i) deep += "/a_folder_with_a_rather_long_name_of_fifty_characters";
  std::error_code error;
  MakeFolders(deep + "/inner", error);
  CHECK_FALSE(error);
  MakeFolders(deep + "/inner", error);
  CHECK_FALSE(error);
  RealFileSystem().Write(deep + "/inner/a.txt", "a");
  CopyOver(deep + "/inner/a.txt", deep + "/b.txt", error);
  CHECK_FALSE(error);
  std::set<std::string> found;
  const auto visit = [&](const FolderEntry& entry) {
    found.insert(entry.path.substr(deep.size()) + (entry.is_folder ? "/" : ""));
    return true;
  };
  WalkBelow(deep, visit, error);
  CHECK_FALSE(error);
  CHECK(found == std::set<std::string>{"/b.txt", "/inner/", "/inner/a.txt"});
  CHECK(IsFolder(deep));
  CHECK(IsFile(deep + "/b.txt"));
  CHECK_FALSE(IsFile(deep + "/inner"));
  const std::string real = RealPath(top, error);
  CHECK_FALSE(real.empty());
  CHECK(RealPath(top + "/a_folder_with_a_rather_long_name_of_fifty_characters/..", error) == real);
  RemoveFile(deep + "/b.txt", error);
  CHECK_FALSE(error);
  CHECK_FALSE(Exists(deep + "/b.txt"));
  CHECK(EntriesOf(deep + "/none", error).empty());
  CHECK(error == std::errc::no_such_file_or_directory);
  RemoveAll(top, error);
  CHECK_FALSE(error);
  CHECK_FALSE(Exists(top));
}

TEST_CASE("a walk enters the folders that it is told to, and no links", "[files]") {
  const std::string top = MakeTemporaryFolder("wheelwright");
  FileSystem& disk = RealFileSystem();
  disk.Write(top + "/a/x", "1");
  disk.Write(top + "/b/y", "2");
  std::error_code error;
  // Windows lets not every user make links.
  std::filesystem::create_directory_symlink(SystemPath(top + "/a"), SystemPath(top + "/link"),
                                            error);
  const bool linked = !error;
  std::set<std::string> names;
  const auto visit = [&](const FolderEntry& entry) {
    names.insert(entry.name);
    return entry.name != "b";
  };
  WalkBelow(top, visit, error);
  CHECK_FALSE(error);
  CHECK(names == (linked ? std::set<std::string>{"a", "b", "link", "x"}
                         : std::set<std::string>{"a", "b", "x"}));
  disk.Write(top + "/a/deep/z", "123");
  std::map<std::string, std::uint64_t> sizes;
  for (const FileBelow& file : FilesBelow(top, [](auto path) { return path != "b"; }, error)) {
    sizes.emplace(file.path, file.facts.size);
    CHECK(file.facts.identity == LookAtFile(top + "/" + file.path)->identity);
  }
  CHECK_FALSE(error);
  CHECK(sizes == std::map<std::string, std::uint64_t>{{"a/x", 1}, {"a/deep/z", 3}});
  // So many that several threads look at them.
  for (int i = 0; i < 700; ++i) disk.Write(top + "/many/" + std::to_string(i), std::string(i, 'x'));
  std::filesystem::create_symlink(SystemPath(top + "/many/nowhere"),
                                  SystemPath(top + "/many/broken"), error);
  const auto many = FilesBelow(top + "/many", [](auto) { return true; }, error);
  CHECK_FALSE(error);
  CHECK(many.size() == 700);
  CHECK(std::ranges::all_of(
      many, [](const FileBelow& file) { return std::to_string(file.facts.size) == file.path; }));
  CHECK(FilesBelow(top + "/none", [](auto) { return true; }, error).empty());
  CHECK(error == std::errc::no_such_file_or_directory);
  RemoveFile(top + "/none", error);
  CHECK_FALSE(error);
  RemoveFile(top + "/a", error);
  CHECK(error);  // it is not empty
  CHECK(IsFile(top + "/a/x"));
  RemoveAll(top, error);
}

}  // namespace
}  // namespace wheelwright
