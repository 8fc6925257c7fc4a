// Upper bounds of text widths, without a font.
#pragma once

#include <string_view>

namespace wheelwright {

enum class Face { kSans, kSansBold, kMono };

// At least as wide as the text is, in the unit of `size`, in any font that browsers commonly take
// for the face: DejaVu's widths, which are the widest of them.
double TextWidth(std::string_view utf8, Face face, double size);

}  // namespace wheelwright
