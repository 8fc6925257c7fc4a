#include "generator/matrix/read_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "generator/expression/check.h"

namespace wheelwright {
namespace {

using Words = std::vector<std::string_view>;

// The names in {} of a path.
Words HolesOf(std::string_view path) {
  Words holes;
  for (const std::string_view step : Split(path, '.')) {
    if (step.starts_with('{')) holes.push_back(step.substr(1, step.size() - 2));
  }
  return holes;
}

class SetsReader {
 public:
  SetsReader(const Layers& layers, SchemaContext context, Schema& schema)
      : layers_(layers), context_(context), schema_(schema) {}

  void Read() {
    const std::vector<Entry> axes = All(layers_, "axes");
    for (const Entry& axis : axes) schema_.axes.push_back(Axis(axis));
    for (std::size_t i = 0; i < axes.size(); ++i) FindOuter(axes[i], schema_.axes[i]);
    if (FindCircles()) return;
    for (const AxisSchema& axis : schema_.axes) CheckNames(axis);
    for (const Entry& set : All(layers_, "sets")) schema_.sets.push_back(Set(set));
  }

 private:
  void Report(std::string_view code, SourceRange where, std::string message,
              std::string hint = {}) {
    context_.diagnostics.Report(
        {.code = code, .message = std::move(message), .where = where, .hint = std::move(hint)});
  }

  void Unknown(SourceRange where, std::string_view what, std::string_view name,
               const Words& known) {
    Report("unknown-in-schema", where, fmt::format("no {} is called '{}'", what, name),
           DidYouMean(name, known));
  }

  std::string_view Keep(const std::string& text) {
    return context_.arena.Copy(std::string_view(text));
  }

  std::optional<SchemaExpression> Expression(const Node* row, std::string_view column) {
    const Node* text = Find(row, column);
    if (text == nullptr || text->is_null()) return std::nullopt;
    return SchemaExpression::Read(*text, context_.sources, context_.arena, context_.diagnostics);
  }

  // The entry of the table that a column names; reports one that is not there.
  const Entry* TableOf(const Node* row, std::string_view column) {
    const Node* name = Find(row, column);
    return name == nullptr || name->is_null() ? nullptr : TableOf(*name, name->text);
  }
  const Entry* TableOf(const Node& said, std::string_view name) {
    const Entry* table = Look(layers_, "tables", name);
    if (table == nullptr) {
      Unknown(said.where, "table", name, KeysIn(layers_, {"tables"}));
    } else if (!FindText(table->value, "type").starts_with("map of ")) {
      Report("bad-set", said.where, fmt::format("the table '{}' has no rows with keys", name),
             "its type has to be a map");
      return nullptr;
    }
    return table;
  }

  static std::string_view KeyColumn(const Entry& table) {
    const std::string_view key = FindText(table.value, "key");
    return key.empty() ? "key" : key;
  }

  AxisSchema Axis(const Entry& entry) {
    const Node* said = entry.value;
    AxisSchema axis;
    axis.name = entry.key->text;
    axis.key = entry.key;
    axis.noun = Or(FindText(said, "noun"), axis.name);
    if (const Entry* table = TableOf(said, "table")) {
      axis.table = table->key->text;
      axis.key_column = KeyColumn(*table);
    } else if (FindEntry(said, "values") == nullptr && FindEntry(said, "table") == nullptr) {
      Report("bad-set", entry.key->where,
             fmt::format("nothing says what the values of '{}' are", axis.name),
             "write `table`, `values`, or both");
    }
    axis.values = FindText(said, "values");
    axis.row = FindText(said, "row");
    axis.alias = FindText(said, "alias");
    axis.list = Or(FindText(said, "list"), Keep(fmt::format("{}s", axis.name)));
    axis.back = FindText(said, "back");
    axis.out = FindText(said, "out");
    axis.out_text = Or(FindText(said, "out_text"), "known failure");
    axis.all_used = IsTrue(said, "all_used");
    axis.id = Expression(said, "id");
    axis.label = Expression(said, "label");
    axis.brief = Expression(said, "brief");
    axis.ranges = IsTrue(said, "ranges");
    axis.row_columns = ReadComputedColumns(Find(said, "rows"), context_);
    axis.columns = ReadComputedColumns(Find(said, "columns"), context_);
    if (const Node* groups = Find(said, "groups")) axis.groups = Groups(groups);
    return axis;
  }

  static std::string_view Or(std::string_view said, std::string_view otherwise) {
    return said.empty() ? otherwise : said;
  }

  GroupSchema Groups(const Node* said) {
    GroupSchema groups;
    if (const Entry* table = TableOf(said, "table")) groups.table = table->key->text;
    groups.members = FindText(said, "members");
    groups.removable = IsTrue(said, "removable");
    constexpr std::pair<std::string_view, Merge> kRules[] = {{"union", Merge::kUnion},
                                                             {"all", Merge::kAll},
                                                             {"any", Merge::kAny},
                                                             {"common", Merge::kCommon}};
    const Node* merge = Find(said, "merge");
    for (const Entry& rule : merge == nullptr ? std::span<const Entry>() : merge->entries) {
      MergeRule read{.column = rule.key->text, .how = Merge::kFirst};
      for (const auto& [word, how] : kRules) {
        if (rule.value->text == word) read.how = how;
      }
      if (read.how == Merge::kFirst) {
        read.table = rule.value->text.substr(std::string_view("first of ").size());
        TableOf(*rule.value, read.table);
      }
      groups.merge.push_back(read);
    }
    return groups;
  }

  std::optional<std::size_t> Position(std::string_view axis) const {
    const auto found = std::ranges::find(schema_.axes, axis, &AxisSchema::name);
    if (found == schema_.axes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - schema_.axes.begin());
  }

  // The axes that the paths of an axis name.
  void FindOuter(const Entry& entry, AxisSchema& axis) {
    const auto add = [&](const Node* said, std::string_view name) {
      const auto at = Position(name);
      if (!at) return Unknown(said->where, "axis", name, KeysIn(layers_, {"axes"}));
      if (std::ranges::find(axis.outer, *at) == axis.outer.end()) axis.outer.push_back(*at);
    };
    for (const std::string_view column : {"values", "row", "out"}) {
      const Node* path = Find(entry.value, column);
      if (path == nullptr) continue;
      for (const std::string_view hole : HolesOf(path->text)) add(path, hole);
    }
    const Node* there = Find(Find(entry.value, "groups"), "there");
    if (there == nullptr) return;
    for (const Entry& one : there->entries) {
      add(one.key, one.key->text);
      if (Position(one.key->text)) axis.groups.there.emplace_back(one.key->text, one.value->text);
    }
  }

  bool FindCircles() {
    std::vector<Embedding> all;
    for (const AxisSchema& axis : schema_.axes) {
      for (const std::size_t outer : axis.outer) {
        all.push_back({axis.name, schema_.axes[outer].name, axis.key->where});
      }
    }
    const Embedding* found = FindCircle(all);
    if (found == nullptr) return false;
    const bool self = found->in == found->table;
    Report(
        "schema-circle", found->where,
        self ? fmt::format("the axis '{}' depends on itself", found->in)
             : fmt::format("the axes '{}' and '{}' depend on each other", found->in, found->table));
    return true;
  }

  // Names that are neither tables nor among these.
  void CheckNames(const SchemaExpression& expression, const Words& own) {
    expression.ForEachName([&](const Expr& name, std::optional<std::string_view>) {
      if (std::ranges::find(own, name.name) != own.end()) return;
      if (Look(layers_, "tables", name.name) != nullptr) return;
      Words visible = own;
      for (const std::string_view table : KeysIn(layers_, {"tables"})) visible.push_back(table);
      const ExpressionError error = UnknownName(name, visible);
      Report("schema-expression", expression.Locate(name, context_.sources), error.message,
             error.hint);
    });
  }

  void CheckNames(std::span<const ComputedColumn> columns, const Words& own) {
    ForEachExpression(
        columns, [&](const SchemaExpression& expression, std::span<const std::string_view> lists) {
          Words names = own;
          names.insert(names.end(), lists.begin(), lists.end());
          CheckNames(expression, names);
        });
  }

  void CheckNames(const AxisSchema& axis) {
    Words names;
    for (const std::size_t outer : axis.outer) names.push_back(schema_.axes[outer].name);
    const auto with = [&](std::initializer_list<std::string_view> more) {
      Words all = names;
      all.insert(all.end(), more);
      return all;
    };
    CheckNames(axis.row_columns, with({"key", "row", "of"}));
    CheckNames(axis.columns, with({"key", "members", "group"}));
    const Words value = with({"key", "row", "members", "group"});
    if (axis.id) CheckNames(*axis.id, value);
    if (axis.label) CheckNames(*axis.label, value);
    if (axis.brief) CheckNames(*axis.brief, value);
  }

  SetSchema Set(const Entry& entry) {
    const Node* said = entry.value;
    SetSchema set;
    set.name = entry.key->text;
    set.key = entry.key;
    set.noun = Or(FindText(said, "noun"), "cell");
    set.plural = Or(FindText(said, "plural"), Keep(fmt::format("{}s", set.noun)));
    if (const Entry* table = TableOf(said, "table")) {
      set.table = table->key->text;
      const auto same = std::ranges::find(schema_.sets, set.table, &SetSchema::table);
      if (same != schema_.sets.end()) {
        Report("bad-set", Find(said, "table")->where,
               fmt::format("the rows of '{}' are sets of '{}' already", set.table, same->name));
      }
    }
    set.seen_as = Or(FindText(said, "seen_as"), set.table);
    if (set.seen_as != set.table && Look(layers_, "tables", set.seen_as) != nullptr) {
      Report("name-taken", Find(said, "seen_as")->where,
             fmt::format("templates see a table '{}'", set.seen_as));
    }
    AddAxes(said, set);
    set.cells = Or(FindText(said, "cells"), set.plural);
    set.id = Expression(said, "id");
    set.label = Expression(said, "label");
    set.columns = ReadComputedColumns(Find(said, "columns"), context_);
    if (const Node* defaults = Find(said, "defaults")) {
      set.defaults.assign(defaults->entries.begin(), defaults->entries.end());
    }
    if (const Node* takers = Find(said, "takers"); takers != nullptr && takers->is_mapping()) {
      if (const Entry* table = TableOf(takers, "table")) {
        const std::string_view plural = FindText(table->value, "plural");
        set.takers.table = table->key->text;
        set.takers.plural = plural.empty() ? Keep(Spaced(set.takers.table)) : plural;
        set.takers.noun = Or(NounOf(layers_, *table), set.takers.plural);
      }
      set.takers.chosen = FindText(takers, "chosen");
      set.takers.exclude = Or(FindText(takers, "exclude"), "exclude");
    }
    Words names(std::begin(kCellNames), std::end(kCellNames));
    for (const std::size_t axis : set.axes) names.push_back(schema_.axes[axis].name);
    if (set.id) CheckNames(*set.id, names);
    if (set.label) CheckNames(*set.label, names);
    CheckNames(set.columns, names);
    set.view = View(Find(said, "view"), std::move(names));
    return set;
  }

  ViewSchema View(const Node* said, Words names) {
    ViewSchema view;
    names.push_back("cell");
    view.heading = Or(FindText(said, "heading"), "state");
    view.columns = ReadComputedColumns(Find(said, "columns"), context_);
    CheckNames(view.columns, names);
    view.rows = ReadComputedColumns(Find(said, "rows"), context_);
    CheckNames(view.rows, names);
    const auto names_in = [&](std::string_view column) {
      const Node* list = Find(said, column);
      return list == nullptr ? std::span<const Node* const>() : list->items;
    };
    for (const Node* name : names_in("filters")) {
      view.filters.push_back(name->text);
      if (std::ranges::find(view.rows, name->text, &ComputedColumn::name) != view.rows.end())
        continue;
      Words known;
      for (const ComputedColumn& row : view.rows) known.push_back(row.name);
      Unknown(name->where, "column of `rows`", name->text, known);
    }
    for (const Node* table : names_in("explain")) {
      if (TableOf(*table, table->text) != nullptr) view.explain.push_back(table->text);
    }
    const Node* states = Find(said, "states");
    for (const Node* one : states == nullptr ? std::span<const Node* const>() : states->items) {
      StateSchema state{.when = Expression(one, "when"),
                        .says = Expression(one, "says"),
                        .mend = Expression(one, "mend"),
                        .title = FindText(one, "title"),
                        .sign = Or(FindText(one, "sign"), "●"),
                        .dead_end = IsTrue(one, "dead_end")};
      for (const auto* expression : {&state.when, &state.says, &state.mend}) {
        if (*expression) CheckNames(**expression, names);
      }
      view.states.push_back(std::move(state));
    }
    // What no state fits is in all the same.
    if (view.states.empty() || view.states.back().when) {
      view.states.push_back({.when = {}, .says = {}, .mend = {}, .title = "in", .sign = "●"});
    }
    return view;
  }

  void AddAxes(const Node* said, SetSchema& set) {
    for (const Node* name : Find(said, "axes")->items) {
      const auto at = Position(name->text);
      if (!at) {
        Unknown(name->where, "axis", name->text, KeysIn(layers_, {"axes"}));
        continue;
      }
      for (const std::size_t outer : schema_.axes[*at].outer) {
        if (std::ranges::find(set.axes, outer) != set.axes.end()) continue;
        Report("bad-set", name->where,
               fmt::format("'{}' depends on '{}', which does not stand in front of it", name->text,
                           schema_.axes[outer].name));
      }
      set.axes.push_back(*at);
    }
    const Node* nest = Find(said, "nest");
    for (const Node* name : nest == nullptr ? std::span<const Node* const>() : nest->items) {
      const std::size_t at = set.nested++;
      const std::size_t left = set.axes.size() - std::min(at, set.axes.size());
      if (left > 1 && schema_.axes[set.axes[at]].name == name->text) continue;
      Report("bad-set", name->where,
             left <= 1 ? "no axis is left for the cells"
                       : fmt::format("the axis '{}' is next", schema_.axes[set.axes[at]].name));
      break;
    }
  }

  const Layers& layers_;
  const SchemaContext context_;
  Schema& schema_;
};

}  // namespace

const Node* FollowPath(const Node* from, std::string_view path, const AxisKey& key) {
  for (const std::string_view step : Split(path, '.')) {
    const bool is_hole = step.starts_with('{');
    from = Find(from, is_hole ? key(step.substr(1, step.size() - 2)) : step);
  }
  return from;
}

void ReadSets(const Layers& layers, SchemaContext context, Schema& schema) {
  SetsReader(layers, context, schema).Read();
}

}  // namespace wheelwright
