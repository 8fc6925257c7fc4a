#include "generator/plan/report_json.h"

#include <utility>

#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

using Layout = JsonWriter::Layout;

class JsonReport {
 public:
  JsonReport(const PlanReport& report, const Combos& combos, const PlanOptions& options,
             const SourceManager& sources)
      : report_(report), combos_(combos), options_(options), sources_(sources) {}

  std::string Render() {
    json_.Open('{', Layout::kBlock);
    List("sets", Layout::kBlock);
    for (const PlanPart& part : report_.parts) AddPart(part);
    json_.Close();
    List("release_excludes", Layout::kBlock);
    for (const PlanReleaseExclude& exclude : report_.release_excludes) {
      Row();
      json_.StringAt("release_type", exclude.release_type);
      json_.StringAt("what", exclude.what);
      json_.StringAt("why", exclude.why);
      PlaceAt(exclude.where);
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
    json_.NumberAt("combos", report_.combos);
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

  void AddPart(const PlanPart& part) {
    json_.Open('{', Layout::kBlock);
    json_.StringAt("set", part.set->name);
    json_.StringAt("platform", part.platform->name);
    List("rows", Layout::kBlock);
    for (const PlanRow& row : part.rows) {
      Row();
      json_.StringAt("family", row.gfx);
      json_.StringAt("python", row.python);
      json_.StringAt("torch", row.torch);
      json_.StringAt("runner", row.runner);
      json_.StringAt("promotes", row.promotes);
      FlagAt("out", row.out);
      FlagAt("dead_end", row.dead_end);
      PlaceAt(row.where);
      json_.Close();
    }
    json_.Close();
    if (options_.each_combo) AddCombos(part);
    List("known_failures", Layout::kBlock);
    for (const GfxBuild* build : part.builds) {
      if (build->out == nullptr || build->out->kind != OutKind::kKnownFailure) continue;
      Row();
      json_.StringAt("family", build->name);
      json_.StringAt("issue", build->out->issue);
      PlaceAt(build->out->where);
      json_.Close();
    }
    json_.Close();
    List("excluded", Layout::kBlock);
    for (const PlanExclusion& out : part.exclusions) {
      Row();
      json_.StringAt("family", out.gfx);
      json_.StringAt("python", out.python);
      json_.StringAt("torch", out.torch);
      json_.NumberAt("combos", out.combos);
      ReasonAt(*out.reason);
      json_.Close();
    }
    json_.Close();
    List("dead_ends", Layout::kBlock);
    for (const PlanDeadEnd& end : part.dead_ends) {
      Row();
      json_.StringAt("family", end.gfx);
      json_.NumberAt("combos", end.combos);
      json_.StringAt("cause", end.cause);
      json_.StringAt("mend", end.mend);
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

  void AddCombos(const PlanPart& part) {
    const ComboPlatform& platform = *part.platform;
    List("combos", Layout::kBlock);
    for (const GfxBuild* build : part.builds) {
      for (const Combo& combo : platform.CombosOf(*build)) {
        Row();
        json_.StringAt("family", build->name);
        json_.StringAt("id", platform.IdOf(combo));
        json_.StringAt("python", platform.pythons[combo.python].version);
        json_.StringAt("torch", platform.torches[combo.torch].ref);
        FlagAt("in", combo.out == nullptr);
        if (combo.out != nullptr) {
          ReasonAt(*combo.out);
        } else {
          FlagAt("tests", combo.tests);
          json_.StringAt("promotes", NameOf(combo.promotes));
          std::vector<std::string_view> taken;
          for (std::size_t i = 0; i < combos_.release_types.size(); ++i) {
            if ((combo.release_types >> i & 1) != 0) taken.push_back(combos_.release_types[i]);
          }
          json_.ListAt("release_types", taken);
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
  const Combos& combos_;
  const PlanOptions& options_;
  const SourceManager& sources_;
  JsonWriter json_;
};

}  // namespace

std::string ReportAsJson(const PlanReport& report, const Combos& combos, const PlanOptions& options,
                         const SourceManager& sources) {
  return JsonReport(report, combos, options, sources).Render();
}

}  // namespace wheelwright
