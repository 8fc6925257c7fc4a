#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/file_system.h"

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

TEST_CASE("A pipe that nobody writes to is refused, and one with a writer is read") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  const std::string pipe = folder / "pipe.yml";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(files.Read(pipe),
                    "cannot read " + pipe + ": it is a pipe that nobody writes to");
  const int both = open(pipe.c_str(), O_RDWR);
  REQUIRE(write(both, "text", 4) == 4);
  std::string read;
  std::thread reader([&] { read = files.Read(pipe).value_or(""); });
  int waiting = 4;
  while (waiting > 0) REQUIRE(ioctl(both, FIONREAD, &waiting) == 0);
  close(both);
  reader.join();
  CHECK(read == "text");
}

TEST_CASE("Links that lead to themselves or back are not followed") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  files.Write(folder / "a/x", "");
  files.Write(folder / "b/y", "");
  fs::create_symlink("self", folder / "self");
  fs::create_symlink("nowhere", folder / "lost");
  fs::create_symlink(".", folder / "here");
  fs::create_symlink("a", folder / "other");
  fs::create_directory_symlink("../b", folder / "a/b");
  fs::create_directory_symlink("../a", folder / "b/a");
  CHECK(files.List(folder.path()).empty());
  CHECK(files.ListFolders(folder.path()) == std::vector<std::string>{"a", "b", "other"});
  CHECK(files.ListFolders(folder / "a") == std::vector<std::string>{"b"});
  CHECK(files.ListFolders(folder / "a/b").empty());
}

TEST_CASE("What a killed writer left is removed, what another writes is not") {
  const TemporaryFolder folder;
  FileSystem& files = RealFileSystem();
  for (const char* name : {"ci.yml.1a2b3c4d.tmp", "busy.yml.00000000.tmp", "mine.tmp",
                           "ci.yml.1a2b3c4g.tmp", ".1a2b3c4d.tmp"}) {
    files.Write(folder / name, "x");
  }
  const int busy = open((folder / "busy.yml.00000000.tmp").c_str(), O_RDONLY);
  REQUIRE(flock(busy, LOCK_EX) == 0);
  files.RemoveLeftovers(folder.path());
  CHECK(files.List(folder.path()) == std::vector<std::string>{".1a2b3c4d.tmp",
                                                              "busy.yml.00000000.tmp",
                                                              "ci.yml.1a2b3c4g.tmp", "mine.tmp"});
  close(busy);
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
