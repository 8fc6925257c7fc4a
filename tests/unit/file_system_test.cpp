#include "base/file_system.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "wheelwright-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    fs::permissions(path_, fs::perms::owner_all);
    fs::remove_all(path_);
  }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& refusal) {
    return refusal.what();
  }
  return "";
}

TEST_CASE("What is written is read back, and nothing else is left") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  const std::string bytes("a\r\n\0b\xFF", 6);
  files.Write(folder / "deep/er/a.yml", bytes);
  CHECK(files.Read(folder / "deep/er/a.yml") == bytes);
  files.Write(folder / "deep/er/a.yml", "");
  CHECK(files.Read(folder / "deep/er/a.yml") == "");
  CHECK(files.List(folder / "deep/er") == std::vector<std::string>{"a.yml"});
  CHECK(files.ListFolders(folder.path()) == std::vector<std::string>{"deep"});
}

TEST_CASE("Listings are sorted and hold their own kind only") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  for (const std::string name : {"b", "a", "C", "sub/x"}) files.Write(folder / name, name);
  CHECK(files.List(folder.path()) == std::vector<std::string>{"C", "a", "b"});
  CHECK(files.ListFolders(folder.path()) == std::vector<std::string>{"sub"});
  CHECK(files.List(folder / "none").empty());
  CHECK(files.Read(folder / "none") == std::nullopt);
  CHECK(files.Read(folder / "a/none") == std::nullopt);
}

TEST_CASE("A replaced file is a new one: readers of the old one keep its bytes") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  files.Write(folder / "a", "old");
  fs::create_hard_link(folder / "a", folder / "old");
  files.Write(folder / "a", "new");
  CHECK(files.Read(folder / "old") == "old");
  CHECK(files.Read(folder / "a") == "new");
}

TEST_CASE("Refusals name the path and the reason, and leave no temporary file") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  files.Write(folder / "sub/x", "");
  const std::string sub = folder / "sub";
  CHECK(MessageOf([&] { files.Read(sub); }) == "cannot read " + sub + ": it is a folder");
  CHECK(MessageOf([&] { files.Write(sub, "text"); }) ==
        "cannot replace " + sub + ": Is a directory");
  CHECK(files.List(folder.path()).empty());
  CHECK(MessageOf([&] { files.Remove(sub); }) == "cannot remove " + sub + ": Directory not empty");
  CHECK(MessageOf([&] { files.Write(folder / "sub/x/y", ""); }) ==
        "cannot make the folder of " + (folder / "sub/x/y") + ": Not a directory");
}

TEST_CASE("A folder that cannot be written is named") {
  if (geteuid() == 0) return;  // root may write anywhere
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  files.Write(folder / "a", "old");
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string message = MessageOf([&] { files.Write(folder / "a", "new"); });
  CHECK(message.starts_with("cannot write " + (folder / "a")));
  CHECK(message.ends_with(": Permission denied"));
  CHECK(files.Read(folder / "a") == "old");
  CHECK(files.List(folder.path()) == std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace wheelwright
