#include "generator/import/row_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "generator/emit/quoting.h"
#include "generator/expression/values.h"
#include "generator/yaml/scan.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongestExample = 60;

bool All(const std::vector<const Node*>& values, bool (*holds)(const Node&)) {
  return std::ranges::all_of(values, [&](const Node* value) { return holds(*value); });
}

bool IsLine(const Node& value) {
  return !value.text.empty() && value.text.find('\n') == std::string_view::npos;
}

bool IsCount(const Node& value) {
  return value.kind == NodeKind::kNumber && value.text.size() < 10 &&
         value.text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool HasTwice(const Node& list) {
  for (std::size_t i = 1; i < list.items.size(); ++i) {
    if (std::ranges::any_of(list.items.first(i),
                            [&](const Node* one) { return SameContent(*one, *list.items[i]); })) {
      return true;
    }
  }
  return false;
}

// A column of some rows: its values, and whether all rows have it.
struct ColumnValues {
  std::string_view name;
  std::vector<const Node*> values;
};

std::vector<ColumnValues> ColumnsOf(const std::vector<std::span<const Entry>>& rows) {
  std::vector<ColumnValues> columns;
  for (const std::span<const Entry> row : rows) {
    for (const Entry& entry : row) {
      auto column = std::ranges::find(columns, entry.key->text, &ColumnValues::name);
      if (column == columns.end()) {
        columns.push_back({entry.key->text, {}});
        column = std::prev(columns.end());
      }
      column->values.push_back(entry.value);
    }
  }
  return columns;
}

std::string TypeOfScalars(const std::vector<const Node*>& values) {
  if (All(values, [](const Node& value) { return value.is_string(); })) {
    return All(values, IsLine) ? "text" : "any text";
  }
  if (All(values, [](const Node& value) { return value.kind == NodeKind::kBoolean; })) {
    return "boolean";
  }
  if (All(values, IsCount)) return "integer";
  const bool scalars = All(values, [](const Node& value) {
    return value.is_scalar() && !value.is_null() && IsLine(value);
  });
  return scalars ? "scalar" : "any";
}

}  // namespace

std::string FlowText(const Node& value) {
  const auto join = [](std::string& made, std::string part) {
    made += made.size() > 2 ? ", " : "";
    made += part;
  };
  std::string made;
  switch (value.kind) {
    case NodeKind::kNull:
      return "null";
    case NodeKind::kBoolean:
      return std::string(value.text);
    case NodeKind::kNumber:
      return FormatNumber(NumberValue(value));
    case NodeKind::kString:
      return QuoteScalar(value.text, ScalarPlace::kFlowItem);
    case NodeKind::kSequence:
      if (value.items.empty()) return "[]";
      for (const Node* item : value.items) made += (made.empty() ? "" : ", ") + FlowText(*item);
      return fmt::format("[{}]", made);
    case NodeKind::kMapping:
      if (value.entries.empty()) return "{}";
      made = "{ ";
      for (const Entry& entry : value.entries) {
        join(made, fmt::format("{}: {}", QuoteScalar(entry.key->text, ScalarPlace::kFlowItem),
                               FlowText(*entry.value)));
      }
      return made + " }";
  }
  return made;
}

std::string TableName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 ? name
                                                                                 : "m" + name;
}

bool IsColumnName(std::string_view name) {
  return !name.empty() &&
         (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_') &&
         std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
         });
}

std::string RowSchema::TypeOf(const std::vector<const Node*>& values, const std::string& name,
                              Missing missing) {
  if (values.empty()) return "any";
  if (All(values, [](const Node& value) { return value.is_sequence(); })) {
    std::vector<const Node*> items;
    for (const Node* list : values) {
      if (HasTwice(*list)) return "any";
      items.insert(items.end(), list->items.begin(), list->items.end());
    }
    const std::string item = TypeOf(items, name, missing);
    return item.starts_with("list") ? "list of any" : "list of " + item;
  }
  const bool rows = All(values, [](const Node& value) {
    return value.is_mapping() && std::ranges::all_of(value.entries, [](const Entry& entry) {
             return IsColumnName(entry.key->text);
           });
  });
  if (!rows) return TypeOfScalars(values);
  std::vector<std::span<const Entry>> entries;
  for (const Node* value : values) entries.push_back(value->entries);
  if (ColumnsOf(entries).empty()) return "any";
  return "row " + AddRow(name, "a row", entries, missing);
}

std::string RowSchema::AddRow(const std::string& name, std::string_view noun,
                              const std::vector<std::span<const Entry>>& rows, Missing missing,
                              std::string first) {
  std::string own = name;
  for (int i = 2; !names_.insert(own).second; ++i) own = fmt::format("{}_{}", name, i);
  std::string made =
      fmt::format("  {0}:\n    noun: {1} of {0}\n    columns:\n{2}", own, noun, first);
  for (const ColumnValues& column : ColumnsOf(rows)) {
    const std::string type =
        TypeOf(column.values, fmt::format("{}_{}", own, TableName(column.name)), missing);
    const bool is_row = type.starts_with("row ");
    const std::string_view presence = column.values.size() == rows.size() ? "required: true"
                                      : missing == Missing::kOmitted      ? "omit: true"
                                      : is_row                            ? "default: {}"
                                                                          : "default: \"\"";
    std::string example = FlowText(*column.values.front());
    const bool shown = example.size() <= kLongestExample && !column.values.front()->is_null();
    example = shown ? fmt::format(", example: {}", example) : std::string();
    made += fmt::format("      {}: {{ type: {}, {}, doc: \"`{}` of the matrix\"{} }}\n",
                        QuoteScalar(column.name, ScalarPlace::kKey), type, presence, column.name,
                        example);
  }
  text_ += made;
  return own;
}

}  // namespace wheelwright
