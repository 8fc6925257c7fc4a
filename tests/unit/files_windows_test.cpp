// Files where Windows has rules of its own.
#include <windows.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "base/file_system.h"
#include "base/platform/file_access.h"
#include "base/platform/files.h"

namespace wheelwright {
namespace {

class Folder {
 public:
  ~Folder() {
    std::error_code error;
    RemoveAll(path, error);
    CHECK_FALSE(error);
    CHECK_FALSE(std::filesystem::exists(SystemPath(path)));
  }
  const std::string path = MakeTemporaryFolder("wheelwright-é");
};

TEST_CASE("names are UTF-8, with slashes", "[files]") {
  CHECK(SystemPath("B:/src/é").native() == L"B:/src/é");
  CHECK(PathText(LR"(B:\src\é)") == "B:/src/é");
  CHECK(PathText(LR"(\\?\B:\src)") == "B:/src");
  CHECK(PathText(LR"(\\?\UNC\server\share\a)") == "//server/share/a");
  CHECK(PathText(SystemPath("B:/src") / "torch") == "B:/src/torch");
}

TEST_CASE("paths may be longer than 260 characters", "[files]") {
  const Folder folder;
  std::string deep = folder.path;
  for (int i = 0; i < 10; ++i) deep += "/a_folder_with_a_rather_long_name_of_fifty_characters";
  FileSystem& disk = RealFileSystem();
  disk.Write(deep + "/file.txt", "text");
  CHECK(deep.size() > 500);
  CHECK(disk.Read(deep + "/file.txt") == "text");
  CHECK(disk.List(deep) == std::vector<std::string>{"file.txt"});
  CHECK(PathText(SystemPath(deep)) == deep);
}

TEST_CASE("what may not be written is replaced and removed all the same", "[files]") {
  const Folder folder;
  FileSystem& disk = RealFileSystem();
  const std::string file = folder.path + "/objects/ab/cdef";
  disk.Write(file, "one");
  SetFileAttributesW(SystemPath(file).c_str(), FILE_ATTRIBUTE_READONLY);
  disk.Write(file, "two");
  CHECK(disk.Read(file) == "two");
  SetFileAttributesW(SystemPath(file).c_str(), FILE_ATTRIBUTE_READONLY);
}

// Wine 8 lacks FileRenameInfoEx, by which Windows replaces files that others read.
bool IsWine() {
  return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr;
}

TEST_CASE("a file is replaced while somebody reads it", "[files]") {
  if (IsWine()) return;
  const Folder folder;
  FileSystem& disk = RealFileSystem();
  const std::string file = folder.path + "/plan.json";
  disk.Write(file, "one");
  std::error_code error;
  StreamFile reader = OpenToRead(file, error);
  REQUIRE(reader);
  disk.Write(file, "two");
  CHECK(disk.Read(file) == "two");
  char byte = 0;
  CHECK(std::fread(&byte, 1, 1, reader.get()) == 1);
  CHECK(byte == 'o');
  reader.reset();
}

TEST_CASE("who shares a file with nobody prevents its replacement, and is named", "[files]") {
  const Folder folder;
  FileSystem& disk = RealFileSystem();
  const std::string file = folder.path + "/plan.json";
  disk.Write(file, "one");
  const HANDLE held = CreateFileW(SystemPath(file).c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  REQUIRE(held != INVALID_HANDLE_VALUE);
  std::string said;
  try {
    disk.Write(file, "two");
  } catch (const FileError& error) {
    said = error.what();
  }
  CHECK(said.starts_with("cannot replace " + file + ": "));
  INFO(said);
  // By its name where Windows knows it; Wine does not.
  CHECK((said.ends_with(": end the program that has it open") ||
         said.find("unit_tests") != std::string::npos));
  CloseHandle(held);
  CHECK(disk.Read(file) == "one");
  CHECK(disk.List(folder.path) == std::vector<std::string>{"plan.json"});
}

TEST_CASE("a text stays as it is, whatever ends its lines", "[files]") {
  const Folder folder;
  FileSystem& disk = RealFileSystem();
  const std::string file = folder.path + "/output";
  disk.Append(file, "a=b\n");
  disk.Append(file, "c=d\r\n\x1a");
  CHECK(disk.Read(file) == "a=b\nc=d\r\n\x1a");
}

TEST_CASE("what is not there is no file, and a folder is none", "[files]") {
  const Folder folder;
  FileSystem& disk = RealFileSystem();
  CHECK_FALSE(disk.Read(folder.path + "/nothing").has_value());
  CHECK_FALSE(disk.Read(folder.path + "/no/folder/nothing").has_value());
  CHECK_THROWS_AS(disk.Read(folder.path), FileError);
  CHECK(disk.List(folder.path + "/nothing").empty());
}

TEST_CASE("a file in use is told from one that is not", "[files]") {
  const Folder folder;
  const std::string file = folder.path + "/a";
  std::error_code error;
  const StreamFile one = OpenToWrite(file, false, error);
  const StreamFile other = OpenToRead(file, error);
  CHECK(TryLock(one.get()));
  CHECK_FALSE(TryLock(other.get()));
}

}  // namespace
}  // namespace wheelwright
