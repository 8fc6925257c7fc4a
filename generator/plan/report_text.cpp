// The report for people: a terminal's table, or Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "generator/plan/cell_blocks.h"
#include "generator/plan/report.h"
#include "generator/plan/report_json.h"
#include "generator/plan/report_table.h"

namespace wheelwright {
namespace {

std::string SizeOf(std::size_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < 10 * 1024) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
  return fmt::format("{} KB", WithThousands((bytes + 512) / 1024));
}

std::string Amount(std::size_t amount, bool bytes) {
  return bytes ? SizeOf(amount) : WithThousands(amount);
}

class TextReport {
 public:
  TextReport(const PlanReport& report, const Schema& schema, const PlanOptions& options,
             const SourceManager& sources)
      : report_(report), schema_(schema), options_(options), sources_(sources) {}

  std::string Render() {
    for (const PlanPart& part : report_.parts) {
      Title(fmt::format("{}", fmt::join(TitleOf(part), ", ")));
      if (options_.each_cell) {
        AddCells(part);
      } else {
        AddRows(part);
      }
      if (!part.absent.empty()) {
        Paragraph(fmt::format("no row for {}: {}", WhereOf(part), fmt::join(part.absent, " ")));
      }
    }
    AddKnownFailures();
    AddExclusions();
    AddDeadEnds();
    AddAcknowledged();
    AddLimits();
    if (options_.all_files) AddFiles();
    Gap();
    const std::string summary = WrapWords(Summary(), width());
    text_ += Bold(summary, options_.color && !markdown()) + "\n";
    return std::move(text_);
  }

 private:
  bool markdown() const { return options_.format == PlanFormat::kMarkdown; }
  std::size_t width() const { return markdown() ? 0 : options_.width; }

  // An empty line between two sections.
  void Gap() {
    if (!text_.empty()) text_ += '\n';
  }

  void Title(const std::string& title) {
    Gap();
    text_ += markdown() ? fmt::format("### {}\n\n", EscapeMarkdown(title))
                        : Bold(title, options_.color) + "\n";
  }

  void Add(const ReportTable& table) {
    text_ += markdown() ? table.AsMarkdown() : table.AsText(options_.color, width());
  }

  void Paragraph(const std::string& paragraph) {
    if (markdown()) Gap();
    text_ += (markdown() ? EscapeMarkdown(paragraph) : WrapWords(paragraph, width())) + "\n";
  }

  using Header = std::vector<std::string_view>;

  // "release", "linux"; the name of the kind of set in front where there are several.
  std::vector<std::string_view> TitleOf(const PlanPart& part) const {
    std::vector<std::string_view> title;
    if (schema_.sets.size() > 1) title.push_back(part.set->schema->name);
    title.push_back(part.set->name);
    for (const AxisValue* value : part.values) title.push_back(value->key);
    return title;
  }

  static std::string WhereOf(const PlanPart& part) {
    std::string where;
    for (const AxisValue* value : part.values)
      where += fmt::format("{}{}", where.empty() ? "" : " ", value->key);
    return where;
  }

  // What the columns for the values of axes are called: of the last nested axis, and of the cells.
  Header NameHeader(const SetSchema& kind) const {
    const std::size_t nested = kind.nested;
    return NounsOf(kind, schema_, std::max<std::size_t>(nested, 1) - 1, nested);
  }
  Header ValueHeader(const SetSchema& kind) const {
    return NounsOf(kind, schema_, kind.nested, kind.axes.size());
  }
  // Of the other nested axes.
  Header PartHeader(const SetSchema& kind) const {
    return NounsOf(kind, schema_, 0, std::max<std::size_t>(kind.nested, 1) - 1);
  }

  static void Append(Header& header, const Header& more) {
    header.insert(header.end(), more.begin(), more.end());
  }
  template <typename Texts>
  static void Append(std::vector<std::string>& cells, const Texts& more) {
    for (const auto& text : more) cells.emplace_back(text);
  }
  static std::vector<std::string> NameCells(const SetSchema& kind, std::string_view name) {
    if (kind.nested == 0) return {};
    return {std::string(name)};
  }
  static void AppendPart(std::vector<std::string>& cells, const PlanPart& part) {
    for (const AxisValue* value : part.values) cells.emplace_back(value->key);
  }

  void AddRows(const PlanPart& part) {
    const SetSchema& kind = *part.set->schema;
    Header header = NameHeader(kind);
    Append(header, ValueHeader(kind));
    for (const ComputedColumn& column : kind.view.columns) header.push_back(column.name);
    header.push_back(kind.view.heading);
    header.push_back("");
    ReportTable table(header);
    for (const PlanRow& row : part.rows) {
      // Each line of Markdown is read alone, so it names the value again.
      const bool repeat = row.continued && !markdown();
      std::vector<std::string> cells = NameCells(kind, repeat ? "" : row.name);
      Append(cells, row.values);
      Append(cells, row.columns);
      cells.push_back(row.says);
      cells.emplace_back(row.dead_end ? "!" : "");
      table.AddRow(std::move(cells), row.dead_end ? RowStyle::kAlert
                                     : row.out    ? RowStyle::kDim
                                                  : RowStyle::kNormal);
    }
    Add(table);
  }

  void AddCells(const PlanPart& part) {
    const CellSet& set = *part.set;
    const SetSchema& kind = *set.schema;
    Header header = NameHeader(kind);
    const std::string heading = fmt::format("{}, or why it is out", kind.view.heading);
    Append(header, {kind.noun, "", heading});
    if (!set.takers.empty()) header.push_back(kind.takers.plural);
    ReportTable table(header);
    for (const CellBranch* branch : part.branches) {
      const AxisValue* value = part.ValueOf(*branch);
      for (const Cell& cell : branch->cells) {
        auto cells = NameCells(kind, value == nullptr ? "" : value->brief);
        cells.emplace_back(cell.id);
        cells.emplace_back(cell.out == nullptr ? "in" : "out");
        if (cell.out != nullptr) {
          cells.push_back(Why(*cell.out));
          table.AddRow(std::move(cells), RowStyle::kDim);
          continue;
        }
        const bool dead_end = kind.view.states[cell.view->state].dead_end;
        std::string says(cell.view->says);
        if (dead_end) says += " !";
        if (cell.include != nullptr) {
          says += fmt::format(", made by {}", Place(cell.include->where));
        }
        cells.push_back(std::move(says));
        cells.push_back(fmt::format("{}", fmt::join(set.TakersOf(cell), " ")));
        table.AddRow(std::move(cells), dead_end ? RowStyle::kAlert : RowStyle::kNormal);
      }
    }
    Add(table);
  }

  std::string Place(SourceRange where) const { return sources_.DescribeLine(where.begin); }

  std::string Why(const OutReason& reason) const {
    std::string why(reason.text);
    if (!reason.issue.empty()) why += fmt::format(" ({})", ShortIssue(reason.issue));
    return fmt::format("{}{}{}", why, why.empty() ? "" : ", ", Place(reason.where));
  }

  // A table for each kind of set.
  template <typename AddTo>
  void AddTables(const AddTo& add) {
    for (const SetSchema& kind : schema_.sets) add(kind);
  }

  void AddKnownFailures() {
    AddTables([&](const SetSchema& kind) {
      Header header{"known failure"};
      Append(header, PartHeader(kind));
      Append(header, {"issue", "row"});
      ReportTable table(header);
      std::vector<SourceRange> told;  // a row counts in every set
      for (const PlanPart& part : report_.parts) {
        for (const CellBranch* branch : part.branches) {
          if (part.set->schema != &kind || branch->out == nullptr) continue;
          if (branch->out->kind != OutKind::kItself) continue;
          if (std::find(told.begin(), told.end(), branch->out->where) != told.end()) continue;
          told.push_back(branch->out->where);
          std::vector<std::string> cells{std::string(part.ValueOf(*branch)->brief)};
          AppendPart(cells, part);
          Append(cells, std::array{branch->out->issue});
          cells.push_back(Place(branch->out->where));
          table.AddRow(std::move(cells));
        }
      }
      AddSection(table);
    });
  }

  void AddRulings(std::string_view title, std::vector<PlanRuling> PlanPart::* rulings,
                  const SetSchema& kind) {
    const bool changes = rulings == &PlanPart::changes;
    std::set<std::string_view> sets;
    for (const PlanPart& part : report_.parts) {
      if (part.set->schema == &kind && !(part.*rulings).empty()) sets.insert(part.set->name);
    }
    Header header{title};
    if (sets.size() > 1) header.push_back("set");
    Append(header, PartHeader(kind));
    Append(header, ValueHeader(kind));
    header.push_back(kind.plural);
    if (changes) header.push_back("to");
    header.push_back("why");
    ReportTable table(header);
    for (const PlanPart& part : report_.parts) {
      if (part.set->schema != &kind) continue;
      for (const PlanRuling& ruling : part.*rulings) {
        std::vector<std::string> cells{ruling.name.empty() ? std::string(part.set->name)
                                                           : ruling.name};
        if (sets.size() > 1) cells.emplace_back(part.set->name);
        AppendPart(cells, part);
        Append(cells, ruling.values);
        cells.push_back(WithThousands(ruling.cells));
        if (changes) cells.push_back(ruling.what);
        cells.push_back(Why(ruling.reason));
        table.AddRow(std::move(cells));
      }
    }
    AddSection(table);
  }

  void AddExclusions() {
    AddTables([&](const SetSchema& kind) {
      AddRulings("excluded", &PlanPart::exclusions, kind);
      AddRulings("changed", &PlanPart::changes, kind);
      ReportTable takers({kind.takers.noun, "does not take", "why"});
      for (const PlanTakerExclude& exclude : report_.taker_excludes) {
        if (exclude.kind != &kind) continue;
        takers.AddRow({std::string(exclude.taker), exclude.what,
                       fmt::format("{}, {}", exclude.why, Place(exclude.where))});
      }
      AddSection(takers);
    });
  }

  void AddDeadEnds() {
    AddTables([&](const SetSchema& kind) {
      Header header{"dead end"};
      Append(header, PartHeader(kind));
      Append(header, {kind.plural, "what would mend it", "row"});
      ReportTable table(header);
      struct Found {
        const PlanPart* part;
        PlanDeadEnd end;
      };
      std::vector<Found> found;
      for (const PlanPart& part : report_.parts) {
        if (part.set->schema != &kind) continue;
        for (const PlanDeadEnd& end : part.dead_ends) {
          const auto same = std::ranges::find_if(found, [&](const Found& other) {
            return other.end.name == end.name && other.end.mend == end.mend &&
                   WhereOf(*other.part) == WhereOf(part);
          });
          if (same == found.end()) {
            found.push_back({&part, end});
          } else {
            same->end.cells += end.cells;
          }
        }
      }
      for (const auto& [part, end] : found) {
        std::vector<std::string> cells{std::string(end.name.empty() ? part->set->name : end.name)};
        AppendPart(cells, *part);
        cells.push_back(WithThousands(end.cells));
        cells.push_back(end.mend);
        cells.push_back(Place(end.where));
        table.AddRow(std::move(cells), RowStyle::kAlert);
      }
      AddSection(table);
    });
  }

  void AddAcknowledged() {
    ReportTable table({"known", "at", "why", "row"});
    const auto& all = report_.acknowledged;
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
      std::string at, why(all[i].why);
      // The places of one row.
      for (; end < all.size() && all[end].row == all[i].row; ++end) {
        at += fmt::format("{}{}", at.empty() ? "" : " ", all[end].at);
      }
      if (!all[i].issue.empty()) why += fmt::format(" ({})", ShortIssue(all[i].issue));
      table.AddRow(
          {std::string(all[i].code), std::move(at), std::move(why), Place(all[i].row->where)},
          RowStyle::kDim);
    }
    AddSection(table);
  }

  void AddLimits() {
    ReportTable table({"limit", "used", "of", "", "fullest file", ""});
    for (const PlanLimit& limit : report_.limits) {
      const std::size_t percent = limit.limit == 0 ? 100 : limit.used * 100 / limit.limit;
      table.AddRow({std::string(limit.title), Amount(limit.used, limit.bytes),
                    Amount(limit.limit, limit.bytes), fmt::format("{}%", percent),
                    std::string(limit.file), limit.full ? "!" : ""},
                   limit.full ? RowStyle::kAlert : RowStyle::kNormal);
    }
    AddSection(table);
  }

  void AddFiles() {
    ReportTable table({"file", "jobs", "size", "longest expression", "needs edges",
                       "workflows called", "levels", "dispatch inputs"});
    for (const WorkflowUsage* file : report_.files) {
      table.AddRow({file->file, WithThousands(file->jobs), SizeOf(file->bytes),
                    WithThousands(file->expression_bytes), WithThousands(file->needs_edges),
                    WithThousands(file->reusable_files), WithThousands(file->reusable_levels),
                    WithThousands(file->dispatch_inputs)});
    }
    AddSection(table);
  }

  void AddSection(const ReportTable& table) {
    if (table.empty()) return;
    Gap();
    Add(table);
  }

  // "290 combos"; of several kinds of set, "290 cells".
  std::string CountCells() const {
    if (schema_.sets.size() != 1) return Count(report_.cells, "cell");
    return Count(report_.cells, schema_.sets[0].noun, schema_.sets[0].plural);
  }

  std::string Summary() const {
    if (report_.limits.empty()) {
      return fmt::format("{}; {} out", CountCells(), WithThousands(report_.out));
    }
    std::string summary = fmt::format("{}, {} in {}", CountCells(), Count(report_.jobs, "job"),
                                      Count(report_.files.size(), "file"));
    for (const PlanLimit& limit : report_.limits) {
      if (limit.name == "workflow_bytes") {
        summary += fmt::format("; largest file {} of {}", SizeOf(limit.used), SizeOf(limit.limit));
      } else if (limit.name == "needs_edges") {
        summary += fmt::format("; needs edges {} of {}", WithThousands(limit.used),
                               WithThousands(limit.limit));
      }
    }
    return summary;
  }

  const PlanReport& report_;
  const Schema& schema_;
  const PlanOptions& options_;
  const SourceManager& sources_;
  std::string text_;
};

}  // namespace

std::string RenderReport(const PlanReport& report, const Schema& schema, const PlanOptions& options,
                         const SourceManager& sources) {
  if (options.format == PlanFormat::kJson) return ReportAsJson(report, schema, options, sources);
  return TextReport(report, schema, options, sources).Render();
}

}  // namespace wheelwright
