// Counts the jobs of strategy.matrix
// (https://docs.github.com/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations).
#include <algorithm>
#include <vector>

#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// Larger products are not expanded: they exceed all limits.
constexpr std::size_t kMostCombinations = 1 << 16;

class Legs {
 public:
  std::size_t Count(const Node& matrix) {
    const Node* include = nullptr;
    const Node* exclude = nullptr;
    std::size_t product = 1;
    for (const Entry& entry : matrix.entries) {
      if (entry.key->text == "include") {
        include = entry.value;
      } else if (entry.key->text == "exclude") {
        exclude = entry.value;
      } else {
        axes_.push_back(&entry);
        if (!entry.value->is_sequence()) return 0;
        product *= entry.value->items.size();
        if (product > kMostCombinations) return product;
      }
    }
    if ((include && !include->is_sequence()) || (exclude && !exclude->is_sequence())) return 0;
    if (axes_.empty()) product = 0;
    Unfold(product);
    if (exclude) {
      for (const Node* row : exclude->items) {
        std::erase_if(combinations_,
                      [&](std::size_t combination) { return Excluded(combination, *row); });
      }
    }
    std::size_t legs = combinations_.size();
    if (include) {
      for (const Node* row : include->items) {
        const auto extends = [&](std::size_t combination) { return Extends(combination, *row); };
        if (std::ranges::none_of(combinations_, extends)) ++legs;
      }
    }
    return legs;
  }

 private:
  void Unfold(std::size_t product) {
    for (std::size_t i = 0; i < product; ++i) combinations_.push_back(i);
  }

  // A combination is a number whose digits are positions in the axes.
  const Node* Value(std::size_t combination, std::string_view axis) const {
    for (const Entry* one : axes_) {
      const std::size_t size = one->value->items.size();
      if (one->key->text == axis) return one->value->items[combination % size];
      combination /= size;
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

  std::vector<const Entry*> axes_;
  std::vector<std::size_t> combinations_;
};

}  // namespace

std::size_t MatrixLegs(const Node& matrix) {
  return matrix.is_mapping() ? Legs().Count(matrix) : 0;
}

}  // namespace wheelwright
