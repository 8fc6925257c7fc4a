#include "generator/output/line_changes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace wheelwright {
namespace {

using Index = std::ptrdiff_t;

// The number of steps after which the search accepts a good middle instead of the best.
constexpr Index kPatience = 1000;

// A list of lines with their positions in the whole list.
struct Lines {
  std::vector<int> lines;
  std::vector<std::size_t> places;
};

// The lines that occur on both sides. All others are changes in any case.
Lines Shared(std::span<const int> lines, const std::vector<bool>& in_other,
             std::vector<bool>& changed) {
  Lines shared;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (in_other[static_cast<std::size_t>(lines[i])]) {
      shared.lines.push_back(lines[i]);
      shared.places.push_back(i);
    } else {
      changed[i] = true;
    }
  }
  return shared;
}

class Search {
 public:
  Search(const Lines& before, const Lines& after, LineChanges& changes)
      : before_(before),
        after_(after),
        changes_(changes),
        offset_(Size(after) + 1),
        forward_(static_cast<std::size_t>(Size(before) + Size(after) + 3)),
        backward_(forward_.size()) {}

  void Run() { Compare({0, Size(before_), 0, Size(after_)}); }

 private:
  // The part [x0, x1) of `before` against [y0, y1) of `after`.
  struct Box {
    Index x0, x1, y0, y1;
  };

  static Index Size(const Lines& lines) { return static_cast<Index>(lines.lines.size()); }
  bool Same(Index x, Index y) const {
    return before_.lines[static_cast<std::size_t>(x)] == after_.lines[static_cast<std::size_t>(y)];
  }
  Index& Forward(Index diagonal) { return forward_[static_cast<std::size_t>(diagonal + offset_)]; }
  Index& Backward(Index diagonal) {
    return backward_[static_cast<std::size_t>(diagonal + offset_)];
  }

  void Compare(Box box) {
    while (true) {
      while (box.x0 < box.x1 && box.y0 < box.y1 && Same(box.x0, box.y0)) ++box.x0, ++box.y0;
      while (box.x0 < box.x1 && box.y0 < box.y1 && Same(box.x1 - 1, box.y1 - 1)) --box.x1, --box.y1;
      if (box.x0 == box.x1 || box.y0 == box.y1) break;
      const auto [x, y] = Middle(box);
      Compare({box.x0, x, box.y0, y});
      box.x0 = x;
      box.y0 = y;
    }
    for (Index x = box.x0; x < box.x1; ++x) {
      changes_.removed[before_.places[static_cast<std::size_t>(x)]] = true;
    }
    for (Index y = box.y0; y < box.y1; ++y) {
      changes_.added[after_.places[static_cast<std::size_t>(y)]] = true;
    }
  }

  // A point on a shortest path through the box, where searches from its start and its end meet.
  // Both keep the furthest point of each diagonal x - y.
  std::pair<Index, Index> Middle(const Box& box) {
    const Index lowest = box.x0 - box.y1;
    const Index highest = box.x1 - box.y0;
    const Index start = box.x0 - box.y0;
    const Index end = box.x1 - box.y1;
    const bool odd = ((start - end) & 1) != 0;
    Index forward_low = start, forward_high = start;
    Index backward_low = end, backward_high = end;
    Forward(start) = box.x0;
    Backward(end) = box.x1;
    for (Index steps = 1;; ++steps) {
      // One diagonal more on each side, or one less where it would leave the box.
      if (forward_low > lowest) {
        Forward(--forward_low - 1) = -1;
      } else {
        ++forward_low;
      }
      if (forward_high < highest) {
        Forward(++forward_high + 1) = -1;
      } else {
        --forward_high;
      }
      for (Index d = forward_high; d >= forward_low; d -= 2) {
        Index x = std::max(Forward(d - 1) + 1, Forward(d + 1));
        while (x < box.x1 && x - d < box.y1 && Same(x, x - d)) ++x;
        Forward(d) = x;
        if (odd && backward_low <= d && d <= backward_high && Backward(d) <= x) return {x, x - d};
      }
      if (backward_low > lowest) {
        Backward(--backward_low - 1) = kFar;
      } else {
        ++backward_low;
      }
      if (backward_high < highest) {
        Backward(++backward_high + 1) = kFar;
      } else {
        --backward_high;
      }
      for (Index d = backward_high; d >= backward_low; d -= 2) {
        Index x = std::min(Backward(d - 1), Backward(d + 1) - 1);
        while (x > box.x0 && x - d > box.y0 && Same(x - 1, x - d - 1)) --x;
        Backward(d) = x;
        if (!odd && forward_low <= d && d <= forward_high && x <= Forward(d)) return {x, x - d};
      }
      if (steps >= kPatience) return Furthest(box, forward_low, forward_high);
    }
  }

  // The furthest point of the search from the start.
  std::pair<Index, Index> Furthest(const Box& box, Index low, Index high) {
    std::pair<Index, Index> best{box.x0, box.y0};
    for (Index d = low; d <= high; d += 2) {
      const Index x = std::min({Forward(d), box.x1, box.y1 + d});
      if (x + x - d > best.first + best.second) best = {x, x - d};
    }
    return best;
  }

  static constexpr Index kFar = std::numeric_limits<Index>::max() / 2;

  const Lines& before_;
  const Lines& after_;
  LineChanges& changes_;
  Index offset_;  // of diagonal 0
  std::vector<Index> forward_;
  std::vector<Index> backward_;
};

}  // namespace

LineChanges FindLineChanges(std::span<const int> before, std::span<const int> after,
                            int different) {
  LineChanges changes{std::vector<bool>(before.size()), std::vector<bool>(after.size())};
  std::vector<bool> in_before(static_cast<std::size_t>(different));
  std::vector<bool> in_after(in_before.size());
  for (const int line : before) in_before[static_cast<std::size_t>(line)] = true;
  for (const int line : after) in_after[static_cast<std::size_t>(line)] = true;
  const Lines shared_before = Shared(before, in_after, changes.removed);
  const Lines shared_after = Shared(after, in_before, changes.added);
  Search(shared_before, shared_after, changes).Run();
  return changes;
}

}  // namespace wheelwright
