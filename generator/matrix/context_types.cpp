// The types of what MakeContext() makes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "generator/expression/template_types.h"
#include "generator/matrix/context.h"
#include "generator/matrix/schema_names.h"
#include "generator/matrix/types_of_schema.h"

namespace wheelwright {
namespace {

using Properties = std::vector<Property>;

constexpr ExprType kText = TypeKind::kText;

void Add(Properties& names, std::string_view name, ExprType type) {
  if (std::ranges::find(names, name, &Property::name) == names.end()) names.push_back({name, type});
}

class ContextTypes {
 public:
  ContextTypes(const Matrix& matrix, const Cells& cells, TypePool& pool, SchemaContext context)
      : matrix_(matrix),
        cells_(cells),
        pool_(pool),
        context_(context),
        schema_(matrix.schema, matrix.tables, pool) {}

  Properties All() {
    tables_ = schema_.OfTables();
    for (const std::string_view name : {"actions", "images", "limits"}) Texts(name);
    Properties names = tables_;
    for (const SetSchema& set : matrix_.schema.sets) {
      std::erase_if(names, [&](const Property& name) { return name.name == set.seen_as; });
    }
    for (const AxisSchema& axis : matrix_.schema.axes) AddRows(axis, names);
    for (const SetSchema& set : matrix_.schema.sets) names.push_back({set.seen_as, Sets(set)});
    return names;
  }

 private:
  // Tables of which templates see one value a row.
  void Texts(std::string_view table) {
    ExprType& type = std::ranges::find(tables_, table, &Property::name)->type;
    const ExprType value = table == "limits" ? TypeKind::kNumber : TypeKind::kText;
    Properties keys(type.properties.begin(), type.properties.end());
    for (Property& key : keys) key.type = value;
    type = pool_.RowOf(keys);
    type.item = pool_.TableOf(value).item;
  }

  const AxisSchema& Axis(std::size_t at) const { return matrix_.schema.axes[at]; }

  // ---- computed columns -------------------------------------------------------------------------

  ExprType TypeOf(const SchemaExpression& expression, const TypedNames& names) {
    TemplateTypes types(names, context_.sources, pool_, context_.diagnostics);
    return expression.CheckTypes(types);
  }

  Properties TypesOf(std::span<const ComputedColumn> columns, SchemaNames& names) {
    TemplateTypes types(names, context_.sources, pool_, context_.diagnostics);
    Properties made;
    for (const ComputedColumn& column : columns) {
      made.push_back({column.name, wheelwright::TypeOf(column, names, types, pool_)});
    }
    return made;
  }

  // ---- axes -------------------------------------------------------------------------------------

  struct AxisTypes {
    ExprType member, value;
  };

  SchemaNames NamesOf(const AxisSchema& axis) {
    SchemaNames names(tables_);
    for (const std::size_t outer : axis.outer)
      names.Bind(Axis(outer).name, Types(Axis(outer)).value);
    names.Bind("key", kText);
    return names;
  }

  const AxisTypes& Types(const AxisSchema& axis) {
    const auto [at, is_new] = axes_.try_emplace(&axis);
    if (!is_new) return at->second;
    AxisTypes types{.member = kText, .value = kText};
    if (!axis.table.empty()) {
      types.member = Member(axis);
      types.value = Value(axis, types.member);
    }
    return axes_[&axis] = types;
  }

  // What the axis uses of a row of its table, wherever that is.
  ExprType Used(const AxisSchema& axis, const ExprType& row) {
    ExprType used = row;
    if (axis.row.empty()) return used;
    for (const std::string_view step : Split(axis.row, '.')) {
      ExprType next = TypeKind::kNull;
      for (const Property& column : used.properties) {
        if (step.starts_with('{') ? IsKey(axis, step.substr(1, step.size() - 2), column.name)
                                  : column.name == step) {
          next = pool_.EitherOf(next, column.type);
        }
      }
      used = next;
    }
    used.or_nothing = false;
    return used;
  }

  bool IsKey(const AxisSchema& axis, std::string_view outer, std::string_view key) const {
    return std::ranges::any_of(axis.outer, [&](std::size_t at) {
      return Axis(at).name == outer &&
             (Axis(at).table.empty() || FindEntry(matrix_.Table(Axis(at).table), key) != nullptr);
    });
  }

  ExprType Member(const AxisSchema& axis) {
    const Type& table = matrix_.schema.FindTable(axis.table)->type;
    const Type& kind = table.parts.size() > 1 ? table.parts[1] : table;
    const ExprType of = schema_.Of(kind);
    const ExprType row = Used(axis, of);
    SchemaNames names = NamesOf(axis);
    names.Bind("of", of);
    names.Bind("row", row);
    Properties columns{{axis.key_column, schema_.KeyOf(axis.table)}};
    for (const Property& column : TypesOf(axis.row_columns, names)) {
      Add(columns, column.name, column.type);
    }
    for (const Property& column : row.properties) Add(columns, column.name, column.type);
    if (row.kind != TypeKind::kObject) Add(columns, "value", row);
    const bool open = row.open || (row.kind == TypeKind::kObject && row.properties.empty());
    return pool_.RowOf(columns, open, row.notes == nullptr ? "" : row.notes->noun);
  }

  ExprType Value(const AxisSchema& axis, const ExprType& member) {
    SchemaNames names = NamesOf(axis);
    names.Bind("members", pool_.ListOf(member));
    ExprType group = kText;
    group.or_nothing = true;
    names.Bind("group", group);
    const bool grouped = !axis.groups.table.empty();
    ExprType value = member;
    if (!axis.columns.empty() || grouped) {
      Properties columns{{axis.key_column, kText}};
      for (const Property& column : TypesOf(axis.columns, names)) {
        Add(columns, column.name, column.type);
      }
      for (Property column : member.properties) {
        const auto rule = std::ranges::find(axis.groups.merge, column.name, &MergeRule::column);
        if (rule != axis.groups.merge.end() && rule->how == Merge::kCommon &&
            column.type.kind != TypeKind::kObject && column.type.kind != TypeKind::kList) {
          column.type.or_nothing = true;
        }
        Add(columns, column.name, column.type);
      }
      value = pool_.RowOf(columns, member.open, Noun(axis.noun));
    }
    names.Bind("row", value);
    for (const auto* expression : {&axis.id, &axis.label, &axis.brief}) {
      if (*expression) TypeOf(**expression, names);
    }
    return value;
  }

  std::string_view Noun(std::string_view noun) {
    const bool vowel = std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
    return pool_.arena().Copy(std::string_view(fmt::format("{} {}", vowel ? "an" : "a", noun)));
  }

  // What axes add to the rows of their tables.
  void AddRows(const AxisSchema& axis, Properties& names) {
    if (axis.table.empty() || !axis.values.empty() || axis.outer.size() != 1) return;
    const AxisSchema& outer = Axis(axis.outer.front());
    if (outer.table.empty()) return;
    const auto add = [&](std::string_view table, std::string_view column, const ExprType& type) {
      const auto rows = std::ranges::find(names, table, &Property::name);
      if (column.empty() || rows == names.end() || rows->type.item == nullptr) return;
      Properties columns(rows->type.item->properties.begin(), rows->type.item->properties.end());
      const auto* notes = rows->type.item->notes;
      Add(columns, column, type);
      rows->type = pool_.ListOf(
          pool_.RowOf(columns, rows->type.item->open, notes == nullptr ? "" : notes->noun));
    };
    add(outer.table, axis.list, pool_.ListOf(Types(axis).member));
    add(axis.table, axis.back, pool_.ListOf(schema_.KeyOf(outer.table)));
  }

  // ---- sets -------------------------------------------------------------------------------------

  ExprType Sets(const SetSchema& kind) {
    const Type& table = matrix_.schema.FindTable(kind.table)->type;
    const ExprType row = schema_.Of(table.parts.size() > 1 ? table.parts[1] : table);
    ExprType below = pool_.ListOf(CellOf(kind, row));
    std::string_view name = kind.cells;
    for (std::size_t i = kind.nested; i-- > 0;) {
      const AxisSchema& axis = Axis(kind.axes[i]);
      Properties columns{{name, below}};
      const ExprType& value = Types(axis).value;
      if (value.kind == TypeKind::kObject) {
        for (const Property& column : value.properties) Add(columns, column.name, column.type);
      } else {
        Add(columns, "name", kText);
        Add(columns, "id", kText);
      }
      below = pool_.ListOf(pool_.RowOf(columns, value.open, Noun(axis.noun)));
      name = axis.list;
    }
    Properties columns{{"name", kText}, {name, below}, {"out", Out(kind)}};
    for (const Property& column : row.properties) {
      if (column.name == "include" || column.name == "exclude") continue;
      const auto lists_values = [&](std::size_t axis) {
        const std::string_view values = Axis(axis).values;
        return values.substr(0, values.find('.')) == column.name;
      };
      if (std::ranges::none_of(kind.axes, lists_values)) Add(columns, column.name, column.type);
    }
    const ExprType set =
        pool_.RowOf(columns, row.open, Noun(fmt::format("set of {}", kind.plural)));
    Properties sets;
    for (const Entry& one : matrix_.Table(kind.table)->entries)
      sets.push_back({one.key->text, set});
    ExprType all = pool_.RowOf(sets);
    all.item = pool_.TableOf(set).item;
    return all;
  }

  ExprType Out(const SetSchema& kind) {
    const ExprType names = pool_.RowOf(Properties{{"key", kText}, {"name", kText}});
    Properties columns;
    for (std::size_t i = 0; i < kind.nested; ++i)
      columns.push_back({Axis(kind.axes[i]).name, names});
    Add(columns, kind.cells, pool_.ListOf(kText));
    Add(columns, "whole", TypeKind::kBoolean);
    Add(columns, "members", pool_.ListOf(kText));
    for (const std::string_view text : {"kind", "why", "issue"}) Add(columns, text, kText);
    return pool_.ListOf(
        pool_.RowOf(columns, false, Noun(fmt::format("row of {} that are out", kind.plural))));
  }

  ExprType CellOf(const SetSchema& kind, const ExprType& row) {
    SchemaNames names(tables_);
    Properties by_axis, set_row{{"name", kText}};
    for (const std::size_t axis : kind.axes) {
      names.Bind(Axis(axis).name, Types(Axis(axis)).value);
      by_axis.push_back({Axis(axis).name, kText});
    }
    for (const std::string_view name : {"names", "ids", "labels"}) {
      names.Bind(name, pool_.RowOf(by_axis));
    }
    Properties added;
    for (const Entry& column : kind.defaults) {
      added.push_back({column.key->text, pool_.OfNode(*column.value)});
    }
    for (const CellSet& set : cells_.sets) {
      if (set.schema == &kind) AddExtras(set, added);
    }
    names.Bind("added", pool_.RowOf(added, true));
    names.Bind("takers",
               pool_.ListOf(kind.takers.table.empty() ? kText : schema_.KeyOf(kind.takers.table)));
    for (const Property& column : row.properties) Add(set_row, column.name, column.type);
    names.Bind("set", pool_.RowOf(set_row, row.open));
    Properties columns{{"id", kText}, {"label", kText}};
    for (const auto* expression : {&kind.id, &kind.label}) {
      if (*expression) TypeOf(**expression, names);
    }
    for (const Property& column : TypesOf(kind.columns, names)) {
      Add(columns, column.name, column.type);
    }
    for (const Property& column : added) Add(columns, column.name, column.type);
    const ExprType cell = pool_.RowOf(columns, false, Noun(kind.noun));
    TypesOf(kind.view.rows, names);
    names.Bind("cell", cell);
    TypesOf(kind.view.columns, names);
    for (const StateSchema& state : kind.view.states) {
      for (const auto* expression : {&state.when, &state.says, &state.mend}) {
        if (*expression) TypeOf(**expression, names);
      }
    }
    return cell;
  }

  static void AddExtras(const CellSet& set, Properties& added) {
    const ExtraColumns* last = nullptr;
    for (const CellBranch& branch : set.branches) {
      for (const Cell& cell : branch.cells) {
        if (cell.extras == nullptr || cell.extras == last) continue;
        last = cell.extras;
        for (const Entry& column : cell.extras->columns) {
          Add(added, column.key->text, TypeKind::kAny);
        }
      }
    }
  }

  const Matrix& matrix_;
  const Cells& cells_;
  TypePool& pool_;
  const SchemaContext context_;
  TypesOfSchema schema_;
  Properties tables_;
  std::map<const AxisSchema*, AxisTypes> axes_;
};

}  // namespace

std::vector<Property> TypesOfContext(const Matrix& matrix, const Cells& cells, TypePool& pool,
                                     SchemaContext context) {
  return ContextTypes(matrix, cells, pool, context).All();
}

}  // namespace wheelwright
