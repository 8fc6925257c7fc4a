// The layout of a drawing: layers from left to right, as GitHub shows a run.
//
// After Sugiyama: a box stands one layer behind the last one that points at it (longest path),
// arrows over several layers get a lane in each, lanes and boxes of a layer are ordered by the
// barycenter of their neighbours, and moved as near to these as order and distance allow. What is
// inside of a box is laid out first and makes it as large as it must be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/graph/drawing.h"

namespace wheelwright {

// In CSS pixels, from the left upper corner of what it stands in.
struct Point {
  double x = 0;
  double y = 0;
};

struct PlacedBox;

// Runs level from point 0 to 1, in a curve to 2, level to 3 and so on; ends in a curve.
struct PlacedArrow {
  Arrow arrow;
  std::vector<Point> points;
};

struct Layout {
  double width = 0;
  double height = 0;
  std::vector<PlacedBox> boxes;  // as in the drawing
  std::vector<PlacedArrow> arrows;
};

struct PlacedBox {
  Point at;
  double width = 0;
  double height = 0;
  Point inside_at;  // within the box
  Layout inside;
};

// Text sizes, used by the layout and by the SVG.
inline constexpr double kTitleSize = 13;
inline constexpr double kLineSize = 11;
inline constexpr double kTitleHeight = 18;
inline constexpr double kLineHeight = 15;
inline constexpr double kBoxPaddingX = 12;
inline constexpr double kBoxPaddingY = 8;
inline constexpr double kStackStep = 4;  // each of the two sheets behind a stacked box

Layout LayOut(const Drawing& drawing);

}  // namespace wheelwright
