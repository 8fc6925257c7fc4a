#include "generator/plan/report_table.h"

#include <fmt/format.h>

#include <utility>

#include "base/columns.h"
#include "base/quote.h"

namespace wheelwright {
namespace {

std::string_view SequenceOf(RowStyle style) {
  switch (style) {
    case RowStyle::kDim:
      return "2";
    case RowStyle::kAlert:
      return "33";
    case RowStyle::kNormal:
      break;
  }
  return "";
}

std::string Paint(std::string_view text, std::string_view sequence, bool color) {
  if (!color || sequence.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", sequence, text);
}

}  // namespace

std::string Bold(std::string_view text, bool color) { return Paint(text, "1", color); }

void ReportTable::AddRow(std::vector<std::string> cells, RowStyle style) {
  cells.resize(header_.size());
  rows_.push_back({std::move(cells), style});
}

std::string ReportTable::AsText(bool color, std::size_t width) const {
  std::vector<std::vector<std::string>> rows{{header_.begin(), header_.end()}};
  for (const Row& row : rows_) rows.push_back(row.cells);
  return InColumns(rows, width, [&](std::size_t number, std::string_view line) {
    return Paint(line, number == 0 ? "2" : SequenceOf(rows_[number - 1].style), color);
  });
}

std::string ReportTable::AsMarkdown() const {
  std::string text = "|";
  for (const std::string_view title : header_) text += fmt::format(" {} |", EscapeMarkdown(title));
  text += "\n|";
  for (std::size_t i = 0; i < header_.size(); ++i) text += " --- |";
  text += "\n";
  for (const Row& row : rows_) {
    text += "|";
    for (const std::string& cell : row.cells) text += fmt::format(" {} |", EscapeMarkdown(cell));
    text += "\n";
  }
  return text;
}

}  // namespace wheelwright
