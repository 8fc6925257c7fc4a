// Checks a literal strategy.matrix: axes without values, values twice, excludes that take nothing
// out.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

// GitHub makes 256 jobs of a matrix at most, so an axis with more values is wrong as it is, and
// comparing all of its values would take time by the square of their number.
// https://docs.github.com/actions/reference/limits
constexpr std::size_t kMostValues = 256;

// An exclude that takes nothing out, which is a slip in a name or a value: GitHub applies it before
// `include` adds anything.
void CheckExclude(const Checking& checking, const Node& matrix, const Node& row) {
  std::vector<std::string_view> axes;
  for (const Entry& entry : matrix.entries) {
    if (entry.key->text == "include" || entry.key->text == "exclude") continue;
    axes.push_back(entry.key->text);
  }
  for (const Entry& cell : row.entries) {
    const Node* axis = Find(&matrix, cell.key->text);
    if (axis == nullptr) {
      checking.Warn(At(cell.key, "useless-exclude",
                       fmt::format("there is no axis '{}', so nothing is excluded", cell.key->text),
                       DidYouMean(cell.key->text, axes, "there are")));
      return;
    }
    if (!axis->is_sequence() || axis->items.size() > kMostValues || !cell.value->is_scalar() ||
        HoldsExpression(cell.value->text)) {
      continue;
    }
    const bool known = std::ranges::any_of(axis->items, [&](const Node* value) {
      return !value->is_scalar() || HoldsExpression(value->text) ||
             EqualsIgnoringCase(value->text, cell.value->text);
    });
    if (known) continue;
    std::vector<std::string_view> values;
    for (const Node* value : axis->items) values.push_back(value->text);
    checking.Warn(At(cell.value, "useless-exclude",
                     fmt::format("the axis '{}' has no value '{}', so nothing is excluded",
                                 cell.key->text, cell.value->text),
                     DidYouMean(cell.value->text, values, "it has")));
    return;
  }
}

void CheckMatrixRows(const Checking& checking, const Node& matrix) {
  for (const Entry& entry : matrix.entries) {
    if (!entry.value->is_sequence() || entry.key->text == "include") continue;
    const auto& values = entry.value->items;
    if (entry.key->text == "exclude") {
      for (const Node* row : values) {
        if (row->is_mapping()) CheckExclude(checking, matrix, *row);
      }
      continue;
    }
    for (std::size_t i = 1; i < std::min(values.size(), kMostValues); ++i) {
      const auto before = values.first(i);
      const auto same = std::ranges::find_if(
          before, [&](const Node* one) { return SameContent(*one, *values[i]); });
      if (same == before.end()) continue;
      Diagnostic diagnostic =
          At(values[i], "repeated-value",
             fmt::format("the axis '{}' has this value twice", entry.key->text), "leave one out");
      diagnostic.related.push_back({(*same)->where, "the first one"});
      checking.Warn(std::move(diagnostic));
    }
  }
}

// GitHub fails a run whose matrix has an axis without values.
void CheckMatrix(const Checking& checking, const Job& job) {
  if (job.matrix == nullptr || !job.matrix->is_mapping()) return;
  CheckMatrixRows(checking, *job.matrix);
  for (const Entry& axis : job.matrix->entries) {
    if (!axis.value->is_sequence() || !axis.value->items.empty()) continue;
    if (axis.key->text == "include" || axis.key->text == "exclude") continue;
    checking.Report(
        At(axis.value, "empty-section",
           fmt::format("the axis '{}' has no values, so GitHub ends the run", axis.key->text),
           "add one, or leave it out"));
  }
}

}  // namespace

void CheckMatrices(const Checking& checking) {
  for (const Job& job : checking.workflow.jobs) CheckMatrix(checking, job);
}

}  // namespace wheelwright
