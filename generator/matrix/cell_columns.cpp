#include "generator/matrix/cell_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "generator/expression/values.h"

namespace wheelwright {
namespace {

// What an expression reads: a bit for each axis of the set, and these.
using Reads = std::uint64_t;
constexpr Reads kReadsAdded = Reads{1} << 62;
constexpr Reads kReadsTakers = Reads{1} << 63;

// Small numbers, from 0, for pairs of numbers.
class PairNumbers {
 public:
  std::uint32_t Of(std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(std::uint64_t{a} << 32 | b, next).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

// Columns that read the same.
struct ColumnGroup {
  Reads reads = 0;
  std::vector<std::size_t> columns;
  std::vector<PairNumbers> pairs;   // one for each part of what is read behind the first
  std::vector<std::uint32_t> made;  // by number of what is read: of `values`, from 1; 0: none
  std::map<std::vector<const Node*>, std::uint32_t> numbers;
  std::vector<const std::vector<const Node*>*> values;  // of the columns
};

class ColumnMaker {
 public:
  ColumnMaker(CellSet& set, const Schema& schema, const Scope* tables, SchemaContext context)
      : set_(set), kind_(*set.schema), schema_(schema), context_(context) {
    std::vector<Entry> row{{Name("name"), Text(set.name, set.where)}};
    row.insert(row.end(), set.row->entries.begin(), set.row->entries.end());
    tables_ = Bind(tables, "set", Mapping(row, set.where));
    AddColumn("id", ReadsOf(kind_.id));
    AddColumn("label", ReadsOf(kind_.label));
    for (const ComputedColumn& column : kind_.columns) {
      Reads reads = 0;
      ForEachExpression(std::span(&column, 1),
                        [&](const SchemaExpression& expression, std::span<const std::string_view>) {
                          reads |= ReadsOf(expression);
                        });
      AddColumn(column.name, reads);
    }
    AddViewReads();
  }

  void Make(Cells& cells) {
    for (CellBranch& branch : set_.branches) {
      ShowRow(branch);
      for (Cell& cell : branch.cells) {
        const Node* id = Values(groups_.front(), cell).front();
        cell.id = id->text;
        if (cell.out != nullptr) continue;
        cell.node = NodeOf(cell);
        cell.view = ViewOf(cell, cells);
      }
    }
  }

 private:
  // ---- what is read -----------------------------------------------------------------------------

  Reads CellAxes() const {
    Reads reads = 0;
    for (std::size_t i = kind_.nested; i < kind_.axes.size(); ++i) reads |= Reads{1} << i;
    return reads;
  }

  Reads ReadsOf(const std::optional<SchemaExpression>& expression) const {
    return expression ? ReadsOf(*expression) : CellAxes();
  }

  Reads ReadsOf(const SchemaExpression& expression) const {
    Reads reads = 0;
    expression.ForEachName([&](const Expr& name, std::optional<std::string_view> property) {
      const bool by_axis = name.name == "names" || name.name == "ids" || name.name == "labels";
      const std::string_view wanted = by_axis ? property.value_or("") : name.name;
      bool found = false;
      for (std::size_t i = 0; i < kind_.axes.size(); ++i) {
        if (schema_.axes[kind_.axes[i]].name != wanted) continue;
        reads |= Reads{1} << i;
        found = true;
      }
      if (by_axis && !found) reads |= (Reads{1} << kind_.axes.size()) - 1;
      if (name.name == "added") reads |= kReadsAdded;
      if (name.name == "takers") reads |= kReadsTakers;
      if (name.name != "cell") return;
      // What the columns of a cell read; one that an include adds is read with all others.
      for (std::size_t column = 0; column < names_.size(); ++column) {
        if (!property || names_[column]->text == *property) {
          reads |= groups_[place_[column].first].reads;
        }
      }
      const bool is_column = property && std::ranges::any_of(names_, [&](const Node* known) {
                               return known->text == *property;
                             });
      if (!is_column) reads |= kReadsAdded;
    });
    return reads;
  }

  void AddViewReads() {
    const ViewSchema& view = kind_.view;
    ForEachExpression(view.columns,
                      [&](const SchemaExpression& expression, std::span<const std::string_view>) {
                        view_.reads |= ReadsOf(expression);
                      });
    for (const StateSchema& state : view.states) {
      for (const auto* expression : {&state.when, &state.says, &state.mend}) {
        if (*expression) view_.reads |= ReadsOf(**expression);
      }
    }
  }

  void AddColumn(std::string_view name, Reads reads) {
    const std::size_t column = names_.size();
    names_.push_back(Name(name));
    auto group = std::ranges::find(groups_, reads, &ColumnGroup::reads);
    if (group == groups_.end()) {
      groups_.push_back({.reads = reads});
      group = std::prev(groups_.end());
    }
    place_.push_back({static_cast<std::size_t>(group - groups_.begin()), group->columns.size()});
    group->columns.push_back(column);
  }

  // A number for what the columns of a group read of a cell.
  std::uint32_t NumberOf(ColumnGroup& group, const Cell& cell) {
    std::uint32_t number = 0;
    std::size_t parts = 0;
    const auto add = [&](std::uint32_t part) {
      if (parts > group.pairs.size()) group.pairs.emplace_back();
      number = parts == 0 ? part : group.pairs[parts - 1].Of(number, part);
      ++parts;
    };
    for (std::size_t i = 0; i < cell.at.size(); ++i) {
      if ((group.reads >> i & 1) != 0) add(cell.at[i]);
    }
    if ((group.reads & kReadsAdded) != 0) add(cell.extras == nullptr ? 0 : cell.extras->number);
    if ((group.reads & kReadsTakers) != 0) {
      const auto next = static_cast<std::uint32_t>(takers_.size());
      add(takers_.try_emplace(cell.takers, next).first->second);
    }
    return number;
  }

  // A number for the values of the columns of a group; equal nodes have equal ones.
  std::uint32_t ValuesNumber(ColumnGroup& group, const Cell& cell) {
    const std::uint32_t number = NumberOf(group, cell);
    if (number >= group.made.size()) group.made.resize(number + 1, 0);
    if (group.made[number] != 0) return group.made[number];
    std::vector<const Node*> values;
    const Scope* scope = IsThere(cell, group.reads) ? ScopeOf(cell) : nullptr;
    for (const std::size_t column : group.columns) values.push_back(Value(column, cell, scope));
    const auto next = static_cast<std::uint32_t>(group.values.size() + 1);
    const auto [at, is_new] = group.numbers.try_emplace(std::move(values), next);
    if (is_new) group.values.push_back(&at->first);
    group.made[number] = at->second;
    return at->second;
  }

  const std::vector<const Node*>& Values(ColumnGroup& group, const Cell& cell) {
    return *group.values[ValuesNumber(group, cell) - 1];
  }

  // ---- columns ----------------------------------------------------------------------------------

  // Whether the rows of what is read are there.
  bool IsThere(const Cell& cell, Reads reads) const {
    for (std::size_t i = 0; i < cell.at.size(); ++i) {
      if ((reads >> i & 1) != 0 && set_.Value(cell, i).node == nullptr) return false;
    }
    return true;
  }

  SourceRange PlaceOf(const Cell& cell) const { return set_.Value(cell, kind_.nested).cell->where; }

  // `scope` is null where there is nothing to compute from.
  const Node* Value(std::size_t column, const Cell& cell, const Scope* scope) {
    const SourceRange where = PlaceOf(cell);
    if (column > 1) {
      const Node* value =
          scope == nullptr ? nullptr : Compute(kind_.columns[column - 2], scope, where, context_);
      return value == nullptr ? MakeNull(context_.arena) : value;
    }
    const std::optional<SchemaExpression>& expression = column == 0 ? kind_.id : kind_.label;
    if (expression && scope != nullptr) {
      const Node* value = expression->Evaluate(scope, where, context_.sources, context_.arena,
                                               context_.diagnostics);
      const auto text = value == nullptr ? std::nullopt : TextOf(*value);
      if (text) return Text(*text, where);
    }
    std::string joined;
    for (std::size_t i = kind_.nested; i < kind_.axes.size(); ++i) {
      const AxisValue& part = set_.Value(cell, i);
      if (!joined.empty()) joined += column == 0 ? "_" : " | ";
      joined += column == 0 ? part.id : part.label;
    }
    return Text(joined, where);
  }

  const Scope* ScopeOf(const Cell& cell) {
    std::vector<Entry> names, ids, labels;
    const Scope* scope = tables_;
    for (std::size_t i = 0; i < cell.at.size(); ++i) {
      const AxisValue& value = set_.Value(cell, i);
      const std::string_view axis = schema_.axes[kind_.axes[i]].name;
      scope = Bind(scope, axis, value.node == nullptr ? MakeNull(context_.arena) : value.node);
      names.push_back({Name(axis), value.cell});
      ids.push_back({Name(axis), Text(value.id, value.where)});
      labels.push_back({Name(axis), Text(value.label, value.where)});
    }
    const SourceRange where = PlaceOf(cell);
    scope = Bind(scope, "names", Mapping(names, where));
    scope = Bind(scope, "ids", Mapping(ids, where));
    scope = Bind(scope, "labels", Mapping(labels, where));
    scope = Bind(scope, "added", Mapping(Added(cell), where));
    std::vector<const Node*> takers;
    for (const std::string_view name : set_.TakersOf(cell)) takers.push_back(Text(name, where));
    return Bind(scope, "takers", MakeSequence(context_.arena, takers));
  }

  std::vector<Entry> Added(const Cell& cell) const {
    std::vector<Entry> added = kind_.defaults;
    if (cell.extras == nullptr) return added;
    for (const Entry& column : cell.extras->columns) {
      const auto same = std::ranges::find_if(
          added, [&](const Entry& entry) { return entry.key->text == column.key->text; });
      if (same == added.end()) {
        added.push_back(column);
      } else {
        *same = column;
      }
    }
    return added;
  }

  const Node* NodeOf(const Cell& cell) {
    std::uint32_t number = cell.extras == nullptr ? 0 : cell.extras->number;
    std::vector<std::uint32_t>& values = scratch_;
    values.clear();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      values.push_back(ValuesNumber(groups_[i], cell));
      if (alike_.size() <= i) alike_.emplace_back();
      number = alike_[i].Of(number, values.back());
    }
    if (number >= nodes_.size()) nodes_.resize(number + 1, nullptr);
    if (nodes_[number] != nullptr) return nodes_[number];
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto [group, column] = place_[i];
      entries.push_back({names_[i], (*groups_[group].values[values[group] - 1])[column]});
    }
    for (const Entry& column : Added(cell)) {
      const auto same = [&](const Entry& entry) { return entry.key->text == column.key->text; };
      if (std::ranges::none_of(entries, same)) entries.push_back(column);
    }
    nodes_[number] = Mapping(entries, PlaceOf(cell));
    return nodes_[number];
  }

  const CellView* ViewOf(const Cell& cell, Cells& cells) {
    const std::uint32_t number = NumberOf(view_, cell);
    if (number >= views_.size()) views_.resize(number + 1, nullptr);
    if (views_[number] != nullptr) return views_[number];
    CellView view;
    const Scope* scope = Bind(ScopeOf(cell), "cell", cell.node);
    const auto text = [&](const Node* value) {
      const auto made = value == nullptr ? std::nullopt : TextOf(*value);
      return made ? context_.arena.Copy(std::string_view(*made)) : std::string_view();
    };
    const auto evaluate = [&](const SchemaExpression& expression) {
      return expression.Evaluate(scope, PlaceOf(cell), context_.sources, context_.arena,
                                 context_.diagnostics);
    };
    for (const ComputedColumn& column : kind_.view.columns) {
      view.columns.push_back(text(Compute(column, scope, PlaceOf(cell), context_)));
    }
    const auto fits = [&](const StateSchema& state) {
      if (!state.when) return true;
      const Node* value = evaluate(*state.when);
      return value != nullptr && IsTruthy(*value);
    };
    const auto state = std::ranges::find_if(kind_.view.states, fits);
    view.state = static_cast<std::size_t>(state - kind_.view.states.begin());
    view.says = state->says ? text(evaluate(*state->says)) : state->title;
    if (state->mend) view.mend = text(evaluate(*state->mend));
    cells.views.push_back(std::move(view));
    return views_[number] = &cells.views.back();
  }

  // Whether it is built or not, but for rows that are not there.
  void ShowRow(CellBranch& branch) {
    const Scope* scope = tables_;
    for (std::size_t i = 0; i < branch.at.size(); ++i) {
      const AxisValue& value = set_.Value(branch, i);
      if (value.node == nullptr) return;
      scope = Bind(scope, schema_.axes[kind_.axes[i]].name, value.node);
    }
    for (const ComputedColumn& column : kind_.view.rows) {
      const Node* value = Compute(column, scope, set_.where, context_);
      const auto text = value == nullptr ? std::nullopt : TextOf(*value);
      branch.shown.push_back(text ? context_.arena.Copy(std::string_view(*text)) : "");
    }
  }

  // ---- nodes ------------------------------------------------------------------------------------

  const Node* Name(std::string_view name) {
    const Node*& node = keys_[name];
    if (node == nullptr) node = MakeString(context_.arena, name);
    return node;
  }

  const Node* Text(std::string_view text, SourceRange where) {
    Node* node = context_.arena.New<Node>(*MakeString(context_.arena, text));
    node->where = where;
    return node;
  }

  const Node* Mapping(const std::vector<Entry>& entries, SourceRange where) {
    Node* node = context_.arena.New<Node>(*MakeMapping(context_.arena, entries));
    node->where = where;
    return node;
  }

  const Scope* Bind(const Scope* scope, std::string_view name, const Node* value) {
    return context_.arena.New<Scope>(scope, name, value, BindingKind::kLet, value->where);
  }

  CellSet& set_;
  const SetSchema& kind_;
  const Schema& schema_;
  const SchemaContext context_;
  const Scope* tables_ = nullptr;
  std::vector<ColumnGroup> groups_;  // the first has the id
  std::vector<const Node*> names_;   // of columns: id, label, those of the schema
  std::vector<std::pair<std::size_t, std::size_t>> place_;  // of a column: its group, and in it
  std::unordered_map<std::uint64_t, std::uint32_t> takers_;
  std::vector<PairNumbers> alike_;
  std::vector<const Node*> nodes_;
  ColumnGroup view_;
  std::vector<const CellView*> views_;
  std::vector<std::uint32_t> scratch_;
  std::map<std::string_view, const Node*> keys_;
};

}  // namespace

void ComputeColumns(CellSet& set, Cells& cells, const Schema& schema, const Scope* tables,
                    SchemaContext context) {
  ColumnMaker(set, schema, tables, context).Make(cells);
}

}  // namespace wheelwright
