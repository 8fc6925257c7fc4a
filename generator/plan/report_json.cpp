#include "generator/plan/report_json.h"

#include <utility>

#include "generator/expression/json_writer.h"
#include "generator/plan/cell_blocks.h"

namespace wheelwright {
namespace {

using Layout = JsonWriter::Layout;

class JsonReport {
 public:
  JsonReport(const PlanReport& report, const Schema& schema, const PlanOptions& options,
             const SourceManager& sources)
      : report_(report), schema_(schema), options_(options), sources_(sources) {}

  std::string Render() {
    json_.Open('{', Layout::kBlock);
    List("sets", Layout::kBlock);
    for (const PlanPart& part : report_.parts) AddPart(part);
    json_.Close();
    List("taker_excludes", Layout::kBlock);
    for (const PlanTakerExclude& exclude : report_.taker_excludes) {
      Row();
      json_.StringAt(exclude.kind->takers.noun, exclude.taker);
      json_.StringAt("what", exclude.what);
      json_.StringAt("why", exclude.why);
      PlaceAt(exclude.where);
      json_.Close();
    }
    json_.Close();
    List("acknowledged", Layout::kBlock);
    for (const Acknowledgement& known : report_.acknowledged) {
      Row();
      json_.StringAt("code", known.code);
      json_.StringAt("at", known.at);
      json_.StringAt("why", known.why);
      json_.StringAt("issue", known.issue);
      PlaceAt(known.where);
      json_.Close();
    }
    json_.Close();
    List("limits", Layout::kBlock);
    for (const PlanLimit& limit : report_.limits) {
      Row();
      json_.StringAt("limit", limit.name);
      json_.NumberAt("used", limit.used);
      json_.NumberAt("of", limit.limit);
      json_.StringAt("file", limit.file);
      FlagAt("full", limit.full);
      json_.Close();
    }
    json_.Close();
    AddFiles();
    json_.NumberAt("cells", report_.cells);
    json_.NumberAt("out", report_.out);
    json_.NumberAt("jobs", report_.jobs);
    json_.Close();
    return json_.Take() + '\n';
  }

 private:
  void List(std::string_view key, Layout layout) {
    json_.Key(key);
    json_.Open('[', layout);
  }
  void Row() { json_.Open('{', Layout::kInline); }
  void FlagAt(std::string_view key, bool value) {
    json_.Key(key);
    json_.Boolean(value);
  }
  void PlaceAt(SourceRange where) { json_.StringAt("where", sources_.DescribeLine(where.begin)); }

  // The values of the axes of the cells, by what headings call them.
  void ValuesAt(const CellSet& set, const std::vector<std::string>& values) {
    const SetSchema& kind = *set.schema;
    const auto nouns = NounsOf(kind, schema_, kind.nested, kind.axes.size());
    for (std::size_t i = 0; i < nouns.size(); ++i) json_.StringAt(nouns[i], values[i]);
  }

  void NameAt(const CellSet& set, std::string_view name) {
    const std::size_t nested = set.schema->nested;
    if (nested > 0) json_.StringAt(schema_.axes[set.schema->axes[nested - 1]].noun, name);
  }

  void AddPart(const PlanPart& part) {
    const CellSet& set = *part.set;
    const ViewSchema& view = set.schema->view;
    json_.Open('{', Layout::kBlock);
    json_.StringAt("set", set.name);
    for (const AxisValue* value : part.values) {
      json_.StringAt(schema_.axes[value->axis].noun, value->key);
    }
    List("rows", Layout::kBlock);
    for (const PlanRow& row : part.rows) {
      Row();
      NameAt(set, row.name);
      ValuesAt(set, row.values);
      for (std::size_t i = 0; i < view.columns.size(); ++i) {
        json_.StringAt(view.columns[i].name, row.columns[i]);
      }
      json_.StringAt(view.heading, row.says);
      FlagAt("out", row.out);
      FlagAt("dead_end", row.dead_end);
      PlaceAt(row.where);
      json_.Close();
    }
    json_.Close();
    if (options_.each_cell) AddCells(part);
    List("known_failures", Layout::kBlock);
    for (const CellBranch* branch : part.branches) {
      if (branch->out == nullptr || branch->out->kind != OutKind::kItself) continue;
      Row();
      NameAt(set, part.ValueOf(*branch)->brief);
      json_.StringAt("issue", branch->out->issue);
      PlaceAt(branch->out->where);
      json_.Close();
    }
    json_.Close();
    List("excluded", Layout::kBlock);
    for (const PlanRuling& out : part.exclusions) {
      Row();
      NameAt(set, out.name);
      ValuesAt(set, out.values);
      json_.NumberAt("cells", out.cells);
      ReasonAt(out.reason);
      json_.Close();
    }
    json_.Close();
    List("changed", Layout::kBlock);
    for (const PlanRuling& change : part.changes) {
      Row();
      NameAt(set, change.name);
      ValuesAt(set, change.values);
      json_.NumberAt("cells", change.cells);
      json_.StringAt("to", change.what);
      ReasonAt(change.reason);
      json_.Close();
    }
    json_.Close();
    List("dead_ends", Layout::kBlock);
    for (const PlanDeadEnd& end : part.dead_ends) {
      Row();
      NameAt(set, end.name);
      json_.NumberAt("cells", end.cells);
      json_.StringAt(view.heading, end.says);
      json_.StringAt("mend", end.mend);
      PlaceAt(end.where);
      json_.Close();
    }
    json_.Close();
    json_.ListAt("absent", part.absent);
    json_.Close();
  }

  void ReasonAt(const OutReason& reason) {
    json_.StringAt("why", reason.text);
    json_.StringAt("issue", reason.issue);
    PlaceAt(reason.where);
  }

  void AddCells(const PlanPart& part) {
    const CellSet& set = *part.set;
    const SetSchema& kind = *set.schema;
    List("cells", Layout::kBlock);
    for (const CellBranch* branch : part.branches) {
      for (const Cell& cell : branch->cells) {
        Row();
        if (!branch->at.empty()) NameAt(set, part.ValueOf(*branch)->brief);
        json_.StringAt("id", cell.id);
        for (std::size_t i = kind.nested; i < kind.axes.size(); ++i) {
          json_.StringAt(schema_.axes[kind.axes[i]].noun, set.Value(cell, i).key);
        }
        FlagAt("in", cell.out == nullptr);
        if (cell.out != nullptr) {
          ReasonAt(*cell.out);
        } else {
          json_.StringAt(kind.view.heading, cell.view->says);
          if (!set.takers.empty()) json_.ListAt(kind.takers.plural, set.TakersOf(cell));
        }
        json_.Close();
      }
    }
    json_.Close();
  }

  void AddFiles() {
    List("files", Layout::kBlock);
    for (const WorkflowUsage* file : report_.files) {
      Row();
      json_.StringAt("file", file->file);
      json_.NumberAt("jobs", file->jobs);
      json_.NumberAt("bytes", file->bytes);
      json_.NumberAt("expression_bytes", file->expression_bytes);
      json_.NumberAt("needs_edges", file->needs_edges);
      json_.NumberAt("reusable_files", file->reusable_files);
      json_.NumberAt("reusable_levels", file->reusable_levels);
      json_.NumberAt("dispatch_inputs", file->dispatch_inputs);
      json_.Close();
    }
    json_.Close();
  }

  const PlanReport& report_;
  const Schema& schema_;
  const PlanOptions& options_;
  const SourceManager& sources_;
  JsonWriter json_;
};

}  // namespace

std::string ReportAsJson(const PlanReport& report, const Schema& schema, const PlanOptions& options,
                         const SourceManager& sources) {
  return JsonReport(report, schema, options, sources).Render();
}

}  // namespace wheelwright
