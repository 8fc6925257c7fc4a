#include "generator/graph/text_width.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace wheelwright {
namespace {

// Hundredths of the size, from the blank to the tilde.
using Widths = std::array<std::uint8_t, 95>;
constexpr Widths kSansWidths{
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
constexpr Widths kBoldWidths{35,  46, 53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37,
                             70,  70, 70, 70, 70, 70,  70, 70,  70, 70, 40, 40, 84, 84,  84, 59,
                             100, 78, 77, 74, 84, 69,  69, 83,  84, 38, 38, 78, 64, 100, 84, 86,
                             74,  86, 78, 73, 69, 82,  78, 111, 78, 73, 73, 46, 37, 46,  84, 50,
                             50,  68, 72, 60, 72, 68,  44, 72,  72, 35, 35, 67, 35, 105, 72, 69,
                             72,  72, 50, 60, 48, 72,  66, 93,  65, 66, 59, 72, 37, 72,  84};
constexpr std::uint8_t kMonoWidth = 61;
constexpr std::uint8_t kOtherWidth = 104;  // beyond ASCII: as wide as it is high, and a bit

std::uint8_t WidthOf(char c, Face face) {
  const auto at = static_cast<std::size_t>(static_cast<unsigned char>(c)) - 32;
  if (at >= kSansWidths.size()) return kOtherWidth;
  if (face == Face::kMono) return kMonoWidth;
  return face == Face::kSans ? kSansWidths[at] : kBoldWidths[at];
}

}  // namespace

double TextWidth(std::string_view utf8, Face face, double size) {
  std::size_t hundredths = 0;
  for (const char c : utf8) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!continues) hundredths += WidthOf(c, face);
  }
  return static_cast<double>(hundredths) * size / 100;
}

}  // namespace wheelwright
