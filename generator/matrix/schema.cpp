#include "generator/matrix/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

const Node* WithPlace(const Node* made, SourceRange where, Arena& arena) {
  Node* placed = arena.New<Node>(*made);
  placed->where = where;
  return placed;
}

}  // namespace

const FileSchema* FindMatrixFile(std::string_view stem) {
  const std::vector<FileSchema>& files = MatrixFiles();
  const auto at = std::find_if(files.begin(), files.end(),
                               [&](const FileSchema& file) { return file.stem == stem; });
  return at == files.end() ? nullptr : &*at;
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

bool IsNullable(const Column& column) { return column.absent == "null"; }

const Node* MakeAbsent(const Column& column, SourceRange where, Arena& arena) {
  const std::string_view text = column.absent;
  if (text == kRequired || text == kOmitted) return nullptr;
  if (text == "null") return WithPlace(MakeNull(arena), where, arena);
  if (text == "true" || text == "false")
    return WithPlace(MakeBoolean(arena, text == "true"), where, arena);
  if (text == "{}") return WithPlace(MakeMapping(arena, {}), where, arena);
  if (!text.starts_with('[')) return WithPlace(MakeString(arena, text), where, arena);
  std::vector<const Node*> items;
  const std::string_view inside = text.substr(1, text.size() - 2);
  if (!inside.empty()) {
    for (const std::string_view item : Split(inside, ',')) {
      items.push_back(WithPlace(MakeString(arena, Trim(item)), where, arena));
    }
  }
  return WithPlace(MakeSequence(arena, items), where, arena);
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
    }
    found = std::move(next);
  }
  return found;
}

}  // namespace wheelwright
