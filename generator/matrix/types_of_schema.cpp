#include "generator/matrix/types_of_schema.h"

#include <algorithm>

namespace wheelwright {
namespace {

// Whether a column may hold null, or "" for nothing.
bool MayBeNothing(const Column& column) {
  return column.absent != nullptr &&
         (column.absent->is_null() || (column.absent->is_string() && column.absent->text.empty()));
}

}  // namespace

ExprType TypesOfSchema::Of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kText:
    case Type::Kind::kAnyText:
    case Type::Kind::kFormat:
      return TypeKind::kText;
    case Type::Kind::kWord:
      return pool_.TextOf(type.words, true);
    case Type::Kind::kName:
      return OfName(type);
    case Type::Kind::kInteger:
      return TypeKind::kNumber;
    case Type::Kind::kBoolean:
      return TypeKind::kBoolean;
    case Type::Kind::kList:
      return pool_.ListOf(Of(type.parts[0]));
    case Type::Kind::kMap:
      return pool_.TableOf(Of(type.parts[1]));
    case Type::Kind::kRow:
      return RowOf(type, {});
    case Type::Kind::kScalar:
    case Type::Kind::kAny:
    case Type::Kind::kEither:
      break;
  }
  return TypeKind::kAny;
}

ExprType TypesOfSchema::RowOf(const Type& row, std::span<const Property> more) {
  std::vector<Property> properties(more.begin(), more.end());
  for (const Column& column : row.columns) {
    if (std::ranges::find(more, column.name, &Property::name) != more.end()) continue;
    properties.push_back({column.name, OfColumn(column)});
  }
  const bool others = !row.parts.empty();
  if (properties.empty() && others) return pool_.TableOf(Of(row.parts[0]));
  return pool_.RowOf(properties, others, row.noun);
}

ExprType TypesOfSchema::OfColumn(const Column& column) {
  ExprType type = Of(column.type);
  if (MayBeNothing(column)) type.or_nothing = true;
  return type;
}

ExprType TypesOfSchema::OfName(const Type& type) {
  const std::vector<std::string_view>& paths = type.names->paths;
  const bool table = paths.size() == 1 && paths[0].find('.') == std::string_view::npos;
  if (!type.embedded) return table ? KeyOf(paths[0]) : ExprType(TypeKind::kText);
  const auto [at, is_new] = embedded_.try_emplace(paths[0]);
  if (!is_new) return at->second;
  const Column* rows = schema_.FindTable(paths[0]);
  const ExprType row = rows == nullptr || rows->type.kind != Type::Kind::kMap
                           ? ExprType(TypeKind::kAny)
                           : Of(rows->type.parts[1]);
  return embedded_[paths[0]] = row;
}

ExprType TypesOfSchema::OfTable(const Column& table) {
  ExprType type = OfColumn(table);
  const Node* rows = tables_ == nullptr ? nullptr : Find(tables_, table.name);
  if (table.type.kind != Type::Kind::kMap || rows == nullptr) return type;
  std::vector<Property> keys;
  for (const Entry& row : rows->entries) keys.push_back({row.key->text, *type.item});
  type.properties = pool_.RowOf(keys).properties;
  return type;
}

ExprType TypesOfSchema::OfTableInTemplates(const Column& table) {
  if (table.key.empty() || table.type.kind != Type::Kind::kMap) return OfTable(table);
  const Type& row = table.type.parts[1];
  if (row.kind != Type::Kind::kRow) return pool_.ListOf(TypeKind::kAny);
  const Property key{table.key, KeyOf(table.name)};
  return pool_.ListOf(RowOf(row, {&key, 1}));
}

std::vector<Property> TypesOfSchema::OfTables() {
  std::vector<Property> names;
  for (const FileSchema& file : schema_.files) {
    for (const Column& table : file.tables.columns) {
      names.push_back({table.name, OfTableInTemplates(table)});
    }
  }
  return names;
}

ExprType TypesOfSchema::KeyOf(std::string_view table) {
  const auto [at, is_new] = keys_.try_emplace(table, TypeKind::kText);
  if (!is_new) return at->second;
  const Node* rows = tables_ == nullptr ? nullptr : Find(tables_, table);
  if (rows == nullptr || rows->entries.empty()) return TypeKind::kText;
  std::vector<std::string_view> keys;
  for (const Entry& row : rows->entries) keys.push_back(row.key->text);
  return keys_[table] = pool_.TextOf(keys, false);
}

}  // namespace wheelwright
