#include "generator/plan/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"

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

std::string ReportTable::AsText(bool color) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    std::size_t width = CountCharacters(header_[i]);
    for (const Row& row : rows_) width = std::max(width, CountCharacters(row.cells[i]));
    widths.push_back(width);
  }
  const auto line_of = [&](const auto& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      line.append(widths[i] - CountCharacters(cells[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::string text = Paint(line_of(header_), "2", color) + "\n";
  for (const Row& row : rows_)
    text += Paint(line_of(row.cells), SequenceOf(row.style), color) + "\n";
  return text;
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
