// Advice for the errors of yaml-cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelwright {

// What to do about yaml-cpp's `message` on the place `at` of a text; "" for other messages.
std::string SyntaxHint(std::string_view message, std::string_view text, std::size_t at);

}  // namespace wheelwright
