#include "generator/import/matrix_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/characters.h"
#include "base/text.h"
#include "generator/expression/values.h"
#include "generator/import/text_edits.h"

namespace wheelwright {
namespace {

// Characters of the id of a leg, and of a job with it, which GitHub limits to 99; the rest is for
// the number that tells equal ones apart.
constexpr std::size_t kLongestId = 60;
constexpr std::size_t kLongestJob = 94;
constexpr std::string_view kLegId = R"(  leg_id:
    noun: an id
    pattern: '^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$'
    example: ubuntu-latest_3-12
    rule: letters and digits with single _ or - between them
)";

std::optional<const Node*> ValueOf(const MatrixLeg& leg, std::string_view key) {
  const auto entry =
      std::ranges::find_if(leg, [&](const Entry& one) { return one.key->text == key; });
  return entry == leg.end() ? std::nullopt : std::optional(entry->value);
}

// The scalars in a value, in their order.
void AddScalars(const Node& value, std::vector<std::string>& texts) {
  if (value.is_scalar()) {
    if (auto text = TextOf(value); text && !text->empty()) texts.push_back(std::move(*text));
  }
  for (const Node* item : value.items) AddScalars(*item, texts);
  for (const Entry& entry : value.entries) AddScalars(*entry.value, texts);
}

// A part of an id: letters and digits with single dashes between them.
std::string Slug(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    const bool plain = IsLetterOrDigit(c);
    if (plain) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug;
}

// Of the values of axes; a row of values stands by its first.
std::string IdOf(const MatrixTable& table, const MatrixLeg& leg) {
  std::string id;
  const std::size_t left = kLongestJob - std::min(kLongestJob, table.longest_job);
  const std::size_t most = std::min(kLongestId, left);
  const auto add = [&](const Node& value) {
    std::vector<std::string> texts;
    AddScalars(value, texts);
    const std::string slug = texts.empty() ? std::string() : Slug(texts.front());
    if (slug.empty() || id.size() + slug.size() >= most) return;
    id += (id.empty() ? "" : "_") + slug;
  };
  for (const Entry& entry : leg) {
    if (Find(table.matrix, entry.key->text) != nullptr) add(*entry.value);
  }
  for (const Entry& entry : leg) {
    if (id.empty()) add(*entry.value);
  }
  return id.empty() ? "leg" : id;
}

std::string LabelOf(const MatrixLeg& leg) {
  std::vector<std::string> texts;
  for (const Entry& entry : leg) AddScalars(*entry.value, texts);
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Heading(const MatrixTable& table) {
  std::string made = fmt::format("# Of {}.\n", JoinWords(table.jobs));
  if (table.unrolled) {
    made = fmt::format("# The legs of {}, from this matrix:\n", JoinWords(table.jobs));
    for (const std::string_view line : Split(Trim(table.text), '\n')) {
      made += line.empty() ? "#\n" : fmt::format("#   {}\n", line);
    }
  }
  for (const std::string& note : table.notes) made += note + "\n";
  return made;
}

std::string RowsOf(const MatrixTable& table) {
  if (!table.unrolled) {
    return fmt::format("{}{}:\n{}", Heading(table), table.name, Reindented(table.text, 0, 2));
  }
  std::string made = fmt::format("{}{}:\n", Heading(table), table.name);
  std::set<std::string> ids;
  for (const MatrixLeg& leg : table.legs) {
    const std::string base = IdOf(table, leg);
    std::string id = base;
    for (int i = 2; !ids.insert(ToLower(id)).second; ++i) id = fmt::format("{}_{}", base, i);
    made +=
        fmt::format("  - {{ {}: {}", table.id, FlowText({.kind = NodeKind::kString, .text = id}));
    if (!table.label.empty()) {
      const std::string label = LabelOf(leg);
      made += fmt::format(", {}: {}", table.label,
                          FlowText({.kind = NodeKind::kString, .text = label}));
    }
    for (const Entry& entry : leg) {
      made += fmt::format(", {}: {}", FlowText(*entry.key), FlowText(*entry.value));
    }
    made += " }\n";
  }
  return made;
}

// Adds the kinds of row of a table. Returns the one of its rows.
std::string AddKinds(const MatrixTable& table, RowSchema& kinds) {
  if (!table.unrolled) {
    std::vector<Entry> lists;
    for (const Entry& entry : table.matrix->entries) {
      if (!IsDynamic(*entry.value)) lists.push_back(entry);
    }
    return kinds.AddRow(table.name, "a matrix", {lists}, Missing::kOmitted);
  }
  std::string first = fmt::format(
      "      {}: {{ type: leg_id, required: true, unique: true, doc: What tells its jobs from "
      "others, "
      "example: ubuntu-latest_3-12 }}\n",
      table.id);
  if (!table.label.empty()) {
    first += fmt::format(
        "      {}: {{ type: any text, required: true, doc: What people call it, example: \"ubuntu, "
        "3.12\" }}\n",
        table.label);
  }
  return kinds.AddRow(table.name, "a leg", {table.legs.begin(), table.legs.end()}, Missing::kEmpty,
                      std::move(first));
}

}  // namespace

LegValues ValuesOf(const std::vector<MatrixLeg>& legs, const std::vector<std::string_view>& path) {
  LegValues found;
  for (const MatrixLeg& leg : legs) {
    std::optional<const Node*> value = ValueOf(leg, path[0]);
    for (std::size_t i = 1; value && i < path.size(); ++i) {
      const Entry* entry = FindEntry(*value, path[i]);
      value = entry == nullptr ? std::nullopt : std::optional(entry->value);
    }
    if (value && !(*value)->is_null()) {
      found.values.push_back(*value);
    } else {
      found.missing = true;
    }
  }
  return found;
}

bool IsDynamic(const Node& value) { return value.is_scalar(); }

bool HoldsExpressions(const Node& value) {
  return value.text.find("${{") != std::string_view::npos ||
         std::ranges::any_of(value.items,
                             [](const Node* item) { return HoldsExpressions(*item); }) ||
         std::ranges::any_of(value.entries,
                             [](const Entry& entry) { return HoldsExpressions(*entry.value); });
}

MatrixTable& MatrixTables::Of(const Node& matrix, bool unrolled, std::string_view stem,
                              std::string_view job) {
  const auto same = std::ranges::find_if(tables_, [&](const MatrixTable& table) {
    return table.unrolled == unrolled && SameContent(*table.matrix, matrix);
  });
  if (same != tables_.end()) return *same;
  MatrixTable table{.name = fmt::format("{}_{}", stem, TableName(job)),
                    .stem = std::string(stem),
                    .matrix = &matrix,
                    .unrolled = unrolled};
  const std::string name = table.name;
  const auto taken = [&] {
    return table.name == "external_workflows" ||
           std::ranges::find(tables_, table.name, &MatrixTable::name) != tables_.end();
  };
  for (int i = 2; taken(); ++i) table.name = fmt::format("{}_{}", name, i);
  if (unrolled) {
    table.legs = UnfoldMatrix(matrix);
    for (MatrixLeg& leg : table.legs) {
      std::erase_if(leg, [](const Entry& entry) { return entry.value->is_null(); });
    }
    while (!ValuesOf(table.legs, {table.id}).values.empty()) table.id = "leg_" + table.id;
  }
  return tables_.emplace_back(std::move(table));
}

std::vector<MatrixTables::File> MatrixTables::Files() const {
  if (tables_.empty()) return {};
  std::string files, tables;
  RowSchema kinds;
  std::map<std::string, std::string> texts;
  bool unrolled = false;
  for (const MatrixTable& table : tables_) {
    unrolled |= table.unrolled;
    std::string& text = texts[table.stem];
    if (text.empty()) {
      text = "# Described by schema.yml.\n";
      files += fmt::format("  {0}: The matrices of the workflow {0}\n", table.stem);
    }
    text += "\n" + RowsOf(table);
    tables +=
        fmt::format("  {}: {{ file: {}, type: {} {}, required: true, doc: {} }}\n", table.name,
                    table.stem, table.unrolled ? "list of row" : "row", AddKinds(table, kinds),
                    table.unrolled ? "The legs of the matrix" : "The matrix");
  }
  std::vector<File> made{
      {"schema", fmt::format("# What may stand in the files of this folder.\nfiles:\n{}\ntables:\n"
                             "{}\nrows:\n{}{}",
                             files, tables, kinds.text(),
                             unrolled ? fmt::format("\nformats:\n{}", kLegId) : "")}};
  for (auto& [stem, text] : texts) made.push_back({stem, std::move(text)});
  return made;
}

}  // namespace wheelwright
