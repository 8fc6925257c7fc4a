// Text in columns, for terminals.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// Marks the text of a line, which belongs to the row of that number.
using PaintLine = std::function<std::string(std::size_t row, std::string_view line)>;

// Columns as wide as they must be, two blanks apart; nothing behind the last cell of a line. If
// that is more than `width`, the widest columns become narrower and their cells are wrapped: at
// blanks, then behind the marks within names. A width of 0 is any.
std::string InColumns(const std::vector<std::vector<std::string>>& rows, std::size_t width = 0,
                      const PaintLine& paint = {});

}  // namespace wheelwright
