// The text that format() fills in.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "generator/expression/parse.h"

namespace wheelwright {

// A part of the text: characters to copy, or the place of an argument.
struct FormatPiece {
  static constexpr std::size_t kNoArgument = ~std::size_t{0};

  std::string_view text;
  std::size_t argument = kNoArgument;  // counts from 0
  std::size_t offset = 0;              // in the whole text
};

// Cuts "{0} is {{ {1}" into pieces; a doubled brace gives one. Other than GitHub's runner, which
// takes no notice of what follows the number, this refuses "{0:x}".
std::optional<ExpressionError> ParseFormat(std::string_view text, std::vector<FormatPiece>& pieces);

}  // namespace wheelwright
