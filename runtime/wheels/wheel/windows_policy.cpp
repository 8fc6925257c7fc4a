#include "runtime/wheels/wheel/windows_policy.h"

#include <algorithm>
#include <array>

#include "base/characters.h"

namespace wheelwright {
namespace {

constexpr std::string_view kPython = "python", kDll = ".dll", kDebugPython = "_d.dll";

// The name without its ending.
std::string_view StemOf(std::string_view library) {
  return library.ends_with(kDll) ? library.substr(0, library.size() - kDll.size()) : library;
}

// Whether the stem is the name, digits or `_` and anything: "msvcp140_1" of "msvcp".
bool IsNumbered(std::string_view stem, std::string_view name) {
  return stem.starts_with(name) && stem.size() > name.size() &&
         (IsDigit(stem[name.size()]) || stem[name.size()] == '_');
}

// https://learn.microsoft.com/cpp/windows/determining-which-dlls-to-redistribute
bool IsVisualCpp(std::string_view stem) {
  constexpr std::array<std::string_view, 8> kNames{"vcruntime", "msvcp", "msvcr", "concrt",
                                                   "vccorlib",  "vcamp", "vcomp", "mfc"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return IsNumbered(stem, name); });
}

}  // namespace

std::string_view VersionOfPythonLibrary(std::string_view library) {
  if (!library.starts_with(kPython)) return {};
  const std::string_view rest = StemOf(library).substr(kPython.size());
  std::size_t end = 0;
  while (end < rest.size() && IsDigit(rest[end])) ++end;
  if (end == 0) return {};
  if (end < rest.size() && rest[end] == 't') ++end;
  return rest.substr(end).empty() || rest.substr(end) == "_d" ? rest.substr(0, end)
                                                              : std::string_view();
}

WindowsLibrary KindOfLibrary(std::string_view library) {
  if (!VersionOfPythonLibrary(library).empty()) {
    return library.ends_with(kDebugPython) ? WindowsLibrary::kDebug : WindowsLibrary::kPython;
  }
  // Sets of functions that Windows itself resolves.
  // https://learn.microsoft.com/windows/win32/apiindex/windows-apisets
  if (library.starts_with("api-ms-") || library.starts_with("ext-ms-")) {
    return WindowsLibrary::kSystem;
  }
  // CPython brings both since 3.8.
  if (library == "vcruntime140.dll" || library == "vcruntime140_1.dll") {
    return WindowsLibrary::kSystem;
  }
  if (IsFileOfWindows(library)) return WindowsLibrary::kSystem;
  const std::string_view stem = StemOf(library);
  if (stem == "ucrtbased" || (IsVisualCpp(stem) && stem.ends_with('d'))) {
    return WindowsLibrary::kDebug;
  }
  return IsVisualCpp(stem) ? WindowsLibrary::kVisualCpp : WindowsLibrary::kOther;
}

}  // namespace wheelwright
