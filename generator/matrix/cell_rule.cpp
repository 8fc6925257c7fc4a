#include "generator/matrix/cell_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

bool NamesValue(const std::vector<const Node*>& values, const AxisValue& value) {
  return std::ranges::any_of(values, [&](const Node* name) { return value.Answers(name->text); });
}

bool NamesMember(const std::vector<const Node*>& values, const AxisValue& value) {
  return value.group != nullptr && std::ranges::any_of(values, [&](const Node* name) {
           return std::ranges::any_of(value.members, [&](const AxisMember& member) {
             return member.key == name->text || member.name == name->text;
           });
         });
}

// Whether the rule is about the values on which a value depends.
bool IsNear(const CellRule& rule, const CellSet& set, const AxisValue& value) {
  return std::ranges::all_of(value.outer, [&](std::uint32_t at) {
    const AxisValue& outer = set.values[at];
    const auto position = std::ranges::find(set.schema->axes, outer.axis);
    const auto& given = rule.values[static_cast<std::size_t>(position - set.schema->axes.begin())];
    return !given || NamesValue(*given, outer);
  });
}

std::string On(const CellSet& set, const AxisValue& value) {
  std::string where;
  for (const std::uint32_t at : value.outer) where.append(" ").append(set.values[at].key);
  return where.empty() ? "" : " on" + where;
}

// Why a name that exists is on no axis. That a row is not there says least.
void ExplainMissing(const CellRule& rule, std::string_view name, std::size_t axis,
                    std::span<const CellSet* const> sets, Diagnostic& diagnostic) {
  for (const bool absent : {false, true}) {
    if (!diagnostic.related.empty()) break;
    for (const CellSet* set : sets) {
      for (const AxisValue& value : set->values) {
        if (value.axis != axis || value.out == nullptr || !value.Answers(name)) continue;
        if ((value.out->kind == OutKind::kAbsent) != absent || !IsNear(rule, *set, value)) continue;
        diagnostic.related.push_back(
            {value.out->where, fmt::format("out{}: {}", On(*set, value), value.out->text)});
      }
    }
  }
  if (!diagnostic.related.empty()) diagnostic.hint.clear();  // the name was meant
}

}  // namespace

bool IsRemark(std::string_view key) { return key == "why" || key == "issue"; }

CellRule ReadRule(const Node& row, const Schema& schema, const SetSchema& set) {
  CellRule rule;
  rule.row = &row;
  for (const std::size_t axis : set.axes) {
    auto& values = rule.values.emplace_back();
    const Node* value = Find(&row, schema.axes[axis].name);
    if (value == nullptr || value->is_null()) continue;
    values.emplace();
    if (value->is_sequence()) {
      values->assign(value->items.begin(), value->items.end());
    } else {
      values->push_back(value);
    }
  }
  return rule;
}

std::vector<CellRule> Unfold(const CellRule& rule) {
  std::vector<CellRule> unfolded{rule};
  for (std::size_t axis = 0; axis < rule.values.size(); ++axis) {
    if (!rule.values[axis]) continue;
    std::vector<CellRule> next;
    for (const CellRule& one : unfolded) {
      for (const Node* value : *rule.values[axis]) {
        next.push_back(one);
        *next.back().values[axis] = {value};
      }
    }
    unfolded = std::move(next);
  }
  return unfolded;
}

SourceRange PlaceOf(const Node& row) {
  const SourceRange* first = nullptr;
  for (const Entry& entry : row.entries) {
    const SourceRange& key = entry.key->where;
    if (key.known() && (first == nullptr || key.begin < first->begin)) first = &key;
  }
  return first == nullptr ? row.where : *first;
}

RuleReach::RuleReach(const CellRule& rule, const CellSet& set, const Schema& schema)
    : marks_(set.values.size(), Mark::kNone) {
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const AxisValue& value = set.values[i];
    const auto position = std::ranges::find(set.schema->axes, value.axis);
    const auto& given = rule.values[static_cast<std::size_t>(position - set.schema->axes.begin())];
    if (!given || NamesValue(*given, value)) {
      marks_[i] = Mark::kWhole;
    } else if (schema.axes[value.axis].groups.removable && NamesMember(*given, value)) {
      marks_[i] = Mark::kMembers;
    }
  }
}

bool CheckValues(const CellRule& rule, std::span<const CellSet* const> sets, const Schema& schema,
                 std::string_view owner, bool members, Diagnostics& diagnostics) {
  bool all_there = true;
  const SetSchema& kind = *sets.front()->schema;
  for (std::size_t i = 0; i < rule.values.size(); ++i) {
    if (!rule.values[i]) continue;
    const AxisSchema& axis = schema.axes[kind.axes[i]];
    std::vector<std::string_view> known;
    for (const CellSet* set : sets) {
      for (const AxisValue& value : set->values) {
        if (value.axis != kind.axes[i] || value.out != nullptr || !IsNear(rule, *set, value)) {
          continue;
        }
        known.push_back(value.key);
        known.push_back(value.name);
        if (!members || !axis.groups.removable || value.group == nullptr) continue;
        for (const AxisMember& member : value.members) {
          known.push_back(member.key);
          known.push_back(member.name);
        }
      }
    }
    for (const Node* value : *rule.values[i]) {
      if (std::ranges::find(known, value->text) != known.end()) continue;
      all_there = false;
      Diagnostic diagnostic{
          .code = "unused-exclude",
          .message = fmt::format("no {} of {} has {} '{}', so this exclude takes out none",
                                 kind.noun, owner, axis.name, value->text),
          .where = value->where,
          .hint = DidYouMean(value->text, known)};
      ExplainMissing(rule, value->text, kind.axes[i], sets, diagnostic);
      diagnostics.Report(std::move(diagnostic));
    }
  }
  return all_there;
}

void ReportUnusedExclude(const Node& row, const SetSchema& set, std::string_view owner,
                         const OutReason* before, Diagnostics& diagnostics) {
  Diagnostic diagnostic{
      .code = "unused-exclude",
      .message = fmt::format("this exclude takes out no {} of {}", set.noun, owner),
      .where = PlaceOf(row)};
  if (before != nullptr) {
    diagnostic.related.push_back({before->where, "this takes out what it fits"});
  } else {
    diagnostic.notes.push_back(fmt::format("no {} has all these values at once", set.noun));
  }
  diagnostics.Report(std::move(diagnostic));
}

void ReportUnusedInclude(const CellRule& rule, const SetSchema& set, std::string_view owner,
                         Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "unused-include",
       .message = fmt::format("this include adds nothing to {}", owner),
       .where = PlaceOf(*rule.row),
       .notes = {fmt::format("the {} that it fits are there without it, and it has no further "
                             "column",
                             set.plural)}});
}

void ReportIncompleteInclude(const CellRule& rule, const CellSet& set, const Schema& schema,
                             std::string_view owner, Diagnostics& diagnostics) {
  const SetSchema& kind = *set.schema;
  std::vector<std::string> given, missing;
  for (std::size_t i = 0; i < rule.values.size(); ++i) {
    const std::string_view axis = schema.axes[kind.axes[i]].name;
    if (rule.values[i]) {
      given.push_back(fmt::format("{} '{}'", axis, rule.values[i]->front()->text));
    } else {
      missing.push_back(fmt::format("'{}'", axis));
    }
  }
  Diagnostic diagnostic{
      .code = "unused-include",
      .message = fmt::format("no {} of {} has {}, and a new one also needs {}", kind.noun, owner,
                             JoinWords(given), JoinWords(missing)),
      .where = PlaceOf(*rule.row)};
  if (given.empty()) {
    diagnostic.message = fmt::format("{} has no {} that this include could fit", owner, kind.noun);
  }
  // Out of one value of several: point at the one.
  for (std::size_t i = 0; i < rule.values.size(); ++i) {
    if (!rule.values[i]) continue;
    const bool known = std::ranges::any_of(set.branches, [&](const CellBranch& branch) {
      return std::ranges::any_of(branch.cells, [&](const Cell& cell) {
        return cell.out == nullptr && NamesValue(*rule.values[i], set.values[cell.at[i]]);
      });
    });
    if (known) continue;
    diagnostic.where = rule.values[i]->front()->where;
    break;
  }
  diagnostics.Report(std::move(diagnostic));
}

void ReportIncludedValue(const Node& name, std::string_view where, const AxisValue* value,
                         Diagnostics& diagnostics) {
  Diagnostic diagnostic{.code = "known-failure-selected",
                        .message = fmt::format("'{}' is not built{}", name.text, where),
                        .where = name.where};
  if (value != nullptr && value->out != nullptr) {
    diagnostic.related.push_back({value->out->where, std::string(value->out->text)});
  }
  diagnostics.Report(std::move(diagnostic));
}

void ReportValueWithoutRow(const AxisSchema& axis, const AxisValue& value, const Node& name,
                           std::string_view where, Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "value-without-row",
       .message = fmt::format("the {} '{}' has no row for {}", axis.noun, name.text, where),
       .where = name.where,
       .hint = "take it out, or write the row",
       .related = {{value.out->where, fmt::format("the {}", axis.noun)}}});
}

void ReportCellsTwice(const CellRule& rule, const SetSchema& set, const Node& first,
                      Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "duplicate-combo",
       .message = fmt::format("this include makes a {} that another include has made", set.noun),
       .where = PlaceOf(*rule.row),
       .related = {{PlaceOf(first), "the first"}},
       .notes = {fmt::format("an include adds its columns to {} of the product alone, never to "
                             "those of other includes",
                             set.plural)}});
}

}  // namespace wheelwright
