// A drawing without a layout: boxes, arrows between them, and boxes in boxes. Mermaid, Graphviz and
// SVG are made from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wheelwright {

enum class BoxKind : std::uint8_t {
  kTrigger,   // what starts a workflow
  kJob,       // a job with steps
  kCall,      // a job that calls a workflow
  kWorkflow,  // a whole file
  kForeign,   // a file that is not generated
  kGroup,     // holds others and is nothing itself
};

struct Box;

struct Arrow {
  std::uint32_t from = 0;  // positions in `boxes`
  std::uint32_t to = 0;
  friend auto operator<=>(const Arrow&, const Arrow&) = default;
};

// Arrows join boxes of one level. What joins boxes of two levels is an arrow between the boxes
// around them.
struct Drawing {
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;  // sorted, each once
};

struct Box {
  std::string id;  // letters, digits, '_', '-' and '.'; unique among those of one level
  BoxKind kind = BoxKind::kJob;
  std::string title;               // may be empty for a group
  std::vector<std::string> lines;  // below the title, smaller
  std::size_t count = 1;           // how many that are alike it stands for
  std::string file;                // the generated workflow that it is or calls, or ""
  Drawing inside;                  // empty: closed
};

// Sorts the arrows, drops repeats, and drops those that follow from others. Gives false, with all
// arrows that differ kept, when they lead in a circle.
bool Tidy(Drawing& drawing);

struct DrawingSize {
  std::size_t boxes = 0;
  std::size_t arrows = 0;
};
// With all that is inside.
DrawingSize Measure(const Drawing& drawing);

// The box's count and title: "20 x Build".
std::string TitleWithCount(const Box& box);

}  // namespace wheelwright
