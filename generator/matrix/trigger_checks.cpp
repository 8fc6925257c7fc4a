#include "generator/matrix/trigger_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wheelwright {
namespace {

const Node* ColumnsOf(const Matrix& matrix, std::string_view family, std::string_view platform) {
  const Node* columns = Find(Find(matrix.families, family), platform);
  return columns != nullptr && columns->is_mapping() ? columns : nullptr;
}

const Node* PytorchFailure(const Node* columns) {
  const Node* failure = Find(Find(columns, "known_failures"), "pytorch");
  return failure != nullptr && failure->is_string() ? failure : nullptr;
}

// PyTorch is never built where it is known to fail, so naming such a family asks for nothing.
void CheckNamedFamily(const Matrix& matrix, std::string_view trigger, const Node& name,
                      Diagnostics& diagnostics) {
  Diagnostic diagnostic{
      .code = "known-failure-selected",
      .message = fmt::format("'{}' builds PyTorch for '{}', which is known to fail wherever "
                             "it is built",
                             trigger, name.text),
      .where = name.where};
  for (const Entry& platform : matrix.platforms->entries) {
    const Node* columns = ColumnsOf(matrix, name.text, platform.key->text);
    if (columns == nullptr) continue;
    const Node* failure = PytorchFailure(columns);
    if (failure == nullptr) return;
    diagnostic.related.push_back({failure->where, fmt::format("fails on {}", platform.key->text)});
  }
  if (!diagnostic.related.empty()) diagnostics.Report(std::move(diagnostic));
}

}  // namespace

void CheckTriggers(const Matrix& matrix, Diagnostics& diagnostics) {
  for (const Entry& trigger : matrix.triggers->entries) {
    const std::string_view name = trigger.key->text;
    const Node* pytorch = Find(trigger.value, "pytorch");
    const Node* tiers = Find(trigger.value, "tiers");
    for (const Node* item : pytorch == nullptr ? std::span<const Node* const>{} : pytorch->items) {
      CheckNamedFamily(matrix, name, *item, diagnostics);
      const std::string_view tier = FindText(Find(matrix.families, item->text), "tier");
      const bool taken =
          tiers == nullptr || std::any_of(tiers->items.begin(), tiers->items.end(),
                                          [&](const Node* t) { return t->text == tier; });
      if (taken || tier.empty()) continue;
      diagnostics.Report(
          {.code = "family-not-built",
           .message = fmt::format("'{}' builds PyTorch for '{}' and not the ROCm below it", name,
                                  item->text),
           .where = item->where,
           .notes = {fmt::format("'{}' is of the tier '{}', which is not among the trigger's tiers",
                                 item->text, tier)}});
    }
    if (const Node* labels = Find(trigger.value, "labels")) {
      for (const Entry& label : labels->entries) {
        for (const Node* item : label.value->items) {
          CheckNamedFamily(matrix, fmt::format("{}", label.key->text), *item, diagnostics);
        }
      }
    }
  }
}

}  // namespace wheelwright
