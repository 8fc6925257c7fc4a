// The files of generator/graph/page/, as CMake found them.
#pragma once

#include <string_view>

namespace wheelwright {

extern const std::string_view kGraphCss;
extern const std::string_view kPageCss;
extern const std::string_view kPageJs;
// SHA-256 of the two styles one after the other, and of the script: hexadecimal.
extern const std::string_view kPageStyleHash;
extern const std::string_view kPageScriptHash;

}  // namespace wheelwright
