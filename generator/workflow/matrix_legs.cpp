#include "generator/workflow/matrix_legs.h"

#include <algorithm>
#include <string_view>

namespace wheelwright {
namespace {

// Larger products are not expanded: they exceed all limits.
constexpr std::size_t kMostCombinations = 1 << 16;

class Legs {
 public:
  // False if the matrix cannot be expanded; `count` then is what is known of it.
  bool Read(const Node& matrix, std::size_t& count) {
    count = 0;
    std::size_t product = 1;
    for (const Entry& entry : matrix.entries) {
      if (entry.key->text == "include") {
        include_ = entry.value;
      } else if (entry.key->text == "exclude") {
        exclude_ = entry.value;
      } else {
        axes_.push_back(&entry);
        if (!entry.value->is_sequence()) return false;
        product *= entry.value->items.size();
        if (product <= kMostCombinations) continue;
        count = product;
        return false;
      }
    }
    if ((include_ && !include_->is_sequence()) || (exclude_ && !exclude_->is_sequence())) {
      return false;
    }
    if (axes_.empty()) product = 0;
    for (std::size_t i = 0; i < product; ++i) combinations_.push_back(i);
    if (exclude_ == nullptr) return true;
    for (const Node* row : exclude_->items) {
      std::erase_if(combinations_,
                    [&](std::size_t combination) { return Excluded(combination, *row); });
    }
    return true;
  }

  std::size_t Count() const {
    std::size_t legs = combinations_.size();
    if (include_ == nullptr) return legs;
    for (const Node* row : include_->items) {
      const auto extends = [&](std::size_t combination) { return Extends(combination, *row); };
      if (std::ranges::none_of(combinations_, extends)) ++legs;
    }
    return legs;
  }

  std::vector<MatrixLeg> Unfold() const {
    std::vector<MatrixLeg> legs;
    for (const std::size_t combination : combinations_) {
      MatrixLeg& leg = legs.emplace_back();
      for (const Entry* axis : axes_) {
        leg.push_back({axis->key, Value(combination, axis->key->text)});
      }
    }
    if (include_ == nullptr) return legs;
    for (const Node* row : include_->items) {
      bool extended = false;
      for (std::size_t i = 0; i < combinations_.size(); ++i) {
        if (!Extends(combinations_[i], *row)) continue;
        extended = true;
        for (const Entry& entry : row->entries) Set(legs[i], entry);
      }
      if (!extended) legs.emplace_back(row->entries.begin(), row->entries.end());
    }
    return legs;
  }

 private:
  // A combination is a number whose digits are positions in the axes.
  const Node* Value(std::size_t combination, std::string_view axis) const {
    for (auto one = axes_.rbegin(); one != axes_.rend(); ++one) {
      const Node& values = *(*one)->value;
      if ((*one)->key->text == axis) return values.items[combination % values.items.size()];
      combination /= values.items.size();
    }
    return nullptr;
  }

  bool Excluded(std::size_t combination, const Node& row) const {
    return row.is_mapping() && std::ranges::all_of(row.entries, [&](const Entry& entry) {
             const Node* value = Value(combination, entry.key->text);
             return value && SameContent(*value, *entry.value);
           });
  }

  // Whether an include adds its columns to this combination without overwriting a value.
  bool Extends(std::size_t combination, const Node& row) const {
    return std::ranges::all_of(row.entries, [&](const Entry& entry) {
      const Node* value = Value(combination, entry.key->text);
      return !value || SameContent(*value, *entry.value);
    });
  }

  // A later include may change what an earlier one added.
  static void Set(MatrixLeg& leg, const Entry& entry) {
    const auto same = std::ranges::find_if(
        leg, [&](const Entry& other) { return other.key->text == entry.key->text; });
    if (same == leg.end()) {
      leg.push_back(entry);
    } else {
      same->value = entry.value;
    }
  }

  std::vector<const Entry*> axes_;
  std::vector<std::size_t> combinations_;
  const Node* include_ = nullptr;
  const Node* exclude_ = nullptr;
};

}  // namespace

std::size_t MatrixLegs(const Node& matrix) {
  std::size_t count = 0;
  Legs legs;
  return matrix.is_mapping() && legs.Read(matrix, count) ? legs.Count() : count;
}

std::vector<MatrixLeg> UnfoldMatrix(const Node& matrix) {
  std::size_t count = 0;
  Legs legs;
  return matrix.is_mapping() && legs.Read(matrix, count) ? legs.Unfold() : std::vector<MatrixLeg>();
}

}  // namespace wheelwright
