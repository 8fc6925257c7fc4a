// The section of the page that compares two states of the matrix.
#include <fmt/format.h>

#include "base/markup.h"
#include "base/text.h"
#include "generator/graph/page_markup.h"
#include "generator/graph/pages.h"

namespace wheelwright {

std::string MakeChangeSection(const PageInput& input, const std::vector<Grid>& grids) {
  if (input.before == nullptr) return {};
  std::string out = fmt::format(
      "<section aria-labelledby=\"changes-title\">\n<h2 id=\"changes-title\">What is different "
      "from "
      "{}</h2>\n",
      EscapeMarkup(input.against));
  const std::vector<MatrixChange> changes = Compare(*input.before, MatrixState(grids));
  if (changes.empty()) return out + "<p>Nothing that is built.</p>\n</section>\n";
  const std::string cells(HeadingOf(CellsWord(input.matrix.schema)));
  out += fmt::format(
      "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">Change</th>"
      "<th scope=\"col\">Row</th><th scope=\"col\">{}</th><th scope=\"col\">Before</th>"
      "<th scope=\"col\">Now</th></tr></thead><tbody>\n",
      EscapeMarkup(cells));
  for (const MatrixChange& change : changes) {
    std::vector<std::string> values;
    for (const std::string& one : change.values) values.push_back(EscapeMarkup(one));
    const std::string kind =
        fmt::format("<i class=\"key\" data-change=\"{0}\"></i> {0}", NameOf(change.kind));
    out += fmt::format("<tr>{}{}{}{}{}</tr>\n", TableCell("Change", kind),
                       TableCell("Row", EscapeMarkup(change.row)),
                       TableCell(cells, values.empty() ? "all" : LinesOf(values)),
                       TableCell("Before", EscapeMarkup(change.before)),
                       TableCell("Now", EscapeMarkup(change.after)));
  }
  return out + "</tbody></table></div>\n</section>\n";
}

std::string ChangeData(const PageInput& input, const Grid& grid, const GridRow& row,
                       std::size_t column) {
  if (input.before == nullptr) return {};
  const auto change = ChangeOf(*input.before, grid, row, column);
  if (!change) return {};
  return fmt::format(" data-change=\"{}\" data-was=\"{}\"", NameOf(change->kind),
                     EscapeMarkup(change->before));
}

}  // namespace wheelwright
