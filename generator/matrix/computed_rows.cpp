#include "generator/matrix/computed_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "generator/matrix/schema_names.h"
#include "generator/matrix/table_walk.h"
#include "generator/matrix/types_of_schema.h"
#include "generator/matrix/validate.h"

namespace wheelwright {
namespace {

using Computed = ComputedValue*;

const Type* RowsOf(const Schema& schema, std::string_view table) {
  const Column* found = schema.FindTable(table);
  return found == nullptr ? nullptr : &found->type;
}

class ColumnOrder {
 public:
  ColumnOrder(const Schema& schema, Diagnostics& diagnostics)
      : schema_(schema), diagnostics_(diagnostics) {}

  void Run() {
    for (const FileSchema& file : schema_.files) Collect(file.tables);
    for (ComputedValue& one : *schema_.computed) Visit(&one);
  }

 private:
  using Found = std::set<Computed>;

  void Collect(const Type& type) {
    for (const Column& column : type.columns) {
      if (column.computed != nullptr) rows_[column.computed].push_back(&type);
      Collect(column.type);
    }
    for (const Type& part : type.parts) Collect(part);
  }

  using Types = std::vector<const Type*>;

  // What an expression may give. Notes the computed columns that it reads; `one` is whose it is.
  Types Read(Computed one, const Expr& expr, Found& found) {
    if (expr.kind == ExprKind::kName) {
      if (expr.name == "row") return rows_[one];
      if (const auto item = items_.find(expr.name); item != items_.end()) return item->second;
      const Type* table = RowsOf(schema_, expr.name);
      return table == nullptr ? Types() : Types{table};
    }
    Types all;
    for (const Expr* operand : expr.operands) {
      const Types types = Read(one, *operand, found);
      // find(rows, 'column', ...)
      if (expr.kind == ExprKind::kCall && operand->kind == ExprKind::kLiteral) {
        Types ignored;
        for (const Type* type : all) Step(*type, operand->literal->text, found, ignored);
      }
      const bool is_index = expr.kind == ExprKind::kIndex && operand != expr.operands[0];
      if (!is_index) all.insert(all.end(), types.begin(), types.end());
    }
    const bool is_step = expr.kind == ExprKind::kProperty || expr.kind == ExprKind::kIndex ||
                         expr.kind == ExprKind::kAll;
    if (!is_step) return all;
    Types parts;
    for (const Type* type : all) Step(*type, PropertyName(expr), found, parts);
    return parts;
  }

  // A part of a value: of that name, or any. A list, or what is found in it, may be meant.
  void Step(const Type& type, std::optional<std::string_view> name, Found& found, Types& parts) {
    if (type.embedded) {
      const Type* rows = RowsOf(schema_, type.names->paths.front());
      if (rows != nullptr) Step(rows->parts.back(), name, found, parts);
    }
    for (const Column& column : type.columns) {
      if (name && column.name != *name) continue;
      if (column.computed != nullptr) found.insert(column.computed);
      parts.push_back(&column.type);
    }
    const bool is_either = type.kind == Type::Kind::kEither;
    const bool is_list = type.kind == Type::Kind::kList || type.kind == Type::Kind::kMap;
    if (is_list) parts.push_back(&type.parts.back());
    if (is_list && name) Step(type.parts.back(), name, found, parts);
    for (std::size_t i = 0; is_either && i < type.parts.size(); ++i) {
      Step(type.parts[i], name, found, parts);
    }
  }

  Types ReadAll(Computed one, const SchemaExpression& expression, Found& found) {
    Types all;
    expression.ForEachExpression([&](const Expr& expr) { all = Read(one, expr, found); });
    return all;
  }

  void ReadColumn(Computed one, const ComputedColumn& column, Found& found) {
    if (column.value) ReadAll(one, *column.value, found);
    if (column.list == nullptr) return;
    Types items;
    for (const Type* type : ReadAll(one, column.list->of, found)) {
      Step(*type, std::nullopt, found, items);
    }
    items_[column.list->each] = std::move(items);
    if (column.list->condition) ReadAll(one, *column.list->condition, found);
    for (const ComputedColumn& inner : column.list->columns) ReadColumn(one, inner, found);
    items_.erase(column.list->each);
  }

  void Visit(Computed one) {
    if (done_.contains(one)) return;
    if (const auto open = std::ranges::find(open_, one); open != open_.end()) {
      Report({open, open_.end()});
      return;
    }
    open_.push_back(one);
    Found found;
    ReadColumn(one, one->column, found);
    for (const Computed other : found) {
      Visit(other);
      one->round = std::max(one->round, other->round + 1);
    }
    open_.pop_back();
    done_.insert(one);
  }

  void Report(const std::vector<Computed>& circle) {
    Diagnostic report{.code = "schema-circle",
                      .message = fmt::format("the computed column '{}' reads itself",
                                             circle.front()->column.key->text),
                      .where = circle.front()->column.key->where};
    for (std::size_t i = 1; i < circle.size(); ++i) {
      report.related.push_back({circle[i]->column.key->where, "by way of this one"});
    }
    diagnostics_.Report(std::move(report));
  }

  const Schema& schema_;
  Diagnostics& diagnostics_;
  std::map<Computed, std::vector<const Type*>> rows_;  // where it is
  std::map<std::string_view, Types> items_;            // of the lists around an expression
  std::vector<Computed> open_;
  Found done_;
};

// One round: the columns of earlier ones are there.
class ColumnRound : public TableWalk {
 public:
  ColumnRound(std::size_t round, const Node* tables, const Schema& schema, SchemaContext context)
      : TableWalk(tables, schema, context.arena), round_(round), context_(context) {
    for (const FileSchema& file : schema.files) {
      for (const Column& table : file.tables.columns) Bind(table, Find(tables, table.name));
    }
  }

 private:
  // As templates see it.
  void Bind(const Column& table, const Node* value) {
    if (!table.key.empty() && value->is_mapping()) {
      const Node* name = MakeString(context_.arena, table.key);
      std::vector<const Node*> rows;
      for (const Entry& row : value->entries) {
        std::vector<Entry> entries{{name, row.key}};
        entries.insert(entries.end(), row.value->entries.begin(), row.value->entries.end());
        rows.push_back(Placed(*MakeMapping(context_.arena, entries), row.key->where));
      }
      value = Placed(*MakeSequence(context_.arena, rows), value->where);
    }
    scope_ =
        context_.arena.New<Scope>(scope_, table.name, value, BindingKind::kMatrix, value->where);
  }

  const Node* Placed(const Node& made, SourceRange where) {
    Node* placed = context_.arena.New<Node>(made);
    placed->where = where;
    return placed;
  }

  bool Changes(const Type& type) const override {
    return std::ranges::any_of(type.columns,
                               [](const Column& column) { return column.computed != nullptr; });
  }

  void Finish(const Type& type, const Node* key, SourceRange where, Node& row) override {
    const Scope* scope = nullptr;
    std::vector<Entry> entries(row.entries.begin(), row.entries.end());
    for (const Column& column : type.columns) {
      if (column.computed == nullptr || column.computed->round != round_) continue;
      if (scope == nullptr) {
        scope = context_.arena.New<Scope>(scope_, "key",
                                          key == nullptr ? MakeNull(context_.arena) : key,
                                          BindingKind::kLet, where);
        scope = context_.arena.New<Scope>(scope, "row", &row, BindingKind::kLet, where);
      }
      const Node* value = Compute(column.computed->column, scope, where, context_);
      if (value == nullptr) continue;
      CheckValue(*value, column, where);
      entries.push_back({column.computed->column.key, value});
    }
    if (scope != nullptr) row.entries = context_.arena.Copy(std::span<const Entry>(entries));
  }

  void CheckValue(const Node& value, const Column& column, SourceRange where) {
    if (value.is_null()) return;
    Diagnostics found;
    ValidateValue(value, column.type, column.name, found);
    for (const Diagnostics::Entry& entry : found.entries()) {
      context_.diagnostics.Report(
          {.code = "bad-computed",
           .message = fmt::format("the computed column '{}' does not fit its type: {}", column.name,
                                  entry.diagnostic.message),
           .where = where,
           .related = {{PlaceOf(column.computed->column, context_.sources), "computed here"}},
           .notes = entry.diagnostic.notes});
    }
  }

  const std::size_t round_;
  const SchemaContext context_;
  const Scope* scope_ = nullptr;
};

// The types of the expressions, each once.
class ComputedTypes {
 public:
  ComputedTypes(const Node* tables, const Schema& schema, const SourceManager& sources,
                Diagnostics& diagnostics)
      : types_(schema, tables, pool_),
        tables_(types_.OfTables()),
        names_(tables_),
        check_(names_, sources, pool_, diagnostics) {}

  void Visit(const Type& type) {
    for (const Column& column : type.columns) {
      Visit(column.type);
      if (column.computed == nullptr || !seen_.insert(column.computed).second) continue;
      names_.Bind("key", TypeKind::kAny);
      names_.Bind("row", types_.RowOf(type, {}));
      TypeOf(column.computed->column, names_, check_, pool_);
      names_.Leave(0);
    }
    for (const Type& part : type.parts) Visit(part);
  }

 private:
  TypePool pool_;
  TypesOfSchema types_;
  std::vector<Property> tables_;
  SchemaNames names_;
  TemplateTypes check_;
  std::set<const ComputedValue*> seen_;
};

}  // namespace

void OrderComputed(const Schema& schema, Diagnostics& diagnostics) {
  ColumnOrder(schema, diagnostics).Run();
}

const Node* ComputeColumns(const Node* tables, const Schema& schema, const SourceManager& sources,
                           Arena& arena, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  std::size_t rounds = 0;
  for (const ComputedValue& one : *schema.computed) rounds = std::max(rounds, one.round + 1);
  if (rounds == 0) return tables;
  ComputedTypes types(tables, schema, sources, diagnostics);
  for (const FileSchema& file : schema.files) types.Visit(file.tables);
  for (std::size_t i = 0; i < rounds && diagnostics.errors() == errors_before; ++i) {
    tables = ColumnRound(i, tables, schema, {sources, arena, diagnostics}).All();
  }
  return tables;
}

}  // namespace wheelwright
