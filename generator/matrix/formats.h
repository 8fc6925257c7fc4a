// The shapes of strings that columns of the matrix have.
#pragma once

#include "generator/matrix/schema.h"

namespace wheelwright::formats {

// Whether `text` has the shape. Texts of more than 1000 bytes have none. Throws std::regex_error
// when the pattern is no regular expression.
bool Fits(const Format& format, std::string_view text);

}  // namespace wheelwright::formats
