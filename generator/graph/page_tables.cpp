#include "generator/graph/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/markup.h"
#include "base/text.h"
#include "generator/graph/page_markup.h"

namespace wheelwright {
namespace {

class TableWriter {
 public:
  TableWriter(const PageInput& input, const std::vector<Grid>& grids)
      : input_(input), grids_(grids) {}

  CellTables Write(JsonWriter& facts) {
    CellTables tables;
    FindJobs();
    AddGrids();
    tables.grids = std::exchange(out_, {});
    AddReasons();
    AddDeadEnds();
    AddExplained();
    tables.reasons = std::exchange(out_, {});
    AddFacts(facts);
    return tables;
  }

 private:
  const AxisSchema& Axis(std::size_t position) const { return input_.matrix.schema.axes[position]; }

  void AddGrids() {
    for (const Grid& grid : grids_) {
      out_ += fmt::format(
          "<div class=\"scroll\" data-set=\"{0}\" data-first=\"{3}\"{1}><table role=\"grid\" "
          "aria-label=\"{2} of the set {0}\" aria-describedby=\"keys\">\n",
          EscapeMarkup(grid.name), &grid == &grids_.front() ? "" : " hidden",
          EscapeMarkup(HeadingOf(grid.set->schema->plural)),
          1 + grid.set->schema->view.rows.size());
      AddGridHead(grid);
      out_ += "<tbody>\n";
      std::string_view last;
      for (const GridRow& row : grid.rows) {
        const AxisValue* value = row.part->ValueOf(*row.branch);
        const std::string_view key = value == nullptr ? std::string_view() : value->key;
        AddGridRow(grid, row, !key.empty() && key == last);
        last = key;
      }
      out_ += fmt::format(
          "</tbody></table><p class=\"none\" hidden>No {} fits these filters.</p></div>\n",
          EscapeMarkup(grid.set->schema->noun));
    }
    out_ +=
        "<p class=\"keys\" id=\"keys\">In the table: arrow keys move, <kbd>Home</kbd> and "
        "<kbd>End</kbd> go along a row, <kbd>Enter</kbd> goes to the details and "
        "<kbd>Esc</kbd> back.</p>\n";
  }

  void AddGridHead(const Grid& grid) {
    const SetSchema& kind = *grid.set->schema;
    out_ += fmt::format(
        "<thead><tr><th scope=\"col\" rowspan=\"2\" class=\"name\">{}</th>",
        EscapeMarkup(kind.nested == 0 ? "Set" : HeadingOf(Axis(kind.axes[kind.nested - 1]).noun)));
    for (const ComputedColumn& column : kind.view.rows) {
      out_ += fmt::format("<th scope=\"col\" rowspan=\"2\" class=\"fact\">{}</th>",
                          EscapeMarkup(HeadingOf(column.name)));
    }
    for (std::size_t at = 0; at < grid.columns.size();) {
      std::size_t end = at;
      const std::string_view value = grid.columns[at].values.front();
      while (end < grid.columns.size() && grid.columns[end].values.front() == value) ++end;
      out_ += fmt::format("<th scope=\"colgroup\" colspan=\"{0}\" data-outer=\"{1}\"{2}>{1}</th>",
                          end - at, EscapeMarkup(value), AxisData(grid, grid.columns[at], 1));
      at = end;
    }
    out_ += "</tr>\n<tr>";
    for (std::size_t at = 0; at < grid.columns.size(); ++at) {
      const GridColumn& column = grid.columns[at];
      std::string title;
      for (std::size_t i = grid.axes.size(); i-- > 0;) {
        title += fmt::format("{}{} {}", title.empty() ? "" : ", ", Axis(grid.axes[i]).noun,
                             column.values[i]);
      }
      out_ +=
          fmt::format("<th scope=\"col\" data-outer=\"{}\"{} data-title=\"{}\"{}>{}</th>",
                      EscapeMarkup(column.values.front()), AxisData(grid, column, grid.axes.size()),
                      EscapeMarkup(title), IsFirst(grid, at) ? " class=\"first\"" : "",
                      EscapeMarkup(grid.Rest(column)));
    }
    out_ += "</tr></thead>\n";
  }

  // The first `count` values of a column, for the filters.
  std::string AxisData(const Grid& grid, const GridColumn& column, std::size_t count) const {
    std::string data;
    for (std::size_t i = 0; i < count; ++i) {
      data +=
          fmt::format(" data-{}=\"{}\"", Axis(grid.axes[i]).name, EscapeMarkup(column.values[i]));
    }
    return data;
  }

  static bool IsFirst(const Grid& grid, std::size_t at) {
    return at == 0 || grid.columns[at - 1].values.front() != grid.columns[at].values.front();
  }

  static std::string_view Shown(const GridRow& row, std::size_t column) {
    return column < row.branch->shown.size() ? row.branch->shown[column] : std::string_view();
  }

  void AddGridRow(const Grid& grid, const GridRow& row, bool same_value) {
    const ViewSchema& view = grid.set->schema->view;
    out_ += fmt::format("<tr{} data-b=\"{}\"", same_value ? " class=\"same\"" : "", rows_.size());
    for (const AxisValue* value : row.part->values) {
      out_ += fmt::format(" data-{}=\"{}\"", Axis(value->axis).name, EscapeMarkup(value->key));
    }
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      if (std::ranges::find(view.filters, view.rows[i].name) == view.filters.end()) continue;
      out_ += fmt::format(" data-{}=\"{}\"", view.rows[i].name, EscapeMarkup(Shown(row, i)));
    }
    out_ += fmt::format("><th scope=\"row\"><b>{}</b> <span>{}</span></th>",
                        EscapeMarkup(NameOf(row)), EscapeMarkup(WhereOf(*row.part)));
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      out_ += fmt::format("<td class=\"fact\">{}</td>",
                          Shown(row, i).empty() ? "none" : EscapeMarkup(Shown(row, i)));
    }
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      AddCell(grid, row, at);
    }
    out_ += "</tr>\n";
    rows_.push_back({&grid, &row});
  }

  void AddCell(const Grid& grid, const GridRow& row, std::size_t column) {
    const GridCell& cell = row.cells[column];
    const char letter = grid.styles[cell.style].letter;
    const std::string more = fmt::format("{}\"{}", IsFirst(grid, column) ? " first" : "",
                                         ChangeData(input_, grid, row, column));
    if (cell.cell == nullptr) {
      out_ += fmt::format("<td class=\"{}{}></td>", letter, more);
    } else if (cell.cell->out != nullptr) {
      const auto [at, added] = reason_at_.emplace(cell.cell->out, reasons_.size());
      if (added) reasons_.push_back({cell.cell->out, 0, {}});
      Reason& reason = reasons_[at->second];
      ++reason.cells;
      std::string where = fmt::format("{}, {}", NameOf(row), WhereOf(*row.part));
      if (reason.where.empty() || reason.where.back() != where) reason.where.push_back(where);
      out_ += fmt::format("<td class=\"{}{} data-r=\"{}\">out</td>", letter, more, at->second);
    } else {
      const std::string note = NoteOn(*grid.set, *cell.cell);
      if (note.empty()) {
        out_ += fmt::format("<td class=\"{}{}>in</td>", letter, more);
        return;
      }
      const auto [at, added] = note_at_.emplace(note, notes_.size());
      if (added) notes_.push_back(note);
      out_ += fmt::format("<td class=\"{}{} data-n=\"{}\">in</td>", letter, more, at->second);
    }
  }

  // What is special about a cell that is in.
  std::string NoteOn(const CellSet& set, const Cell& cell) const {
    std::vector<std::string> notes;
    if (set.taken != 0 && cell.takers != set.taken) {
      const auto takers = set.TakersOf(cell);
      notes.push_back(
          fmt::format("{}: {}", set.schema->takers.plural,
                      takers.empty() ? "none" : fmt::format("{}", fmt::join(takers, ", "))));
    }
    if (cell.include != nullptr) {
      notes.push_back(
          fmt::format("added by {}", input_.sources.DescribeLine(cell.include->where.begin)));
    }
    if (cell.extras != nullptr) {
      for (const Entry& column : cell.extras->columns) {
        notes.push_back(fmt::format("{}: {}", column.key->text, column.value->text));
      }
    }
    return fmt::format("{}", fmt::join(notes, "; "));
  }

  std::string Place(SourceRange where) const { return input_.sources.DescribeLine(where.begin); }

  // With a link to the line, where the repository is known.
  std::string PlaceLink(SourceRange where) const {
    const std::string place = Place(where);
    const std::size_t colon = place.rfind(':');
    if (input_.source_url.empty() || colon == std::string::npos) return EscapeMarkup(place);
    return fmt::format("<a href=\"{}{}#L{}\" rel=\"noreferrer\">{}</a>",
                       EscapeMarkup(input_.source_url), EscapeMarkup(place.substr(0, colon)),
                       place.substr(colon + 1), EscapeMarkup(place));
  }

  std::string LinkTo(std::string_view issue) const {
    if (issue.empty()) return "";
    return fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", EscapeMarkup(issue),
                       EscapeMarkup(ShortIssue(issue)));
  }

  // Equal texts are stored once, across sets and rows.
  struct Cause {
    std::string_view text, issue;
    std::size_t cells = 0;
    std::vector<std::string> where, places;  // markup
  };
  std::vector<Cause> MergeReasons() const {
    std::vector<Cause> causes;
    for (const Reason& reason : reasons_) {
      auto found = std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) {
        return cause.text == reason.out->text && cause.issue == reason.out->issue;
      });
      if (found == causes.end()) {
        found = causes.insert(found, {reason.out->text, reason.out->issue, 0, {}, {}});
      }
      found->cells += reason.cells;
      for (const std::string& where : reason.where) AddOnce(found->where, EscapeMarkup(where));
      AddOnce(found->places, PlaceLink(reason.out->where));
    }
    return causes;
  }

  std::string Number(std::size_t cells) const {
    return TableCell(HeadingOf(CellsWord(input_.matrix.schema)), WithThousands(cells),
                     " class=\"number\"");
  }

  void AddReasons() {
    const std::string_view cells = CellsWord(input_.matrix.schema);
    out_ += fmt::format(
        "<section aria-labelledby=\"why-title\">\n<h2 id=\"why-title\">Why {} are left "
        "out</h2>\n",
        EscapeMarkup(cells));
    if (reasons_.empty()) {
      out_ += "<p>None is.</p>\n";
    } else {
      out_ += fmt::format(
          "<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">Why</th>"
          "<th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">{}</th>"
          "<th scope=\"col\">Issue</th><th scope=\"col\">Row</th></tr></thead><tbody>\n",
          EscapeMarkup(HeadingOf(cells)));
      for (const Cause& cause : MergeReasons()) {
        out_ += fmt::format("<tr>{}{}{}{}{}</tr>\n", TableCell("Why", EscapeMarkup(cause.text)),
                            TableCell("Where", LinesOf(cause.where)), Number(cause.cells),
                            TableCell("Issue", LinkTo(cause.issue)),
                            TableCell("Row", LinesOf(cause.places)));
      }
      out_ += "</tbody></table></div>\n";
    }
    out_ += "</section>\n";
  }

  void AddDeadEnds() {
    std::string rows;
    for (const PlanPart& part : input_.report.parts) {
      for (const PlanDeadEnd& end : part.dead_ends) {
        const std::string name = EscapeMarkup(end.name.empty() ? part.set->name : end.name);
        rows += fmt::format("<tr>{}{}{}{}{}{}</tr>\n",
                            TableCell("What", fmt::format("<code>{}</code>", name)),
                            TableCell("Where", EscapeMarkup(WhereOf(part))), Number(end.cells),
                            TableCell("Why", EscapeMarkup(end.says)),
                            TableCell("What would mend it", EscapeMarkup(end.mend)),
                            TableCell("Row", PlaceLink(end.where)));
      }
    }
    if (rows.empty()) return;
    out_ += fmt::format(
        "<section aria-labelledby=\"ends-title\">\n<h2 id=\"ends-title\">Dead ends"
        "</h2>\n<div class=\"wide\"><table class=\"plain\"><thead><tr><th scope=\"col\">What</th>"
        "<th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">{}</th>"
        "<th scope=\"col\">Why</th><th scope=\"col\">What would mend it</th>"
        "<th scope=\"col\">Row</th></tr></thead><tbody>\n"
        "{}</tbody></table></div>\n</section>\n",
        EscapeMarkup(HeadingOf(CellsWord(input_.matrix.schema))), rows);
  }

  // Tables of texts that tell what words mean.
  void AddExplained() {
    std::vector<std::string_view> tables;
    for (const SetSchema& kind : input_.matrix.schema.sets) {
      for (const std::string_view table : kind.view.explain) AddOnce(tables, table);
    }
    for (const std::string_view table : tables) {
      out_ += fmt::format(
          "<section aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n"
          "<dl class=\"explained\">\n",
          EscapeMarkup(table), EscapeMarkup(HeadingOf(table)));
      for (const Entry& row : input_.matrix.Table(table)->entries) {
        out_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", EscapeMarkup(row.key->text),
                            EscapeMarkup(row.value->text));
      }
      out_ += "</dl>\n</section>\n";
    }
  }

  void AddRowFacts(const Grid& grid, const GridRow& row, JsonWriter& facts) const {
    const ViewSchema& view = grid.set->schema->view;
    const AxisValue* value = row.part->ValueOf(*row.branch);
    std::vector<std::string_view> members;
    for (const AxisMember& member :
         value == nullptr ? std::span<const AxisMember>() : value->members) {
      members.push_back(member.key);
    }
    facts.Open('{', JsonWriter::Layout::kInline);
    facts.StringAt("name", NameOf(row));
    facts.StringAt("where", WhereOf(*row.part));
    facts.Key("columns");
    facts.Open('{', JsonWriter::Layout::kInline);
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      facts.StringAt(HeadingOf(view.rows[i].name), Shown(row, i).empty() ? "none" : Shown(row, i));
    }
    facts.Close();
    facts.ListAt("members", members);
    facts.StringAt("place", Place(value == nullptr ? grid.set->where : value->where));
    facts.StringAt("mend", row.mend);
    facts.Key("jobs");
    facts.Open('[', JsonWriter::Layout::kInline);
    if (const auto jobs = jobs_.find(row.branch); jobs != jobs_.end()) {
      for (const auto& [graph, ids] : jobs->second) {
        facts.Open('{', JsonWriter::Layout::kInline);
        facts.NumberAt("graph", graph);
        facts.ListAt("ids", ids);
        facts.Close();
      }
    }
    facts.Close();
    facts.Close();
  }

  // The jobs that come of each row, by position of their workflow.
  void FindJobs() {
    for (std::size_t i = 0; i < input_.graphs.size(); ++i) {
      for (const GraphJob& job : input_.graphs[i]->jobs) {
        if (job.scope == nullptr) continue;
        const auto place = input_.context.FindBranch(job.scope);
        if (place) jobs_[place->branch][i].push_back(job.id);
      }
    }
  }

  void AddFacts(JsonWriter& facts) const {
    using enum JsonWriter::Layout;
    facts.StringAt("sources", input_.source_url);
    if (input_.before != nullptr) facts.StringAt("against", input_.against);
    facts.Key("rows");
    facts.Open('[', kBlock);
    for (const auto& [grid, row] : rows_) AddRowFacts(*grid, *row, facts);
    facts.Close();
    facts.Key("reasons");
    facts.Open('[', kBlock);
    for (const Reason& reason : reasons_) {
      facts.Open('{', kInline);
      facts.StringAt("text", reason.out->text);
      facts.StringAt("issue", reason.out->issue);
      facts.StringAt("short", ShortIssue(reason.out->issue));
      facts.StringAt("place", Place(reason.out->where));
      facts.Close();
    }
    facts.Close();
    facts.Key("notes");
    facts.Open('[', kBlock);
    for (const std::string& note : notes_) facts.String(note);
    facts.Close();
  }

  struct Reason {
    const OutReason* out;
    std::size_t cells;
    std::vector<std::string> where;
  };

  const PageInput& input_;
  const std::vector<Grid>& grids_;
  std::string out_;
  std::vector<std::pair<const Grid*, const GridRow*>> rows_;
  std::vector<Reason> reasons_;
  std::map<const OutReason*, std::size_t> reason_at_;
  std::map<const CellBranch*, std::map<std::size_t, std::vector<std::string_view>>> jobs_;
  std::vector<std::string> notes_;
  std::map<std::string, std::size_t> note_at_;
};

}  // namespace

CellTables MakeCellTables(const PageInput& input, const std::vector<Grid>& grids,
                          JsonWriter& facts) {
  return TableWriter(input, grids).Write(facts);
}

}  // namespace wheelwright
