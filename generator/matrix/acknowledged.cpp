#include "generator/matrix/acknowledged.h"

#include <fmt/format.h>

#include <numeric>

#include "base/text.h"

namespace wheelwright {
namespace {

// How far a path such as "hosts.linux.runs_on" leads.
struct Found {
  const Node* key = nullptr;
  const Node* value = nullptr;
  std::string_view rest;  // what leads no further; empty: all was found
};

std::string_view NameOfRow(const Node& row) {
  for (const std::string_view column : {"name", "key", "id"}) {
    if (const std::string_view name = FindText(&row, column); !name.empty()) return name;
  }
  return row.is_scalar() ? row.text : std::string_view();
}

std::vector<std::pair<const Node*, const Node*>> PartsOf(const Node& node) {
  std::vector<std::pair<const Node*, const Node*>> parts;
  for (const Entry& entry : node.entries) parts.emplace_back(entry.key, entry.value);
  for (const Node* item : node.items) parts.emplace_back(nullptr, item);
  return parts;
}

std::string_view NameOfPart(const Node* key, const Node& value) {
  return key == nullptr ? NameOfRow(value) : key->text;
}

// Names may hold dots, so the longest that fits counts.
Found Follow(const Node& tables, std::string_view path) {
  Found found{nullptr, &tables, path};
  while (!found.rest.empty()) {
    std::string_view longest;
    Found next;
    for (const auto& [key, value] : PartsOf(*found.value)) {
      const std::string_view name = NameOfPart(key, *value);
      const bool fits = found.rest.starts_with(name) &&
                        (found.rest.size() == name.size() || found.rest[name.size()] == '.');
      if (!fits || name.size() <= longest.size()) continue;
      longest = name;
      next = {key, value, found.rest.substr(std::min(name.size() + 1, found.rest.size()))};
    }
    if (longest.empty()) return found;
    found = next;
  }
  return found;
}

}  // namespace

Acknowledgements::Acknowledgements(const Matrix& matrix) {
  const Node* table = matrix.Table("acknowledged");
  for (const Node* row : table == nullptr ? std::span<const Node* const>() : table->items) {
    for (const Node* at : Find(row, "at")->items) {
      const Found found = Follow(*matrix.tables, at->text);
      rows_.push_back({.code = FindText(row, "code"),
                       .at = at->text,
                       .why = FindText(row, "why"),
                       .issue = FindText(row, "issue"),
                       .where = at->where,
                       .row = row,
                       .key = found.key,
                       .value = found.rest.empty() ? found.value : nullptr});
    }
  }
}

bool Acknowledgements::Take(std::string_view code, SourceRange where) {
  for (Acknowledgement& row : rows_) {
    if (row.code != code || row.value == nullptr) continue;
    if (where != row.value->where && (row.key == nullptr || where != row.key->where)) continue;
    ++row.warnings;
    return true;
  }
  return false;
}

std::size_t Acknowledgements::warnings() const {
  return std::accumulate(rows_.begin(), rows_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& row) { return sum + row.warnings; });
}

void Acknowledgements::ReportUnused(const Matrix& matrix, Diagnostics& diagnostics) const {
  for (const Acknowledgement& row : rows_) {
    if (row.warnings > 0) continue;
    Diagnostic report{.severity = Severity::kWarning,
                      .code = "unused-acknowledgement",
                      .message = fmt::format("'{}' has no warning '{}'", row.at, row.code),
                      .where = row.where,
                      .hint = "remove it"};
    if (row.value == nullptr) {
      const Found found = Follow(*matrix.tables, row.at);
      std::vector<std::string_view> names;
      for (const auto& [key, value] : PartsOf(*found.value)) {
        names.push_back(NameOfPart(key, *value));
      }
      const std::string_view word = found.rest.substr(0, found.rest.find('.'));
      report.message = fmt::format("the matrix has no '{}'", row.at);
      report.hint = DidYouMean(word, names);
      report.notes = {"write the table, the row and the column, with dots between them"};
    }
    diagnostics.Report(std::move(report));
  }
}

}  // namespace wheelwright
