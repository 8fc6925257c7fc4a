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
#include "generator/matrix/types_of_schema.h"
#include "generator/matrix/validate.h"

namespace wheelwright {
namespace {

using Computed = ComputedValue*;

const Type* RowsOf(const Schema& schema, std::string_view table) {
  for (const FileSchema& file : schema.files) {
    for (const Column& column : file.tables.columns) {
      if (column.name == table) return &column.type;
    }
  }
  return nullptr;
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

  void Visit(Computed one) {
    if (done_.contains(one)) return;
    if (const auto open = std::ranges::find(open_, one); open != open_.end()) {
      Report({open, open_.end()});
      return;
    }
    open_.push_back(one);
    Found found;
    one->value.ForEachExpression([&](const Expr& expr) { Read(one, expr, found); });
    for (const Computed other : found) {
      Visit(other);
      one->round = std::max(one->round, other->round + 1);
    }
    open_.pop_back();
    done_.insert(one);
  }

  void Report(const std::vector<Computed>& circle) {
    Diagnostic report{
        .code = "schema-circle",
        .message = fmt::format("the computed column '{}' reads itself", circle.front()->key->text),
        .where = circle.front()->key->where};
    for (std::size_t i = 1; i < circle.size(); ++i) {
      report.related.push_back({circle[i]->key->where, "by way of this one"});
    }
    diagnostics_.Report(std::move(report));
  }

  const Schema& schema_;
  Diagnostics& diagnostics_;
  std::map<Computed, std::vector<const Type*>> rows_;  // where it is
  std::vector<Computed> open_;
  Found done_;
};

// One round: the columns of earlier ones are there.
class ColumnRound {
 public:
  ColumnRound(std::size_t round, const Node* tables, const Schema& schema,
              const SourceManager& sources, Arena& arena, Diagnostics& diagnostics)
      : round_(round),
        tables_(tables),
        schema_(schema),
        sources_(sources),
        arena_(arena),
        diagnostics_(diagnostics) {
    for (const FileSchema& file : schema.files) {
      for (const Column& table : file.tables.columns) Bind(table);
    }
  }

  const Node* All() {
    std::vector<Entry> tables;
    for (const Entry& table : tables_->entries) {
      tables.push_back({table.key, Table(table.key->text)});
    }
    return MakeMapping(arena_, tables);
  }

 private:
  // As templates see it.
  void Bind(const Column& table) {
    const Node* value = Find(tables_, table.name);
    if (!table.key.empty() && value->is_mapping()) {
      const Node* name = MakeString(arena_, table.key);
      std::vector<const Node*> rows;
      for (const Entry& row : value->entries) {
        std::vector<Entry> entries{{name, row.key}};
        entries.insert(entries.end(), row.value->entries.begin(), row.value->entries.end());
        rows.push_back(Placed(*MakeMapping(arena_, entries), row.key->where));
      }
      value = Placed(*MakeSequence(arena_, rows), value->where);
    }
    scope_ = arena_.New<Scope>(scope_, table.name, value, BindingKind::kMatrix, value->where);
  }

  const Node* Placed(const Node& made, SourceRange where) {
    Node* placed = arena_.New<Node>(made);
    placed->where = where;
    return placed;
  }

  const Node* Table(std::string_view name) {
    const auto [at, is_new] = done_.try_emplace(name);
    if (is_new) {
      const Node* value = Find(tables_, name);
      const Node* made = Walk(*value, *RowsOf(schema_, name), nullptr, value->where);
      done_[name] = made;
      return made;
    }
    return at->second;
  }

  const Node* Walk(const Node& value, const Type& type, const Node* key, SourceRange where) {
    const Type* part = MeantPart(value, type);
    if (part == nullptr || value.is_scalar() || !MayHold(*part)) return &value;
    if (part->kind == Type::Kind::kName) {
      Table(part->names->paths.front());
      const auto made = rows_.find(&value);
      return made == rows_.end() ? &value : made->second;
    }
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries) {
      const bool is_map = part->kind == Type::Kind::kMap;
      const auto column = std::ranges::find(part->columns, entry.key->text, &Column::name);
      const Type* inner = is_map                          ? &part->parts[1]
                          : column != part->columns.end() ? &column->type
                                                          : nullptr;
      const SourceRange place = entry.key->where.known() ? entry.key->where : where;
      entries.push_back({entry.key, inner == nullptr ? entry.value
                                                     : Walk(*entry.value, *inner,
                                                            is_map ? entry.key : nullptr, place)});
    }
    std::vector<const Node*> items;
    for (const Node* item : value.items) {
      items.push_back(Walk(*item, part->parts[0], nullptr, item->where));
    }
    Node* made = arena_.New<Node>(value);
    made->items = arena_.Copy(std::span<const Node* const>(items));
    made->entries = arena_.Copy(std::span<const Entry>(entries));
    if (part->kind == Type::Kind::kRow) {
      AddColumns(*part, key, where, entries, made);
      rows_[&value] = made;
    }
    return made;
  }

  void AddColumns(const Type& type, const Node* key, SourceRange where, std::vector<Entry>& entries,
                  Node* row) {
    const Scope* scope = nullptr;
    for (const Column& column : type.columns) {
      if (column.computed == nullptr || column.computed->round != round_) continue;
      if (scope == nullptr) {
        scope = arena_.New<Scope>(scope_, "key", key == nullptr ? MakeNull(arena_) : key,
                                  BindingKind::kLet, where);
        scope = arena_.New<Scope>(scope, "row", row, BindingKind::kLet, where);
      }
      const SchemaExpression& expression = column.computed->value;
      const Node* value = expression.Evaluate(scope, where, sources_, arena_, diagnostics_);
      if (value == nullptr) continue;
      CheckValue(*value, column, where);
      entries.push_back({column.computed->key, value});
    }
    row->entries = arena_.Copy(std::span<const Entry>(entries));
  }

  void CheckValue(const Node& value, const Column& column, SourceRange where) {
    if (value.is_null()) return;
    Diagnostics found;
    ValidateValue(value, column.type, column.name, found);
    for (const Diagnostics::Entry& entry : found.entries()) {
      diagnostics_.Report(
          {.code = "bad-computed",
           .message = fmt::format("the computed column '{}' does not fit its type: {}", column.name,
                                  entry.diagnostic.message),
           .where = where,
           .related = {{column.computed->value.Place(sources_), "computed here"}},
           .notes = entry.diagnostic.notes});
    }
  }

  // Whether a value of the type may hold a computed column.
  bool MayHold(const Type& type) {
    const auto [at, is_new] = may_hold_.try_emplace(&type, false);
    if (!is_new) return at->second;
    bool may = std::ranges::any_of(type.parts, [&](const Type& part) { return MayHold(part); }) ||
               std::ranges::any_of(type.columns, [&](const Column& column) {
                 return column.computed != nullptr || MayHold(column.type);
               });
    if (type.embedded) {
      const Type* rows = RowsOf(schema_, type.names->paths.front());
      may = rows != nullptr && MayHold(*rows);
    }
    return may_hold_[&type] = may;
  }

  const std::size_t round_;
  const Node* const tables_;
  const Schema& schema_;
  const SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  const Scope* scope_ = nullptr;
  std::map<std::string_view, const Node*> done_;
  std::map<const Node*, const Node*> rows_;  // as they were: with the columns of this round
  std::map<const Type*, bool> may_hold_;
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
      column.computed->value.CheckTypes(check_);
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
    tables = ColumnRound(i, tables, schema, sources, arena, diagnostics).All();
  }
  return tables;
}

}  // namespace wheelwright
