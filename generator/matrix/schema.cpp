#include "generator/matrix/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

const Node* WithPlace(const Node& made, SourceRange where, Arena& arena) {
  Node* placed = arena.New<Node>(made);
  placed->where = where;
  std::vector<const Node*> items;
  for (const Node* item : made.items) items.push_back(WithPlace(*item, where, arena));
  placed->items = arena.Copy(std::span<const Node* const>(items));
  std::vector<Entry> entries;
  for (const Entry& entry : made.entries) {
    entries.push_back({WithPlace(*entry.key, where, arena), WithPlace(*entry.value, where, arena)});
  }
  placed->entries = arena.Copy(std::span<const Entry>(entries));
  return placed;
}

}  // namespace

const FileSchema* Schema::File(std::string_view stem) const {
  const auto at = std::ranges::find(files, stem, &FileSchema::stem);
  return at == files.end() ? nullptr : &*at;
}

const Column* Schema::FindTable(std::string_view name) const {
  for (const FileSchema& file : files) {
    const auto at = std::ranges::find(file.tables.columns, name, &Column::name);
    if (at != file.tables.columns.end()) return &*at;
  }
  return nullptr;
}

std::string MatrixFileName(std::string_view stem) { return fmt::format("matrix/{}.yml", stem); }

std::string DescribeType(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kText:
      return "text";
    case Type::Kind::kAnyText:
      return "text, perhaps empty";
    case Type::Kind::kFormat:
      return std::string(type.format->noun);
    case Type::Kind::kWord:
      if (type.words.size() == 1) return fmt::format("'{}'", type.words.front());
      return fmt::format("one of {}", fmt::join(type.words, ", "));
    case Type::Kind::kName:
      return fmt::format("the name of a {}", type.names->noun);
    case Type::Kind::kInteger:
      return "a whole number";
    case Type::Kind::kBoolean:
      return "true or false";
    case Type::Kind::kScalar:
      return "text, a number, or true or false";
    case Type::Kind::kAny:
      return "anything";
    case Type::Kind::kList:
      return fmt::format("a list, each item {}", DescribeType(type.parts[0]));
    case Type::Kind::kMap:
      return fmt::format("a mapping, each key {} and each value {}", DescribeType(type.parts[0]),
                         DescribeType(type.parts[1]));
    case Type::Kind::kRow:
      return fmt::format("a mapping ({})", type.noun);
    case Type::Kind::kEither:
      return fmt::format("{}, or {}", DescribeType(type.parts[0]), DescribeType(type.parts[1]));
  }
  return {};
}

const Type* MeantPart(const Node& value, const Type& type) {
  if (type.kind != Type::Kind::kEither) return &type;
  for (const Type& part : type.parts) {
    const bool takes_list = part.kind == Type::Kind::kList;
    const bool takes_mapping = part.kind == Type::Kind::kMap || part.kind == Type::Kind::kRow;
    if (value.is_sequence() == takes_list && value.is_mapping() == takes_mapping) return &part;
  }
  return nullptr;
}

bool IsNullable(const Column& column) {
  return column.absent != nullptr && column.absent->is_null();
}

const Node* MakeAbsent(const Column& column, SourceRange where, Arena& arena) {
  return column.absent == nullptr ? nullptr : WithPlace(*column.absent, where, arena);
}

std::string Written(const Node& value) {
  if (value.is_sequence() || value.is_mapping()) {
    std::vector<std::string> parts;
    for (const Node* item : value.items) parts.push_back(Written(*item));
    for (const Entry& entry : value.entries) {
      parts.push_back(fmt::format("{}: {}", Written(*entry.key), Written(*entry.value)));
    }
    return value.is_sequence() ? fmt::format("[{}]", fmt::join(parts, ", "))
                               : fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  if (value.is_null()) return "null";
  if (value.is_string() && (value.style != NodeStyle::kPlain || value.text.empty())) {
    const char quote = value.text.find_first_of("\\\"") == std::string_view::npos ? '"' : '\'';
    return fmt::format("{}{}{}", quote, value.text, quote);
  }
  return std::string(value.text);
}

std::vector<const Node*> FindAll(const Node* root, std::string_view path) {
  std::vector<const Node*> found;
  if (root != nullptr) found.push_back(root);
  for (const std::string_view step : Split(path, '.')) {
    std::vector<const Node*> next;
    for (const Node* node : found) {
      if (step != "*") {
        if (const Node* value = Find(node, step)) next.push_back(value);
        continue;
      }
      for (const Entry& entry : node->entries) next.push_back(entry.value);
      next.insert(next.end(), node->items.begin(), node->items.end());
    }
    found = std::move(next);
  }
  return found;
}

}  // namespace wheelwright
