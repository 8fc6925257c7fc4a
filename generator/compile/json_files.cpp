#include "generator/compile/json_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/below.h"
#include "generator/emit/emit_json.h"
#include "generator/emit/json_fit.h"
#include "generator/expression/json.h"

namespace wheelwright {

void JsonFileMaker::Make(const Instance& instance) {
  names_.push_back(instance.file);
  Arena arena;
  const Expanded tree = Expand(instance, result_.sources, arena, diagnostics_);
  if (tree.root == nullptr) return;
  if (const Entry* own = FindEntry(tree.root, kGeneratedByKey)) {
    diagnostics_.Report({.code = "duplicate-key",
                         .message = fmt::format("'{}' is written by itself", kGeneratedByKey),
                         .where = own->key->where,
                         .hint = "remove it"});
  }
  CheckSchema(instance, *tree.root);
  const std::string mark = GeneratedMark(TemplateName(instance, result_.sources));
  result_.json_files.push_back(
      {std::string(instance.file), EmitJson(*tree.root, mark), instance.named->where});
}

void JsonFileMaker::ReportMissing() {
  for (const Entry& row : schemas_.entries) {
    if (std::ranges::find(names_, row.key->text) != names_.end()) continue;
    diagnostics_.Report({.code = "json-schema",
                         .message = fmt::format("no template makes '{}'", row.key->text),
                         .where = row.key->where,
                         .hint = "remove the row, or write `file: NAME.json` in a head"});
  }
}

// Whether the file is what those who read it ask for, where the settings know that.
void JsonFileMaker::CheckSchema(const Instance& instance, const Node& root) {
  const Entry* row = FindEntry(&schemas_, instance.file);
  if (row == nullptr) return;
  const std::optional<std::string> text = files_.Read(Below(root_, row->value->text));
  const JsonValue schema =
      text ? FromJson(*text, result_.arena) : JsonValue{nullptr, "there is no such file"};
  if (schema.value == nullptr) {
    diagnostics_.Report({.code = "json-schema",
                         .message = fmt::format("{}: {}", row->value->text, schema.message),
                         .where = row->value->where,
                         .hint = "expected a JSON Schema"});
  } else if (CheckJsonSchema(*schema.value, row->value->text, row->value->where, diagnostics_)) {
    CheckJsonFits(root, *schema.value, instance.file, row->value->text, diagnostics_);
  }
}

}  // namespace wheelwright
