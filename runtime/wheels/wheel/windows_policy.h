// Which DLLs every machine has that a wheel for Windows is installed on: those of Windows and of
// CPython.
//
// There is no standard of it. The rules are those of delvewheel, which puts the others into wheels:
// https://github.com/adang1345/delvewheel
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wheelwright {

enum class WindowsLibrary : std::uint8_t {
  kSystem,     // of every Windows 7 and newer on x86-64, or of CPython
  kPython,     // the interpreter itself: "python312.dll"
  kVisualCpp,  // Microsoft's runtime of C++, which has to be installed: "msvcp140.dll"
  kDebug,      // of Visual Studio, which may not be passed on: "vcruntime140d.dll"
  kOther,
};

// `library` in lower case.
WindowsLibrary KindOfLibrary(std::string_view library);

// Whether it is one of windows_libraries.txt: the DLLs with exports in System32 of all Windows
// from 7 to 11.
bool IsFileOfWindows(std::string_view library);

// The version in the name of an interpreter, with a `t` if it is free-threaded: "312", "313t"; "3"
// for the stable ABI's.
std::string_view VersionOfPythonLibrary(std::string_view library);

}  // namespace wheelwright
