#include "generator/matrix/computed_column.h"

#include <utility>

#include "generator/expression/values.h"

namespace wheelwright {
namespace {

std::optional<SchemaExpression> ReadOptional(const Node* text, SchemaContext context) {
  if (text == nullptr || text->is_null()) return std::nullopt;
  return SchemaExpression::Read(*text, context.sources, context.arena, context.diagnostics);
}

void Visit(std::span<const ComputedColumn> columns, std::vector<std::string_view>& names,
           const VisitExpression& visit) {
  for (const ComputedColumn& column : columns) {
    if (column.value) visit(*column.value, names);
    if (column.list == nullptr) continue;
    visit(column.list->of, names);
    names.push_back(column.list->each);
    if (column.list->condition) visit(*column.list->condition, names);
    Visit(column.list->columns, names, visit);
    names.pop_back();
  }
}

const Node* ComputeList(const ComputedList& list, const Scope* scope, SourceRange where,
                        SchemaContext context) {
  const auto evaluate = [&](const SchemaExpression& expression, const Scope* names) {
    return expression.Evaluate(names, where, context.sources, context.arena, context.diagnostics);
  };
  const Node* of = evaluate(list.of, scope);
  if (of == nullptr) return nullptr;
  std::vector<const Node*> rows;
  for (const Node* item : of->items) {
    const Scope* inner =
        context.arena.New<Scope>(scope, list.each, item, BindingKind::kFor, item->where);
    if (list.condition) {
      const Node* taken = evaluate(*list.condition, inner);
      if (taken == nullptr) return nullptr;
      if (!IsTruthy(*taken)) continue;
    }
    std::vector<Entry> entries;
    for (const ComputedColumn& column : list.columns) {
      const Node* value = Compute(column, inner, item->where, context);
      if (value == nullptr) return nullptr;
      entries.push_back({column.key, value});
    }
    Node* row = context.arena.New<Node>(*MakeMapping(context.arena, entries));
    row->where = item->where;
    rows.push_back(row);
  }
  Node* made = context.arena.New<Node>(*MakeSequence(context.arena, rows));
  made->where = where;
  return made;
}

}  // namespace

std::optional<ComputedColumn> ReadComputedColumn(const Node& key, const Node& value,
                                                 SchemaContext context) {
  ComputedColumn column{.name = key.text, .key = &key, .value = {}, .list = {}};
  if (!value.is_mapping()) {
    column.value = ReadOptional(&value, context);
    return column.value ? std::optional(std::move(column)) : std::nullopt;
  }
  auto of = ReadOptional(Find(&value, "of"), context);
  if (!of) return std::nullopt;
  column.list = std::make_shared<const ComputedList>(
      ComputedList{.each = FindText(&value, "each"),
                   .of = std::move(*of),
                   .condition = ReadOptional(Find(&value, "if"), context),
                   .columns = ReadComputedColumns(Find(&value, "columns"), context)});
  return column;
}

std::vector<ComputedColumn> ReadComputedColumns(const Node* columns, SchemaContext context) {
  std::vector<ComputedColumn> read;
  if (columns == nullptr) return read;
  for (const Entry& entry : columns->entries) {
    auto column = ReadComputedColumn(*entry.key, *entry.value, context);
    if (column) read.push_back(std::move(*column));
  }
  return read;
}

void ForEachExpression(std::span<const ComputedColumn> columns, const VisitExpression& visit) {
  std::vector<std::string_view> names;
  Visit(columns, names, visit);
}

ExprType TypeOf(const ComputedColumn& column, SchemaNames& names, TemplateTypes& types,
                TypePool& pool) {
  if (column.value) return column.value->CheckTypes(types);
  const ComputedList& list = *column.list;
  const ExprType of = list.of.CheckTypes(types);
  const std::size_t mark = names.Mark();
  names.Bind(list.each, of.item == nullptr ? ExprType() : *of.item);
  if (list.condition) list.condition->CheckTypes(types);
  std::vector<Property> made;
  for (const ComputedColumn& one : list.columns) {
    made.push_back({one.name, TypeOf(one, names, types, pool)});
  }
  names.Leave(mark);
  return pool.ListOf(pool.RowOf(made));
}

SourceRange PlaceOf(const ComputedColumn& column, const SourceManager& sources) {
  return (column.value ? *column.value : column.list->of).Place(sources);
}

const Node* Compute(const ComputedColumn& column, const Scope* scope, SourceRange where,
                    SchemaContext context) {
  if (column.list != nullptr) return ComputeList(*column.list, scope, where, context);
  return column.value->Evaluate(scope, where, context.sources, context.arena, context.diagnostics);
}

}  // namespace wheelwright
