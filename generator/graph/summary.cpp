// The matrix as Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/quote.h"
#include "base/text.h"
#include "generator/graph/matrix_grid.h"
#include "generator/graph/pages.h"
#include "generator/graph/text_formats.h"
#include "generator/plan/combo_blocks.h"
#include "generator/plan/report_table.h"

namespace wheelwright {
namespace {

class SummaryWriter {
 public:
  explicit SummaryWriter(const PageInput& input) : input_(input) {}

  std::string Write() {
    for (const Grid& grid : MakeGrids(input_.report)) AddGrid(grid);
    AddLegend();
    AddReasons();
    AddOverview();
    return std::move(out_);
  }

 private:
  // A column for a PyTorch ref; its Pythons share a cell.
  void AddGrid(const Grid& grid) {
    std::vector<std::string_view> header{"family", "platform", "tier", "runner"};
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
      if (i > 0 && grid.columns[i].torch == grid.columns[i - 1].torch) continue;
      header.push_back(grid.columns[i].torch);
      starts.push_back(i);
    }
    starts.push_back(grid.columns.size());
    ReportTable table(header);
    for (const GridRow& row : grid.rows) {
      const std::string runner = RunnersOf(*row.build);
      std::vector<std::string> cells{std::string(row.build->name),
                                     std::string(TitleOf(*row.platform)),
                                     std::string(row.build->tier), runner.empty() ? "-" : runner};
      for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        cells.push_back(CellsOf(grid, row, starts[i], starts[i + 1]));
      }
      table.AddRow(std::move(cells));
    }
    out_ +=
        fmt::format("### Combos of {}: {} built, {} left out\n\n", EscapeMarkdown(grid.set->name),
                    WithThousands(grid.set->in), WithThousands(grid.set->out));
    out_ += table.AsMarkdown() + "\n";
  }

  // "● 3.10-3.13"; what is out has its sign alone when all of it is.
  std::string CellsOf(const Grid& grid, const GridRow& row, std::size_t begin, std::size_t end) {
    std::array<std::vector<std::string_view>, kCellKinds> pythons;
    for (std::size_t i = begin; i < end; ++i) {
      const GridCell& cell = row.cells[i];
      pythons[static_cast<std::size_t>(cell.kind)].push_back(grid.columns[i].python);
      if (cell.combo == nullptr || cell.combo->out == nullptr) continue;
      const OutReason* reason = cell.combo->out;
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
    for (std::size_t kind = 0; kind + 1 < kCellKinds; ++kind) {
      if (pythons[kind].empty()) continue;
      used_[kind] = true;
      const auto cell_kind = static_cast<CellKind>(kind);
      text.append(text.empty() ? "" : " ").append(StyleOf(cell_kind).sign);
      if (IsIn(cell_kind) || pythons[kind].size() < end - begin) {
        text += "\u00a0" + CompressPythons(pythons[kind]);
      }
    }
    return text;
  }

  void AddLegend() {
    std::string legend;
    for (std::size_t kind = 0; kind + 1 < kCellKinds; ++kind) {
      if (!used_[kind]) continue;
      const CellStyle& style = StyleOf(static_cast<CellKind>(kind));
      legend += fmt::format("{}{} {}", legend.empty() ? "" : " \u00a0 ", style.sign, style.title);
    }
    if (!legend.empty()) out_ += legend + "\n\n";
  }

  void AddReasons() {
    if (reasons_.empty()) return;
    ReportTable table({"left out because", "combos", "issue", "row"});
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
  std::array<bool, kCellKinds> used_{};
  std::vector<const OutReason*> reasons_;
  std::map<const OutReason*, std::size_t> combos_;
};

}  // namespace

std::string MakeSummary(const PageInput& input) { return SummaryWriter(input).Write(); }

}  // namespace wheelwright
