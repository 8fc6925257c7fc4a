#include "generator/emit/json_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 8> kKeywords = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum"};
constexpr std::array<std::string_view, 7> kForPeople = {
    "$schema", "$id", "$comment", "title", "description", "default", "examples"};

bool IsIn(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool HasType(const Node& value, std::string_view type) {
  switch (value.kind) {
    case NodeKind::kNull:
      return type == "null";
    case NodeKind::kBoolean:
      return type == "boolean";
    case NodeKind::kNumber:
      return type == "number" ||
             (type == "integer" && std::trunc(NumberValue(value)) == NumberValue(value));
    case NodeKind::kString:
      return type == "string";
    case NodeKind::kSequence:
      return type == "array";
    case NodeKind::kMapping:
      break;
  }
  return type == "object";
}

std::string_view Described(std::string_view type) {
  if (type == "string") return "a text";
  if (type == "integer") return "a whole number";
  if (type == "object") return "a mapping";
  if (type == "array") return "a list";
  if (type == "null") return "null";
  return type == "boolean" ? "true or false" : "a number";
}

std::vector<std::string_view> TypesOf(const Node& type) {
  if (type.is_string()) return {type.text};
  std::vector<std::string_view> types;
  for (const Node* one : type.items) types.push_back(one->text);
  return types;
}

std::string AsJson(const Node& value) {
  std::string text;
  AppendJson(text, value);
  return text;
}

class Fit {
 public:
  Fit(std::string_view file, std::string_view name, Diagnostics& diagnostics)
      : file_(file), name_(name), diagnostics_(diagnostics) {}

  // `at`: what of the template the value is from; the same as the value, or a whole `$[[ ]]`.
  void Check(const Node& value, const Node& schema, const Node& at, const std::string& path) {
    if (schema.kind == NodeKind::kBoolean) {
      if (!schema.is_true()) Report(value, at, path, "must not be there");
      return;
    }
    if (!CheckType(value, schema, at, path)) return;
    const Node* words = Find(&schema, "enum");
    const Node* constant = Find(&schema, "const");
    const auto same = [&](const Node* other) { return SameContent(value, *other); };
    if (words != nullptr && std::ranges::none_of(words->items, same)) {
      std::vector<std::string> known;
      for (const Node* word : words->items) known.push_back(AsJson(*word));
      Report(value, at, path,
             fmt::format("is {}; it must be one of {}", AsJson(value), fmt::join(known, ", ")));
    }
    if (constant != nullptr && !same(constant)) {
      Report(value, at, path,
             fmt::format("is {}; it must be {}", AsJson(value), AsJson(*constant)));
    }
    const Node* least = Find(&schema, "minimum");
    if (least != nullptr && value.kind == NodeKind::kNumber &&
        NumberValue(value) < NumberValue(*least)) {
      Report(value, at, path,
             fmt::format("is {}; it must be {} at least", AsJson(value), AsJson(*least)));
    }
    if (value.is_mapping()) CheckMembers(value, schema, at, path);
    const Node* items = Find(&schema, "items");
    for (std::size_t i = 0; items != nullptr && i < value.items.size(); ++i) {
      Step(*value.items[i], *items, at, fmt::format("{}.{}", path, i));
    }
  }

 private:
  void Step(const Node& value, const Node& schema, const Node& at, const std::string& path) {
    const bool in_template = !at.origin.known();
    Check(value, schema, in_template ? value : at, path);
  }

  bool CheckType(const Node& value, const Node& schema, const Node& at, const std::string& path) {
    const Node* type = Find(&schema, "type");
    if (type == nullptr) return true;
    std::vector<std::string> wanted;
    for (const std::string_view one : TypesOf(*type)) {
      if (HasType(value, one)) return true;
      wanted.emplace_back(Described(one));
    }
    Report(value, at, path,
           fmt::format("is {}; it must be {}", DescribeKind(value), fmt::join(wanted, " or ")));
    return false;
  }

  void CheckMembers(const Node& value, const Node& schema, const Node& at,
                    const std::string& path) {
    const auto below = [&](std::string_view key) {
      return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    };
    const Node* required = Find(&schema, "required");
    if (required != nullptr) {
      for (const Node* key : required->items) {
        if (Find(&value, key->text) == nullptr) Report(value, at, below(key->text), "is missing");
      }
    }
    const Node* properties = Find(&schema, "properties");
    const Node* others = Find(&schema, "additionalProperties");
    for (const Entry& entry : value.entries) {
      const Node* known = properties == nullptr ? nullptr : Find(properties, entry.key->text);
      if (known == nullptr) known = others;
      if (known != nullptr) Step(*entry.value, *known, at, below(entry.key->text));
    }
  }

  void Report(const Node& value, const Node& at, const std::string& path, std::string_view what) {
    const Location begin = at.where.begin;
    if (!reported_.emplace(begin.file, begin.offset).second) return;
    Diagnostic diagnostic{.code = "json-misfit",
                          .message = path.empty() ? fmt::format("{} {}", file_, what)
                                                  : fmt::format("{}: '{}' {}", file_, path, what),
                          .where = at.where,
                          .notes = {fmt::format("{} says what {} must be", name_, file_)}};
    const SourceRange from = &value == &at ? at.origin : value.where;
    if (from.known() && from.begin.file != begin.file) {
      diagnostic.related.push_back({from, "the value is from here"});
    }
    diagnostics_.Report(std::move(diagnostic));
  }

  std::string_view file_;
  std::string_view name_;
  Diagnostics& diagnostics_;
  std::set<std::pair<FileId, std::size_t>> reported_;
};

}  // namespace

bool CheckJsonSchema(const Node& schema, std::string_view name, SourceRange where,
                     Diagnostics& diagnostics) {
  if (schema.kind == NodeKind::kBoolean) return true;
  bool good = true;
  const auto refuse = [&](std::string message) {
    good = false;
    diagnostics.Report({.code = "json-schema",
                        .message = fmt::format("{}: {}", name, message),
                        .where = where,
                        .notes = {fmt::format("known are {}", fmt::join(kKeywords, ", "))}});
  };
  if (!schema.is_mapping()) {
    refuse(fmt::format("a schema is {}", DescribeKind(schema)));
    return false;
  }
  for (const Entry& entry : schema.entries) {
    const std::string_view key = entry.key->text;
    if (key == "properties") {
      for (const Entry& property : entry.value->entries) {
        good = CheckJsonSchema(*property.value, name, where, diagnostics) && good;
      }
    } else if (key == "items" || key == "additionalProperties") {
      good = CheckJsonSchema(*entry.value, name, where, diagnostics) && good;
    } else if (!IsIn(kKeywords, key) && !IsIn(kForPeople, key)) {
      refuse(fmt::format("the keyword '{}' is not known here", key));
    }
  }
  return good;
}

void CheckJsonFits(const Node& value, const Node& schema, std::string_view file,
                   std::string_view name, Diagnostics& diagnostics) {
  Fit(file, name, diagnostics).Check(value, schema, value, "");
}

}  // namespace wheelwright
