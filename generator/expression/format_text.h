// Parses the format string of format().
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "generator/expression/parse.h"

namespace wheelwright {

// A part of the string: characters to copy, or an argument.
struct FormatPiece {
  static constexpr std::size_t kNoArgument = ~std::size_t{0};

  std::string_view text;
  std::size_t argument = kNoArgument;  // counts from 0
  std::size_t offset = 0;              // in the whole text
};

// Splits "{0} is {{ {1}" into pieces; a doubled brace gives one. Refuses "{0:x}", unlike GitHub's
// runner, which ignores the part behind the number.
std::optional<ExpressionError> ParseFormat(std::string_view text, std::vector<FormatPiece>& pieces);

}  // namespace wheelwright
