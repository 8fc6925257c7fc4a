// The headers of Windows, and texts at its border. For files NAME_windows.cpp alone.
#pragma once

#include <windows.h>

#include <string>
#include <string_view>
#include <system_error>

namespace wheelwright {

// Bytes that are no UTF-8 become U+FFFD.
std::wstring WideOf(std::string_view utf8);
std::string Utf8Of(std::wstring_view wide);
// A path for a call of Windows, which takes longer ones than the C library: from 248 characters on
// as `\\?\`.
std::wstring LongPath(std::string_view utf8);

inline std::error_code LastError() {
  return {static_cast<int>(GetLastError()), std::system_category()};
}

}  // namespace wheelwright
