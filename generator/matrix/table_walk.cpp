#include "generator/matrix/table_walk.h"

#include <algorithm>

namespace wheelwright {

const Node* TableWalk::All() {
  std::vector<Entry> tables;
  for (const Entry& table : tables_->entries) {
    tables.push_back({table.key, Table(table.key->text)});
  }
  return MakeMapping(arena_, tables);
}

const Node* TableWalk::Table(std::string_view name) {
  const auto [at, is_new] = done_.try_emplace(name);
  if (!is_new) return at->second;
  const Node* value = Find(tables_, name);
  const Node* made = Walk(*value, schema_.FindTable(name)->type, nullptr, value->where);
  return done_[name] = made;
}

const Node* TableWalk::Walk(const Node& value, const Type& type, const Node* key,
                            SourceRange where) {
  const Type* part = MeantPart(value, type);
  if (part == nullptr || !MayHold(*part)) return &value;
  if (part->kind == Type::Kind::kName) {
    // The name of a row, or the row, which was put in its place before.
    const Node* rows = Table(part->names->paths.front());
    const Node* row = value.is_string() ? Find(rows, value.text) : nullptr;
    if (const auto made = rows_.find(&value); made != rows_.end()) row = made->second;
    return row == nullptr ? &value : row;
  }
  if (value.is_scalar()) return &value;
  const bool is_map = part->kind == Type::Kind::kMap;
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries) {
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
    Finish(*part, key, where, *made);
    rows_[&value] = made;
  }
  return made;
}

bool TableWalk::MayHold(const Type& type) {
  const auto [at, is_new] = may_hold_.try_emplace(&type, false);
  if (!is_new) return at->second;
  bool may =
      Changes(type) ||
      std::ranges::any_of(type.parts, [&](const Type& part) { return MayHold(part); }) ||
      std::ranges::any_of(type.columns, [&](const Column& column) { return MayHold(column.type); });
  if (type.embedded && !may) {
    const Column* rows = schema_.FindTable(type.names->paths.front());
    may = rows != nullptr && MayHold(rows->type);
  }
  return may_hold_[&type] = may;
}

}  // namespace wheelwright
