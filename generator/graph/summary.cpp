// The matrix as Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quote.h"
#include "base/text.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/page_markup.h"
#include "generator/graph/pages.h"
#include "generator/graph/text_formats.h"
#include "generator/plan/cell_blocks.h"
#include "generator/plan/report_table.h"

namespace wheelwright {
namespace {

class SummaryWriter {
 public:
  explicit SummaryWriter(const PageInput& input) : input_(input) {}

  std::string Write() {
    const std::vector<Grid> grids = MakeGrids(input_.report, input_.matrix.schema);
    AddChanges(grids);
    for (const Grid& grid : grids) AddGrid(grid);
    AddLegend();
    AddReasons();
    AddOverview();
    return std::move(out_);
  }

 private:
  void AddChanges(const std::vector<Grid>& grids) {
    if (input_.before == nullptr) return;
    out_ += fmt::format("### What is different from {}\n\n", EscapeMarkdown(input_.against));
    ReportTable table({"", "row", CellsWord(input_.matrix.schema), "before", "now"});
    for (const MatrixChange& change : Compare(*input_.before, MatrixState(grids))) {
      table.AddRow(
          {std::string(NameOf(change.kind)), change.row,
           change.values.empty() ? "all" : fmt::format("{}", fmt::join(change.values, ", ")),
           change.before, change.after});
    }
    out_ += table.empty() ? "Nothing that is built.\n\n" : table.AsMarkdown() + "\n";
  }

  // A column for each value of the last axis; those of the others share a cell.
  void AddGrid(const Grid& grid) {
    const SetSchema& kind = *grid.set->schema;
    const Schema& schema = input_.matrix.schema;
    std::vector<std::string_view> header;
    if (kind.nested > 0) header.push_back(schema.axes[kind.axes[kind.nested - 1]].noun);
    for (std::size_t i = 0; i + 1 < kind.nested; ++i)
      header.push_back(schema.axes[kind.axes[i]].noun);
    for (const ComputedColumn& column : kind.view.rows) header.push_back(column.name);
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      const std::string_view value = grid.columns[i].values.front();
      if (i > 0 && value == grid.columns[i - 1].values.front()) continue;
      header.push_back(value);
      starts.push_back(i);
    }
    starts.push_back(grid.columns.size());
    ReportTable table(header);
    for (const GridRow& row : grid.rows) {
      std::vector<std::string> cells;
      if (kind.nested > 0) cells.emplace_back(NameOf(row));
      for (const AxisValue* value : row.part->values) cells.emplace_back(TitleOf(*value));
      for (std::size_t i = 0; i < kind.view.rows.size(); ++i) {
        const auto& shown = row.branch->shown;
        cells.emplace_back(i < shown.size() && !shown[i].empty() ? shown[i] : "-");
      }
      for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        cells.push_back(CellsOf(grid, row, starts[i], starts[i + 1]));
      }
      table.AddRow(std::move(cells));
    }
    out_ += fmt::format("### {} of {}: {} built, {} left out\n\n",
                        EscapeMarkdown(HeadingOf(kind.plural)), EscapeMarkdown(grid.name),
                        WithThousands(grid.set->in), WithThousands(grid.set->out));
    out_ += table.AsMarkdown() + "\n";
  }

  // "● 3.10-3.13"; what is out has its sign alone when all of it is.
  std::string CellsOf(const Grid& grid, const GridRow& row, std::size_t begin, std::size_t end) {
    std::vector<std::vector<std::string>> rests(grid.styles.size());
    std::vector<bool> is_in(grid.styles.size(), false);
    for (std::size_t i = begin; i < end; ++i) {
      const GridCell& cell = row.cells[i];
      rests[cell.style].push_back(grid.Rest(grid.columns[i]));
      if (cell.cell == nullptr) continue;
      is_in[cell.style] = cell.cell->out == nullptr;
      if (cell.cell->out == nullptr) continue;
      const OutReason* reason = cell.cell->out;
      const auto same = [&](const OutReason* other) {
        return other->text == reason->text && other->issue == reason->issue &&
               other->where == reason->where;
      };
      const auto found = std::find_if(reasons_.begin(), reasons_.end(), same);
      if (found == reasons_.end()) {
        reasons_.push_back(reason);
      } else {
        reason = *found;
      }
      ++combos_[reason];
    }
    std::string text;
    for (std::size_t style = 0; style + 1 < grid.styles.size(); ++style) {
      if (rests[style].empty()) continue;
      AddOnce(used_, grid.styles[style]);
      text.append(text.empty() ? "" : " ").append(grid.styles[style].sign);
      const std::string all = Joined(grid, rests[style]);
      if (!all.empty() && (is_in[style] || rests[style].size() < end - begin)) {
        text += "\u00a0" + all;
      }
    }
    return text;
  }

  // Values of one axis as it wants them, of several with commas.
  std::string Joined(const Grid& grid, const std::vector<std::string>& rests) const {
    if (grid.axes.size() > 2) return fmt::format("{}", fmt::join(rests, ", "));
    if (grid.axes.size() < 2) return "";
    const std::vector<std::string_view> views(rests.begin(), rests.end());
    return JoinBriefs(input_.matrix.schema.axes[grid.axes[1]], views);
  }

  void AddLegend() {
    std::string legend;
    std::vector<CellStyle> known;
    for (const SetSchema& kind : input_.matrix.schema.sets) {
      for (const CellStyle& style : StylesOf(kind)) AddOnce(known, style);
    }
    for (const CellStyle& style : known) {
      if (std::ranges::find(used_, style) == used_.end()) continue;
      legend += fmt::format("{}{} {}", legend.empty() ? "" : " \u00a0 ", style.sign, style.title);
    }
    if (!legend.empty()) out_ += legend + "\n\n";
  }

  void AddReasons() {
    if (reasons_.empty()) return;
    ReportTable table({"left out because", CellsWord(input_.matrix.schema), "issue", "row"});
    for (const OutReason* reason : reasons_) {
      table.AddRow({std::string(reason->text), WithThousands(combos_[reason]),
                    std::string(reason->issue), input_.sources.DescribeLine(reason->where.begin)});
    }
    out_ += table.AsMarkdown() + "\n";
  }

  void AddOverview() {
    if (input_.graphs.empty()) return;
    const Drawing overview = DrawOverview(input_.graphs);
    const std::string diagram = DrawMermaid(overview, "");
    if (!FitsMermaid(overview, diagram)) return;
    out_ += fmt::format("<details><summary>{}</summary>\n\n```mermaid\n{}```\n\n</details>\n",
                        Count(input_.graphs.size(), "workflow"), diagram);
  }

  const PageInput& input_;
  std::string out_;
  std::vector<CellStyle> used_;
  std::vector<const OutReason*> reasons_;
  std::map<const OutReason*, std::size_t> combos_;
};

}  // namespace

std::string MakeSummary(const PageInput& input) { return SummaryWriter(input).Write(); }

}  // namespace wheelwright
