#include "generator/graph/drawing.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelwright {
namespace {

// Whether `to` can be reached from `from` by two arrows or more. Arrows are sorted.
class Detours {
 public:
  explicit Detours(const Drawing& drawing)
      : arrows_(drawing.arrows), first_(drawing.boxes.size() + 1), seen_(drawing.boxes.size()) {
    for (const Arrow& arrow : arrows_) ++first_[arrow.from + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  bool Lead(const Arrow& arrow) {
    ++round_;
    stack_.clear();
    for (std::size_t i = first_[arrow.from]; i < first_[arrow.from + 1]; ++i) {
      if (arrows_[i].to != arrow.to) Push(arrows_[i].to);
    }
    while (!stack_.empty()) {
      const std::uint32_t at = stack_.back();
      stack_.pop_back();
      for (std::size_t i = first_[at]; i < first_[at + 1]; ++i) {
        if (arrows_[i].to == arrow.to) return true;
        Push(arrows_[i].to);
      }
    }
    return false;
  }

 private:
  void Push(std::uint32_t box) {
    if (seen_[box] == round_) return;
    seen_[box] = round_;
    stack_.push_back(box);
  }

  const std::vector<Arrow>& arrows_;
  std::vector<std::size_t> first_;
  std::vector<std::size_t> seen_;
  std::size_t round_ = 0;
  std::vector<std::uint32_t> stack_;
};

// Removes boxes without incoming arrows until only circles are left. Arrows are sorted.
bool HasCircle(const Drawing& drawing) {
  std::vector<std::size_t> waiting(drawing.boxes.size());
  for (const Arrow& arrow : drawing.arrows) ++waiting[arrow.to];
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) free.push_back(i);
  }
  std::size_t taken = 0;
  while (!free.empty()) {
    const std::uint32_t box = free.back();
    free.pop_back();
    ++taken;
    auto arrow = std::lower_bound(drawing.arrows.begin(), drawing.arrows.end(), Arrow{box, 0});
    for (; arrow != drawing.arrows.end() && arrow->from == box; ++arrow) {
      if (--waiting[arrow->to] == 0) free.push_back(arrow->to);
    }
  }
  return taken < drawing.boxes.size();
}

}  // namespace

bool Tidy(Drawing& drawing) {
  std::vector<Arrow>& arrows = drawing.arrows;
  std::sort(arrows.begin(), arrows.end());
  arrows.erase(std::unique(arrows.begin(), arrows.end()), arrows.end());
  if (HasCircle(drawing)) return false;
  Detours detours(drawing);
  std::vector<Arrow> kept;
  for (const Arrow& arrow : arrows) {
    if (!detours.Lead(arrow)) kept.push_back(arrow);
  }
  arrows = std::move(kept);
  return true;
}

DrawingSize Measure(const Drawing& drawing) {
  DrawingSize size{drawing.boxes.size(), drawing.arrows.size()};
  for (const Box& box : drawing.boxes) {
    const DrawingSize inside = Measure(box.inside);
    size.boxes += inside.boxes;
    size.arrows += inside.arrows;
  }
  return size;
}

std::string TitleWithCount(const Box& box) {
  if (box.count == 1) return box.title;
  if (box.title.empty()) return fmt::format("{} chains", box.count);
  return fmt::format("{} \u00d7 {}", box.count, box.title);
}

}  // namespace wheelwright
