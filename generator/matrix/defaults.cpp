#include "generator/matrix/defaults.h"

#include <algorithm>
#include <vector>

#include "generator/matrix/table_walk.h"

namespace wheelwright {
namespace {

const Node* Rebuild(const Node& value, std::vector<Entry> entries, std::vector<const Node*> items,
                    Arena& arena) {
  Node* rebuilt = arena.New<Node>(value);
  rebuilt->entries = arena.Copy(std::span<const Entry>(entries));
  rebuilt->items = arena.Copy(std::span<const Node* const>(items));
  return rebuilt;
}

const Column* FindColumn(const Type& row, std::string_view name) {
  for (const Column& column : row.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

const Node* FillRow(const Node& row, const Type& type, SourceRange where, Arena& arena) {
  std::vector<Entry> entries;
  for (const Column& column : type.columns) {
    if (const Entry* given = FindEntry(&row, column.name)) {
      entries.push_back(
          {given->key, FillDefaults(given->value, column.type, given->key->where, arena)});
    } else {
      const Node* absent = MakeAbsent(column, where, arena);
      if (absent == nullptr) continue;
      entries.push_back(
          {MakeString(arena, column.name), FillDefaults(absent, column.type, where, arena)});
    }
  }
  for (const Entry& entry : row.entries) {
    if (FindColumn(type, entry.key->text) == nullptr) entries.push_back(entry);
  }
  return Rebuild(row, std::move(entries), {}, arena);
}

}  // namespace

const Node* FillDefaults(const Node* value, const Type& type, SourceRange where, Arena& arena) {
  const Type* part = MeantPart(*value, type);
  if (part == nullptr) return value;
  const Type& meant = *part;
  if (meant.kind == Type::Kind::kRow && value->is_mapping())
    return FillRow(*value, meant, where, arena);
  if (meant.kind == Type::Kind::kMap && value->is_mapping()) {
    std::vector<Entry> entries;
    for (const Entry& entry : value->entries) {
      entries.push_back(
          {entry.key, FillDefaults(entry.value, meant.parts[1], entry.key->where, arena)});
    }
    return Rebuild(*value, std::move(entries), {}, arena);
  }
  if (meant.kind == Type::Kind::kList && value->is_sequence()) {
    std::vector<const Node*> items;
    for (const Node* item : value->items) {
      items.push_back(FillDefaults(item, meant.parts[0], item->where, arena));
    }
    return Rebuild(*value, {}, std::move(items), arena);
  }
  return value;
}

namespace {

class Embedder : public TableWalk {
 public:
  using TableWalk::TableWalk;

 private:
  bool Changes(const Type& type) const override {
    return type.kind == Type::Kind::kName && type.embedded;
  }
  void Finish(const Type&, const Node*, SourceRange, Node&) override {}
};

}  // namespace

const Node* EmbedTables(const Node* tables, const Schema& schema, Arena& arena) {
  return Embedder(tables, schema, arena).All();
}

}  // namespace wheelwright
