// What stands in a template for a value of the matrix.
#include <fmt/format.h>

#include <algorithm>

#include "generator/import/template_text.h"

namespace wheelwright {
namespace {

bool HoldsQuote(const Node& value) {
  return value.text.find('\'') != std::string_view::npos ||
         std::ranges::any_of(value.items, [](const Node* item) { return HoldsQuote(*item); }) ||
         std::ranges::any_of(value.entries,
                             [](const Entry& entry) { return HoldsQuote(*entry.value); });
}

bool HoldsKind(const LegValues& found, bool (*is)(const Node&)) {
  return std::ranges::all_of(found.values, [&](const Node* value) { return is(*value); });
}

// Whether rows have columns that others lack, which templates see as empty.
bool AreUneven(const LegValues& found) {
  const auto differs = [&](const Node* value) {
    return value->is_mapping() && std::ranges::any_of(found.values, [&](const Node* other) {
             return std::ranges::any_of(other->entries, [&](const Entry& entry) {
               return Find(value, entry.key->text) == nullptr;
             });
           });
  };
  return std::ranges::any_of(found.values, differs);
}

}  // namespace

std::string ObstacleOf(const MatrixUse& use, const std::vector<MatrixLeg>& legs) {
  const std::string name = fmt::format("matrix.{}", fmt::join(use.path, "."));
  for (std::size_t i = 1; i < use.path.size(); ++i) {
    const LegValues outer =
        ValuesOf(legs, {use.path.begin(), use.path.begin() + static_cast<std::ptrdiff_t>(i)});
    if (!HoldsKind(outer, [](const Node& value) { return value.is_mapping(); })) {
      return fmt::format("'{}' is a part of what is no mapping in each leg", name);
    }
  }
  if (!std::ranges::all_of(use.path, IsColumnName)) {
    return fmt::format("no column can be called like '{}'", name);
  }
  const LegValues found = ValuesOf(legs, use.path);
  const bool scalars = HoldsKind(found, [](const Node& value) { return value.is_scalar(); });
  if (!scalars && AreUneven(found)) {
    return fmt::format("'{}' is read as a whole, and its legs have different keys", name);
  }
  if (use.bracketed && !use.sole && !scalars) return fmt::format("'{}' is no text", name);
  if (!use.bracketed &&
      std::ranges::any_of(found.values, [](const Node* value) { return HoldsQuote(*value); })) {
    return fmt::format("a value of '{}' has a quote", name);
  }
  return {};
}

std::string TextFor(const MatrixUse& use, const std::vector<MatrixLeg>& legs,
                    std::string_view variable) {
  const LegValues found = ValuesOf(legs, use.path);
  const std::string path = fmt::format("{}.{}", variable, fmt::join(use.path, "."));
  if (use.bracketed) {
    if (found.values.empty()) return "";
    const bool flag = use.sole && found.missing && use.key == "continue-on-error";
    return fmt::format("$[[ {}{} ]]", path, flag ? " || false" : "");
  }
  if (found.values.empty()) return "''";
  if (HoldsKind(found, [](const Node& value) { return value.is_string(); })) {
    return fmt::format("'$[[ {} ]]'", path);
  }
  const bool plain =
      HoldsKind(found, [](const Node& value) { return value.kind == NodeKind::kBoolean; }) ||
      HoldsKind(found, [](const Node& value) { return value.kind == NodeKind::kNumber; });
  if (plain && !found.missing) return fmt::format("$[[ {} ]]", path);
  return fmt::format("fromJSON('$[[ toJSON({}) ]]')", path);
}

bool NeedsLabel(const Job& job, const MatrixTable& table) {
  if (job.name && job.name.text().find("matrix") != std::string_view::npos) return false;
  return std::ranges::any_of(table.legs, [&](const MatrixLeg& leg) {
    return leg.size() != table.legs.front().size() ||
           std::ranges::any_of(leg, [&](const Entry& entry) {
             return !entry.value->is_scalar() || ValuesOf(table.legs, {entry.key->text}).missing;
           });
  });
}

}  // namespace wheelwright
