// The report for people: a terminal's table, or Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
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
  TextReport(const PlanReport& report, const Combos& combos, const PlanOptions& options,
             const SourceManager& sources)
      : report_(report), combos_(combos), options_(options), sources_(sources) {}

  std::string Render() {
    for (const PlanPart& part : report_.parts) {
      Title(fmt::format("{}, {}", part.set->name, part.platform->name));
      if (options_.each_combo) {
        AddCombos(part);
      } else {
        AddRows(part);
      }
      if (!part.absent.empty()) {
        Paragraph(
            fmt::format("no row for {}: {}", part.platform->name, fmt::join(part.absent, " ")));
      }
    }
    AddKnownFailures();
    AddExclusions();
    AddDeadEnds();
    AddLimits();
    if (options_.all_files) AddFiles();
    Gap();
    text_ += Bold(Summary(), options_.color && !markdown()) + "\n";
    return std::move(text_);
  }

 private:
  bool markdown() const { return options_.format == PlanFormat::kMarkdown; }

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
    text_ += markdown() ? table.AsMarkdown() : table.AsText(options_.color);
  }

  void Paragraph(const std::string& paragraph) {
    if (markdown()) Gap();
    text_ += (markdown() ? EscapeMarkdown(paragraph) : paragraph) + "\n";
  }

  void AddRows(const PlanPart& part) {
    ReportTable table({"family", "python", "torch", "runner", "promotes", ""});
    for (const PlanRow& row : part.rows) {
      // Each line of Markdown is read alone, so it names the family again.
      const bool repeat = row.continued && !markdown();
      table.AddRow({repeat ? "" : std::string(row.gfx), row.python, row.torch, row.runner,
                    row.promotes, row.dead_end ? "!" : ""},
                   row.dead_end ? RowStyle::kAlert
                   : row.out    ? RowStyle::kDim
                                : RowStyle::kNormal);
    }
    Add(table);
  }

  void AddCombos(const PlanPart& part) {
    ReportTable table({"family", "combo", "", "promotes, or why it is out", "release types"});
    for (const GfxBuild* build : part.builds) {
      for (const Combo& combo : part.platform->CombosOf(*build)) {
        const std::string id(part.platform->IdOf(combo));
        if (combo.out != nullptr) {
          table.AddRow({std::string(build->name), id, "out", Why(*combo.out)}, RowStyle::kDim);
          continue;
        }
        const bool released = part.set->release_types != 0;
        const bool never = released && combo.promotes == Promotes::kNever;
        std::string promotes = !released                            ? "not released"
                               : combo.promotes == Promotes::kTests ? "when tests pass"
                               : never                              ? "never !"
                                                                    : "without tests (bypass)";
        if (combo.include != nullptr)
          promotes += fmt::format(", made by {}", Place(combo.include->where));
        table.AddRow({std::string(build->name), id, "in", std::move(promotes), ReleaseTypes(combo)},
                     never ? RowStyle::kAlert : RowStyle::kNormal);
      }
    }
    Add(table);
  }

  std::string ReleaseTypes(const Combo& combo) const {
    std::string names;
    for (std::size_t i = 0; i < combos_.release_types.size(); ++i) {
      if ((combo.release_types >> i & 1) == 0) continue;
      names.append(names.empty() ? "" : " ").append(combos_.release_types[i]);
    }
    return names;
  }

  std::string Place(SourceRange where) const { return sources_.DescribeLine(where.begin); }

  std::string Why(const OutReason& reason) const {
    std::string why(reason.text);
    if (!reason.issue.empty()) why += fmt::format(" ({})", ShortIssue(reason.issue));
    return fmt::format("{}, {}", why, Place(reason.where));
  }

  void AddKnownFailures() {
    ReportTable table({"known failure", "platform", "issue", "row"});
    std::vector<SourceRange> told;  // a family's row counts in every set
    for (const PlanPart& part : report_.parts) {
      for (const GfxBuild* build : part.builds) {
        if (build->out == nullptr || build->out->kind != OutKind::kKnownFailure) continue;
        if (std::find(told.begin(), told.end(), build->out->where) != told.end()) continue;
        told.push_back(build->out->where);
        table.AddRow({std::string(build->name), std::string(part.platform->name),
                      std::string(build->out->issue), Place(build->out->where)});
      }
    }
    AddSection(table);
  }

  void AddExclusions() {
    ReportTable table({"excluded", "platform", "python", "torch", "combos", "why"});
    for (const PlanPart& part : report_.parts) {
      for (const PlanExclusion& out : part.exclusions) {
        table.AddRow({std::string(out.gfx), std::string(out.platform), out.python, out.torch,
                      WithThousands(out.combos), Why(*out.reason)});
      }
    }
    AddSection(table);
    ReportTable types({"release type", "does not take", "why"});
    for (const PlanReleaseExclude& exclude : report_.release_excludes) {
      types.AddRow({std::string(exclude.release_type), exclude.what,
                    fmt::format("{}, {}", exclude.why, Place(exclude.where))});
    }
    AddSection(types);
  }

  void AddDeadEnds() {
    ReportTable table({"dead end", "platform", "combos", "what would mend it"});
    std::vector<PlanDeadEnd> dead_ends;
    for (const PlanPart& part : report_.parts) {
      for (const PlanDeadEnd& found : part.dead_ends) {
        const auto same =
            std::find_if(dead_ends.begin(), dead_ends.end(), [&](const PlanDeadEnd& other) {
              return other.gfx == found.gfx && other.platform == found.platform &&
                     other.mend == found.mend;
            });
        if (same == dead_ends.end()) {
          dead_ends.push_back(found);
        } else {
          same->combos += found.combos;
        }
      }
    }
    for (const PlanDeadEnd& end : dead_ends) {
      table.AddRow(
          {std::string(end.gfx), std::string(end.platform), WithThousands(end.combos), end.mend},
          RowStyle::kAlert);
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

  std::string Summary() const {
    if (report_.limits.empty()) {
      return fmt::format("{}; {} out", Count(report_.combos, "combo"), WithThousands(report_.out));
    }
    std::string summary =
        fmt::format("{}, {} in {}", Count(report_.combos, "combo"), Count(report_.jobs, "job"),
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
  const Combos& combos_;
  const PlanOptions& options_;
  const SourceManager& sources_;
  std::string text_;
};

}  // namespace

std::string RenderReport(const PlanReport& report, const Combos& combos, const PlanOptions& options,
                         const SourceManager& sources) {
  if (options.format == PlanFormat::kJson) return ReportAsJson(report, combos, options, sources);
  return TextReport(report, combos, options, sources).Render();
}

}  // namespace wheelwright
