#include "generator/graph/layout.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "generator/graph/text_width.h"

namespace wheelwright {
namespace {

constexpr double kBetweenLayers = 52;
constexpr double kBetweenLayersMost = 110;
constexpr double kBetweenBoxes = 16;
constexpr double kBetweenLanes = 8;
constexpr double kInsidePadding = 14;
constexpr int kSweeps = 12;

constexpr std::uint32_t kLane = ~0U;

// A box in its layer, or the lane of an arrow that passes.
struct Spot {
  std::uint32_t box = kLane;
  std::size_t layer = 0;
  double height = 0;
  double center = 0;
  double wish = 0;
  std::vector<std::uint32_t> left, right;  // spots of the neighbouring layers
};

double TextWidthOf(const Box& box) {
  double width = TextWidth(TitleWithCount(box), Face::kSansBold, kTitleSize);
  for (const std::string& line : box.lines) {
    width = std::max(width, TextWidth(line, Face::kSans, kLineSize));
  }
  return width;
}

PlacedBox SizeOf(const Box& box) {
  PlacedBox placed;
  const bool titled = box.count > 1 || !box.title.empty();
  const double text_height =
      (titled ? kTitleHeight : 0) + static_cast<double>(box.lines.size()) * kLineHeight;
  placed.width = TextWidthOf(box) + 2 * kBoxPaddingX;
  placed.height = text_height + 2 * kBoxPaddingY;
  if (!box.inside.boxes.empty()) {
    placed.inside = LayOut(box.inside);
    placed.inside_at = {kInsidePadding, text_height + kInsidePadding};
    if (text_height > 0) placed.inside_at.y += kBoxPaddingY / 2;
    placed.width = std::max(placed.width, placed.inside.width + 2 * kInsidePadding);
    placed.height = placed.inside_at.y + placed.inside.height + kInsidePadding;
  }
  if (box.count > 1) {
    placed.width += 2 * kStackStep;
    placed.height += 2 * kStackStep;
  }
  return placed;
}

class LayerLayout {
 public:
  explicit LayerLayout(const Drawing& drawing) : drawing_(drawing) {}

  Layout Run() {
    for (const Box& box : drawing_.boxes) layout_.boxes.push_back(SizeOf(box));
    FindLayers();
    MakeSpots();
    Order();
    PlaceVertically();
    PlaceHorizontally();
    DrawArrows();
    return std::move(layout_);
  }

 private:
  void FindLayers() {
    const std::size_t count = drawing_.boxes.size();
    layer_.assign(count, 0);
    // Arrows that close a circle would push boxes on forever; no longest path has more steps than
    // there are boxes.
    bool moved = true;
    for (std::size_t round = 0; moved && round < count; ++round) {
      moved = false;
      for (const Arrow& arrow : drawing_.arrows) {
        if (layer_[arrow.to] > layer_[arrow.from]) continue;
        if (layer_[arrow.from] + 1 >= count) continue;
        layer_[arrow.to] = layer_[arrow.from] + 1;
        moved = true;
      }
    }
    // What nothing points at stands next to what it is for.
    for (std::uint32_t box = 0; box < count; ++box) {
      std::size_t nearest = std::numeric_limits<std::size_t>::max();
      bool source = true;
      for (const Arrow& arrow : drawing_.arrows) {
        if (arrow.to == box) source = false;
        if (arrow.from == box) nearest = std::min(nearest, layer_[arrow.to]);
      }
      if (source && nearest != std::numeric_limits<std::size_t>::max()) layer_[box] = nearest - 1;
    }
  }

  std::uint32_t AddSpot(Spot spot) {
    const auto at = static_cast<std::uint32_t>(spots_.size());
    if (layers_.size() <= spot.layer) layers_.resize(spot.layer + 1);
    layers_[spot.layer].push_back(at);
    spots_.push_back(std::move(spot));
    return at;
  }

  void Join(std::uint32_t left, std::uint32_t right) {
    spots_[left].right.push_back(right);
    spots_[right].left.push_back(left);
  }

  void MakeSpots() {
    for (std::uint32_t box = 0; box < drawing_.boxes.size(); ++box) {
      AddSpot({.box = box, .layer = layer_[box], .height = layout_.boxes[box].height});
    }
    for (const Arrow& arrow : drawing_.arrows) {
      std::vector<std::uint32_t>& way = ways_.emplace_back();
      way.push_back(arrow.from);
      for (std::size_t layer = layer_[arrow.from] + 1; layer < layer_[arrow.to]; ++layer) {
        way.push_back(AddSpot({.layer = layer}));
        Join(way[way.size() - 2], way.back());
      }
      way.push_back(arrow.to);
      if (layer_[arrow.from] < layer_[arrow.to]) Join(way[way.size() - 2], way.back());
    }
    rank_.resize(spots_.size());
    for (const auto& layer : layers_) NoteRanks(layer);
  }

  void NoteRanks(const std::vector<std::uint32_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) rank_[layer[i]] = i;
  }

  void Order() {
    std::vector<std::vector<std::uint32_t>> best = layers_;
    std::size_t fewest = Crossings();
    for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
      const bool rightwards = sweep % 2 == 0;
      for (std::size_t step = 1; step < layers_.size(); ++step) {
        OrderLayer(layers_[rightwards ? step : layers_.size() - 1 - step], rightwards);
      }
      const std::size_t crossings = Crossings();
      if (crossings < fewest) {
        fewest = crossings;
        best = layers_;
      }
    }
    layers_ = std::move(best);
    for (const auto& layer : layers_) NoteRanks(layer);
  }

  void OrderLayer(std::vector<std::uint32_t>& layer, bool by_left) {
    std::vector<std::pair<double, std::uint32_t>> wishes;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const Spot& spot = spots_[layer[i]];
      const std::vector<std::uint32_t>& neighbours = by_left ? spot.left : spot.right;
      double wish = static_cast<double>(i);
      if (!neighbours.empty()) {
        double sum = 0;
        for (const std::uint32_t other : neighbours) sum += static_cast<double>(rank_[other]);
        wish = sum / static_cast<double>(neighbours.size());
      }
      wishes.emplace_back(wish, layer[i]);
    }
    std::stable_sort(wishes.begin(), wishes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = wishes[i].second;
    NoteRanks(layer);
  }

  // Pairs of arrows between neighbouring layers that cross, counted with a Fenwick tree.
  std::size_t Crossings() const {
    std::size_t crossings = 0;
    for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
      std::vector<std::size_t> tree(layers_[layer + 1].size() + 1);
      std::size_t placed = 0;
      std::vector<std::size_t> ends;
      for (const std::uint32_t spot : layers_[layer]) {
        ends.clear();
        for (const std::uint32_t other : spots_[spot].right) ends.push_back(rank_[other] + 1);
        for (const std::size_t end : ends) {
          std::size_t above = 0;
          for (std::size_t i = end; i > 0; i -= i & (~i + 1)) above += tree[i];
          crossings += placed - above;
        }
        for (const std::size_t end : ends) {
          for (std::size_t i = end; i < tree.size(); i += i & (~i + 1)) ++tree[i];
          ++placed;
        }
      }
    }
    return crossings;
  }

  double Distance(const Spot& above, const Spot& below) const {
    const bool lane = above.box == kLane || below.box == kLane;
    return (above.height + below.height) / 2 + (lane ? kBetweenLanes : kBetweenBoxes);
  }

  void PlaceVertically() {
    for (const auto& layer : layers_) {
      double y = 0;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        if (i > 0) y += Distance(spots_[layer[i - 1]], spots_[layer[i]]);
        spots_[layer[i]].center = y;
      }
    }
    for (int sweep = 0; sweep < 2 * kSweeps; ++sweep) {
      const bool rightwards = sweep % 2 == 0;
      for (std::size_t step = 0; step < layers_.size(); ++step) {
        MoveLayer(layers_[rightwards ? step : layers_.size() - 1 - step], true);
      }
    }
    // So that what follows one box alone stands level with it.
    for (const auto& layer : layers_) MoveLayer(layer, false);
    double top = std::numeric_limits<double>::max();
    for (const Spot& spot : spots_) top = std::min(top, spot.center - spot.height / 2);
    for (Spot& spot : spots_) {
      spot.center = std::max(0.0, spot.center - top);
      layout_.height = std::max(layout_.height, spot.center + spot.height / 2);
    }
  }

  // As near to the neighbours as order and distances allow, by least squares: where two would come
  // too close, they move on as one block (pool adjacent violators).
  void MoveLayer(const std::vector<std::uint32_t>& layer, bool by_both) {
    struct Block {
      double sum, weight;
      std::size_t size;
      double center() const { return sum / weight; }
    };
    std::vector<Block> blocks;
    std::vector<double> offsets;
    double offset = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const Spot& spot = spots_[layer[i]];
      if (i > 0) offset += Distance(spots_[layer[i - 1]], spot);
      offsets.push_back(offset);
      double sum = 0;
      std::size_t neighbours = spot.left.size();
      for (const std::uint32_t other : spot.left) sum += spots_[other].center;
      if (by_both) {
        neighbours += spot.right.size();
        for (const std::uint32_t other : spot.right) sum += spots_[other].center;
      }
      const auto count = static_cast<double>(neighbours);
      const double wish = count > 0 ? sum / count : spot.center;
      // Lanes should be straight; a box without arrows gives way.
      const double weight = spot.box == kLane ? 4 : count > 0 ? 1 : 0.05;
      blocks.push_back({(wish - offset) * weight, weight, 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].center() > blocks.back().center()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().weight += last.weight;
        blocks.back().size += last.size;
      }
    }
    std::size_t at = 0;
    for (const Block& block : blocks) {
      for (std::size_t i = 0; i < block.size; ++i, ++at) {
        spots_[layer[at]].center = block.center() + offsets[at];
      }
    }
  }

  bool IsClosed(std::uint32_t box) const { return drawing_.boxes[box].inside.boxes.empty(); }

  void PlaceHorizontally() {
    double x = 0;
    for (const auto& layer : layers_) {
      double width = 0;
      double closed_width = 0;
      std::size_t arrows = 0;
      for (const std::uint32_t spot : layer) {
        arrows += spots_[spot].right.size();
        if (spots_[spot].box == kLane) continue;
        const double own = layout_.boxes[spots_[spot].box].width;
        width = std::max(width, own);
        if (IsClosed(spots_[spot].box)) closed_width = std::max(closed_width, own);
      }
      for (const std::uint32_t spot : layer) {
        if (spots_[spot].box == kLane) continue;
        PlacedBox& box = layout_.boxes[spots_[spot].box];
        box.at = {x, spots_[spot].center - box.height / 2};
        // Boxes of one layer are of one width; what holds others keeps to its own.
        if (IsClosed(spots_[spot].box)) box.width = closed_width;
      }
      left_.push_back(x);
      right_.push_back(x + width);
      // Many arrows need more space.
      x += width + std::clamp(static_cast<double>(2 * arrows), kBetweenLayers, kBetweenLayersMost);
    }
    layout_.width = right_.empty() ? 0 : right_.back();
  }

  void DrawArrows() {
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      const Arrow& arrow = drawing_.arrows[i];
      const std::vector<std::uint32_t>& way = ways_[i];
      PlacedArrow placed{arrow, {}};
      const PlacedBox& from = layout_.boxes[arrow.from];
      const Box& start = drawing_.boxes[arrow.from];
      // From the front box of a stack.
      const double sheets = start.count > 1 ? 2 * kStackStep : 0;
      placed.points.push_back({from.at.x + from.width - sheets, spots_[way.front()].center});
      for (std::size_t step = 0; step < way.size(); ++step) {
        const Spot& spot = spots_[way[step]];
        if (step > 0) placed.points.push_back({left_[spot.layer], spot.center});
        if (step + 1 < way.size()) placed.points.push_back({right_[spot.layer], spot.center});
      }
      layout_.arrows.push_back(std::move(placed));
    }
  }

  const Drawing& drawing_;
  Layout layout_;
  std::vector<std::size_t> layer_;  // by box
  std::vector<Spot> spots_;         // those of the boxes first
  std::vector<std::vector<std::uint32_t>> layers_;
  std::vector<std::vector<std::uint32_t>> ways_;  // by arrow: spots
  std::vector<std::size_t> rank_;                 // by spot
  std::vector<double> left_, right_;              // by layer
};

}  // namespace

Layout LayOut(const Drawing& drawing) { return LayerLayout(drawing).Run(); }

}  // namespace wheelwright
