// Numbers in versions.
#pragma once

#include <algorithm>
#include <string_view>

namespace wheelwright {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

constexpr bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

}  // namespace wheelwright
