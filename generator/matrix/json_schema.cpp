#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json.h"
#include "generator/matrix/schema.h"

namespace wheelwright {
namespace {

Json ToJson(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return nullptr;
    case NodeKind::kBoolean:
      return node.is_true();
    case NodeKind::kNumber:
      return static_cast<long long>(NumberValue(node));  // the matrix has whole numbers only
    case NodeKind::kString:
      return node.text;
    case NodeKind::kSequence: {
      Json list = Json::array();
      for (const Node* item : node.items) list.push_back(ToJson(*item));
      return list;
    }
    case NodeKind::kMapping: {
      Json map = Json::object();
      for (const Entry& entry : node.entries)
        map[std::string(entry.key->text)] = ToJson(*entry.value);
      return map;
    }
  }
  return nullptr;
}

// Rows become definitions, so that a row that stands in several places is written once.
class Printer {
 public:
  std::string Print(const FileSchema& file) {
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", MatrixFileName(file.stem)},
                {"description", file.help}};
    schema.update(RowBody(file.tables));
    if (!file.required) schema["type"] = {"object", "null"};  // an empty file
    if (!definitions_.empty()) schema["definitions"] = definitions_;
    return DumpJson(schema, 2) + "\n";
  }

 private:
  static Json OfText(std::string_view pattern, const std::string& description) {
    Json made{{"type", "string"}, {"pattern", pattern}};
    if (!description.empty()) made["description"] = description;
    return made;
  }

  Json Print(const Type& type) {
    switch (type.kind) {
      case Type::Kind::kText:
        return OfText("^[^\\n]+$", "");
      case Type::Kind::kAnyText:
        return {{"type", "string"}};
      case Type::Kind::kFormat:
        return OfText(type.format->pattern,
                      fmt::format("{}: {}", type.format->noun, type.format->rule));
      case Type::Kind::kWord:
        return {{"type", "string"}, {"enum", type.words}};
      case Type::Kind::kName:
        return OfText("^[^\\n]+$", fmt::format("the name of a {}, as in {}", type.names->noun,
                                               MatrixFileName(type.names->file)));
      case Type::Kind::kInteger:
        return {{"type", "integer"}, {"minimum", type.least}};
      case Type::Kind::kBoolean:
        return {{"type", "boolean"}};
      case Type::Kind::kScalar:
        return {{"type", {"string", "number", "boolean"}}};
      case Type::Kind::kAny:
        return Json::object();
      case Type::Kind::kList:
        return {{"type", "array"}, {"items", Print(type.parts[0])}, {"uniqueItems", true}};
      case Type::Kind::kMap: {
        Json map{{"type", "object"}};
        if (type.parts[0].kind == Type::Kind::kWord) {
          // Written out, because editors complete properties and not the names of propertyNames.
          Json value = Print(type.parts[1]);
          for (const std::string_view word : type.parts[0].words) {
            map["properties"][std::string(word)] = value;
          }
          map["additionalProperties"] = false;
        } else {
          map["propertyNames"] = Print(type.parts[0]);
          map["additionalProperties"] = Print(type.parts[1]);
        }
        return map;
      }
      case Type::Kind::kRow:
        return {{"$ref", fmt::format("#/definitions/{}", Define(type))}};
      case Type::Kind::kEither:
        return {{"anyOf", {Print(type.parts[0]), Print(type.parts[1])}}};
    }
    return {};
  }

  // The name of the row's definition.
  std::string Define(const Type& row) {
    std::string name(row.noun);
    for (char& c : name) {
      if (c == ' ' || c == '\'') c = '-';
    }
    const Json body = RowBody(row);
    // A row below an `each` column may differ from one to the other.
    std::string unique = name;
    for (int i = 2;; ++i) {
      const auto [at, is_new] = known_.emplace(unique, body);
      if (is_new) definitions_[unique] = at->second;
      if (at->second == body) return unique;
      unique = fmt::format("{}-{}", name, i);
    }
  }

  Json RowBody(const Type& row) {
    Json body{{"type", "object"}, {"properties", Json::object()}};
    Json required = Json::array();
    for (const Column& column : row.columns) {
      if (column.computed != nullptr) continue;
      body["properties"][std::string(column.name)] = PrintColumn(column);
      if (column.required) required.push_back(column.name);
    }
    if (!required.empty()) body["required"] = std::move(required);
    for (const std::string_view name : row.one_needed) {
      body["anyOf"].push_back({{"required", {name}}});
    }
    body["additionalProperties"] = row.parts.empty() ? Json(false) : Print(row.parts[0]);
    return body;
  }

  Json PrintColumn(const Column& column) {
    Json type = Print(column.type);
    if (IsNullable(column)) AllowNull(type);
    Json printed{{"description", column.help}};
    // Draft 7 ignores what stands beside a $ref.
    if (type.contains("$ref")) {
      printed["allOf"] = Json::array({std::move(type)});
    } else {
      for (auto& [key, value] : type.items()) {
        if (key != "description") printed[key] = value;
      }
      if (type.contains("description")) {
        printed["description"] =
            fmt::format("{} ({})", column.help, type["description"].get<std::string>());
      }
    }
    const bool says_default = column.absent != nullptr &&
                              !(column.absent->is_mapping() && column.absent->entries.empty());
    if (says_default) printed["default"] = ToJson(*column.absent);
    if (column.example != nullptr) printed["examples"] = Json::array({ToJson(*column.example)});
    return printed;
  }

  static void AllowNull(Json& type) {
    if (type.empty()) return;
    if (type.contains("enum")) type["enum"].push_back(nullptr);
    if (type.contains("type") && type["type"].is_string()) {
      type["type"] = {type["type"].get<std::string>(), "null"};
    } else if (type.contains("anyOf")) {
      type["anyOf"].push_back({{"type", "null"}});
    } else {
      Json either = Json::array({type, Json{{"type", "null"}}});
      type = Json{{"anyOf", std::move(either)}};
    }
  }

  Json definitions_ = Json::object();
  std::map<std::string, Json> known_;
};

}  // namespace

std::string JsonSchema(const FileSchema& file) { return Printer().Print(file); }

}  // namespace wheelwright
