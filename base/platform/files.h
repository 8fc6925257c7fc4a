// Files and programs as both programs need them, where systems differ: NAME_posix.cpp and
// NAME_windows.cpp stand behind each header of this folder. Texts are UTF-8; paths in texts have
// '/' between folders.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace wheelwright {

// A path of this program as the system takes it. On Windows one that is too long for most calls
// becomes one of those without a limit, `\\?\`.
std::filesystem::path SystemPath(std::string_view utf8);
// The same back again.
std::string PathText(const std::filesystem::path& path);

struct CloseStream {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using StreamFile = std::unique_ptr<std::FILE, CloseStream>;

// Opens a file for reading bytes; a pipe without a writer is no reason to wait. Nothing when it
// fails: `error` says why then, and `no_such_file_or_directory` that there is none.
StreamFile OpenToRead(const std::string& path, std::error_code& error);
// Empties a file, which is made where it is missing, or with `append` keeps what is in it.
StreamFile OpenToWrite(const std::string& path, bool append, std::error_code& error);
// Until it is closed, no other that asks has it. False at once where another has.
bool TryLock(std::FILE* file);

// Replaces a file by another, in one step. Programs that read the old one do not prevent it, as far
// as the system allows it: where one shares it with nobody, such as a scanner, it is tried again
// for two seconds.
void PutInPlace(const std::string& from, const std::string& to, std::error_code& error);
// The reason of a failed replacement or removal. On Windows it names the programs that have the
// file open, as far as the system knows them.
std::string ReasonFor(const std::error_code& error, const std::string& path);
// Removes a file, or a folder with all in it, of which what may not be written, such as the objects
// of git, is no hindrance. Nothing there is no error.
void RemoveAll(const std::string& path, std::error_code& error);

// A new folder below the system's folder for temporary files, which nobody else can read; "" when
// it cannot be made.
std::string MakeTemporaryFolder(std::string_view prefix);

}  // namespace wheelwright
