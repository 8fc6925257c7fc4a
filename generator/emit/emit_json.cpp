#include "generator/emit/emit_json.h"

#include <algorithm>

#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

using Layout = JsonWriter::Layout;

bool HoldsRowsAlone(const Node& value) {
  return std::ranges::none_of(value.items, &Node::is_scalar) &&
         std::ranges::none_of(value.entries,
                              [](const Entry& entry) { return entry.value->is_scalar(); });
}

// `of_matrix`: it is part of a value that was computed as a whole.
void Write(const Node& value, bool of_matrix, JsonWriter& json);

void WriteParts(const Node& value, bool of_matrix, JsonWriter& json) {
  for (const Entry& entry : value.entries) {
    json.Key(entry.key->text);
    Write(*entry.value, of_matrix, json);
  }
  for (const Node* item : value.items) Write(*item, of_matrix, json);
}

void Write(const Node& value, bool of_matrix, JsonWriter& json) {
  of_matrix = of_matrix || value.origin.known();
  const bool block = of_matrix ? HoldsRowsAlone(value) : value.style != NodeStyle::kFlow;
  if (value.is_scalar() || !block) return json.Value(value);
  json.Open(value.is_mapping() ? '{' : '[', Layout::kBlock);
  WriteParts(value, of_matrix, json);
  json.Close();
}

}  // namespace

std::string EmitJson(const Node& root, std::string_view mark) {
  JsonWriter json;
  json.Open('{', Layout::kBlock);
  json.StringAt("generated_by", mark);
  WriteParts(root, false, json);
  json.Close();
  return json.Take() + '\n';
}

}  // namespace wheelwright
