// A record of what a reader asks for, as JSON Schema.
#include <algorithm>

#include "base/json.h"
#include "selection/json_cursor.h"

namespace wheelwright {
namespace {

Json SchemaOf(const JsonShape& shape) {
  Json schema = Json::object();
  if (shape.constant) {
    schema["const"] = *shape.constant;
    return schema;
  }
  std::vector<std::string> types;
  const auto add = [&](bool asked, std::string_view type) {
    if (asked) types.emplace_back(type);
  };
  add(shape.null, "null");
  add(shape.text, "string");
  add(shape.boolean, "boolean");
  add(shape.number, "integer");
  add(shape.list, "array");
  add(shape.object, "object");
  if (types.size() == 1) {
    schema["type"] = types.front();
  } else if (!types.empty()) {
    schema["type"] = types;
  }
  // Where other types are taken too, a text is not told from them here.
  if (!shape.words.empty() && types.size() == 1) schema["enum"] = shape.words;
  if (shape.number) schema["minimum"] = 0;
  if (shape.item != nullptr) schema["items"] = SchemaOf(*shape.item);
  for (const JsonShape::Member& member : shape.members) {
    if (!member.optional) schema["required"].push_back(member.name);
  }
  for (const JsonShape::Member& member : shape.members) {
    schema["properties"][member.name] = SchemaOf(*member.shape);
  }
  if (shape.any_member != nullptr) schema["additionalProperties"] = SchemaOf(*shape.any_member);
  return schema;
}

}  // namespace

JsonShape::Member& JsonShape::MemberOf(std::string_view member) {
  object = true;
  const auto found = std::ranges::find(members, member, &Member::name);
  if (found != members.end()) return *found;
  return members.emplace_back(Member{std::string(member), false, std::make_unique<JsonShape>()});
}

std::string AsJsonSchema(const JsonShape& shape, std::string_view title,
                         std::string_view description) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", title},
                 {"description", description}};
  schema.update(SchemaOf(shape));
  return DumpJson(schema, 2) + '\n';
}

}  // namespace wheelwright
