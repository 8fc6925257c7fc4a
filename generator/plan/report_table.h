// Lines of columns, for a terminal or as Markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

enum class RowStyle : std::uint8_t { kNormal, kDim, kAlert };

class ReportTable {
 public:
  explicit ReportTable(std::vector<std::string_view> header) : header_(std::move(header)) {}

  void AddRow(std::vector<std::string> cells, RowStyle style = RowStyle::kNormal);
  bool empty() const { return rows_.empty(); }

  // See InColumns() of base/columns.h.
  std::string AsText(bool color, std::size_t width) const;
  std::string AsMarkdown() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    RowStyle style;
  };
  std::vector<std::string_view> header_;
  std::vector<Row> rows_;
};

// With the terminal's sequences for bold when `color` is on.
std::string Bold(std::string_view text, bool color);

}  // namespace wheelwright
