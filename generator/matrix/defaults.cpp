#include "generator/matrix/defaults.h"

#include <algorithm>
#include <map>
#include <vector>

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

class Embedder {
 public:
  Embedder(const Node* tables, const Schema& schema, Arena& arena)
      : tables_(tables), arena_(arena) {
    for (const FileSchema& file : schema.files) {
      for (const Column& table : file.tables.columns) types_.emplace(table.name, &table.type);
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
  // Tables do not embed each other in a circle: the schema was checked for that.
  const Node* Table(std::string_view name) {
    const auto [at, is_new] = embedded_.try_emplace(name);
    if (is_new) {
      const Node* made = Embed(Find(tables_, name), *types_.at(name));
      embedded_[name] = made;
      return made;
    }
    return at->second;
  }

  const Node* Embed(const Node* value, const Type& type) {
    const Type* part = MeantPart(*value, type);
    if (part == nullptr || !HasRows(*part)) return value;
    if (part->kind == Type::Kind::kName && value->is_string()) {
      const Node* row = Find(Table(part->names->paths.front()), value->text);
      return row == nullptr ? value : row;
    }
    std::vector<Entry> entries;
    for (const Entry& entry : value->entries) {
      const Column* column = FindColumn(*part, entry.key->text);
      const Type* inner = part->kind == Type::Kind::kMap ? &part->parts[1]
                          : column != nullptr            ? &column->type
                                                         : nullptr;
      entries.push_back({entry.key, inner == nullptr ? entry.value : Embed(entry.value, *inner)});
    }
    std::vector<const Node*> items;
    for (const Node* item : value->items) items.push_back(Embed(item, part->parts[0]));
    return value->is_scalar() ? value
                              : Rebuild(*value, std::move(entries), std::move(items), arena_);
  }

  // Whether a value of the type may hold an embedded row.
  static bool HasRows(const Type& type) {
    return (type.kind == Type::Kind::kName && type.embedded) ||
           std::ranges::any_of(type.parts, HasRows) ||
           std::ranges::any_of(type.columns,
                               [](const Column& column) { return HasRows(column.type); });
  }

  const Node* tables_;
  Arena& arena_;
  std::map<std::string_view, const Type*> types_;
  std::map<std::string_view, const Node*> embedded_;
};

}  // namespace

const Node* EmbedTables(const Node* tables, const Schema& schema, Arena& arena) {
  return Embedder(tables, schema, arena).All();
}

}  // namespace wheelwright
