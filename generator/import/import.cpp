#include "generator/import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "base/text.h"
#include "generator/emit/emit.h"
#include "generator/import/matrix_table.h"
#include "generator/import/matrix_uses.h"
#include "generator/import/template_text.h"
#include "generator/import/text_edits.h"
#include "generator/matrix/read_schema.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::string_view kSettings = R"(settings:
  output: generated-workflows # .github/workflows once the files there that were written by hand are gone
  policies: lint # `errors` once the workflows follow the rules that `wheelwright lint --strict` tells
)";

// Whether the compiler reads the file itself.
bool IsTaken(std::string_view stem) {
  return stem == kSchemaStem || std::ranges::find(BuiltInSchema().files, stem, &FileSchema::stem) !=
                                    BuiltInSchema().files.end();
}

Diagnostic Left(const Node* node, std::string message, std::string hint = {}) {
  return {.severity = Severity::kWarning,
          .code = "not-imported",
          .message = std::move(message),
          .where = node->where,
          .hint = std::move(hint)};
}

// Whether a node stands at two places, by an alias.
bool HoldsAliases(const Node& node, std::set<const Node*>& seen) {
  if (!seen.insert(&node).second) return true;
  return std::ranges::any_of(node.items,
                             [&](const Node* item) { return HoldsAliases(*item, seen); }) ||
         std::ranges::any_of(node.entries,
                             [&](const Entry& entry) { return HoldsAliases(*entry.value, seen); });
}

// Whether entries that are edited begin no line, as in brackets.
bool HoldsFlow(std::string_view text, const Workflow& workflow) {
  const auto flows = [&](const Node* mapping) {
    return mapping != nullptr && mapping->is_mapping() &&
           std::ranges::any_of(mapping->entries,
                               [&](const Entry& entry) { return !StartsLine(text, *entry.key); });
  };
  return std::ranges::any_of(workflow.jobs, [&](const Job& job) {
    return flows(workflow.jobs_field.value) || flows(job.node) || flows(job.strategy.value) ||
           flows(job.matrix);
  });
}

class Importer {
 public:
  Importer(bool unroll, SourceManager& sources, Arena& arena, Diagnostics& diagnostics)
      : unroll_(unroll), sources_(sources), arena_(arena), diagnostics_(diagnostics) {}

  void Read(FileId file) {
    const Document document = ReadYaml(sources_, file, arena_, diagnostics_);
    if (document.root == nullptr) return;
    const std::string_view path = sources_.Name(file);
    std::string_view name = path.substr(path.find_last_of("/\\") + 1);
    name = name.substr(0, name.rfind('.'));
    if (!document.root->is_mapping() || Find(document.root, "jobs") == nullptr) {
      diagnostics_.Report({.code = "missing-key",
                           .message = fmt::format("{} is no workflow: it has no 'jobs'", path),
                           .where = document.root->where});
      return;
    }
    if (const std::size_t at = sources_.Text(file).find("$[["); at != std::string_view::npos) {
      diagnostics_.Report(
          {.code = "template-expression",
           .message = "'$[[' has a meaning in templates, so this text cannot be taken over",
           .where = {{file, static_cast<std::uint32_t>(at)}, 3}});
      return;
    }
    if (!names_.insert(ToLower(name)).second) {
      diagnostics_.Report({.code = "same-file",
                           .message = fmt::format("two workflows are called {}.yml", name),
                           .where = {{file, 0}, 0}});
      return;
    }
    ImportedWorkflow& made = workflows_.emplace_back();
    made.file = file;
    made.name = name;
    made.stem = TableName(name);
    if (IsTaken(made.stem)) made.stem += "_matrix";
    ReadWorkflow(*document.root, made.workflow);
    made.document = document;
    if (path.ends_with(".yaml")) {
      diagnostics_.Report(Left(document.root, fmt::format("{} becomes {}.yml", path, name),
                               "let its callers call that"));
    }
  }

  void Decide() {
    for (ImportedWorkflow& one : workflows_) {
      one.jobs.resize(one.workflow.jobs.size());
      for (std::size_t i = 0; i < one.jobs.size(); ++i) DecideKept(one, i);
      if (!unroll_) continue;
      for (std::size_t i = 0; i < one.jobs.size(); ++i) DecideUnrolled(one, i);
      while (DropReadJobs(one)) {
      }
    }
    for (ImportedWorkflow& one : workflows_) {
      for (std::size_t i = 0; i < one.jobs.size(); ++i) AddTable(one, i);
    }
  }

  Imported Write() {
    Imported made;
    made.workflows = workflows_.size();
    made.files.push_back({"matrix/settings.yml", std::string(kSettings)});
    for (ImportedWorkflow& one : workflows_) {
      for (std::size_t i = 0; i < one.jobs.size(); ++i) {
        if (one.jobs[i].table == nullptr) continue;
        ++made.jobs;
        made.legs += MatrixLegs(*one.workflow.jobs[i].matrix);
      }
      made.files.push_back({fmt::format("templates/workflows/{}.yml", one.name), TextOf(one)});
    }
    for (MatrixTables::File& file : tables_.Files()) {
      made.files.push_back({fmt::format("matrix/{}.yml", file.stem), std::move(file.text)});
    }
    return made;
  }

 private:
  // A matrix that stays one.
  void DecideKept(ImportedWorkflow& one, std::size_t i) {
    const Job& job = one.workflow.jobs[i];
    if (!job.strategy) return;
    if (job.matrix == nullptr) return;
    if (!job.matrix->is_mapping()) {
      diagnostics_.Report(Left(job.matrix,
                               fmt::format("only a run knows the matrix of job '{}'", job.id),
                               "it stays in the template"));
      return;
    }
    bool any = false;
    for (const Entry& entry : job.matrix->entries) {
      if (!IsColumnName(entry.key->text)) {
        diagnostics_.Report(Left(
            entry.key,
            fmt::format(
                "no column can be called '{}', so the matrix of job '{}' stays in the template",
                entry.key->text, job.id)));
        return;
      }
      if (!IsDynamic(*entry.value)) {
        any = true;
        continue;
      }
      diagnostics_.Report(Left(
          entry.value,
          fmt::format("only a run knows '{}' of the matrix of job '{}'", entry.key->text, job.id),
          "it stays in the template"));
    }
    one.jobs[i].taken = any;
  }

  void Keep(JobImport& job, const Node* node, const std::string& reason) {
    job.unrolled = false;
    diagnostics_.Report(Left(node, reason, "the job keeps its matrix"));
  }

  void DecideUnrolled(ImportedWorkflow& one, std::size_t i) {
    JobImport& made = one.jobs[i];
    if (!made.taken) return;
    const Job& job = one.workflow.jobs[i];
    made.unrolled = true;
    if (HoldsExpressions(*job.matrix)) {
      return Keep(made, job.matrix,
                  fmt::format("the legs of job '{}' are known to a run alone", job.id));
    }
    const std::vector<MatrixLeg> legs = UnfoldMatrix(*job.matrix);
    if (legs.empty()) return Keep(made, job.matrix, fmt::format("job '{}' has no legs", job.id));
    const JobUses uses = UsesOf(one.workflow, job);
    if (uses.obstacle != nullptr) return Keep(made, uses.obstacle, uses.reason);
    for (const MatrixUse& use : uses.matrix) {
      if (std::string reason = ObstacleOf(use, legs); !reason.empty()) {
        return Keep(made, use.scalar, reason);
      }
    }
    for (const Declared& output : one.workflow.call_outputs) {
      if (output.value != nullptr && ReadsJob(one.workflow, output.value->text, job.id)) {
        return Keep(made, output.value,
                    fmt::format("an output is that of job '{}', whichever leg ends last", job.id));
      }
    }
  }

  // Jobs whose outputs or results others read cannot be many. True: there was one more.
  bool DropReadJobs(ImportedWorkflow& one) {
    for (std::size_t i = 0; i < one.jobs.size(); ++i) {
      const Job& reader = one.workflow.jobs[i];
      for (const NeedUse& use : UsesOf(one.workflow, reader).needs) {
        const std::int32_t at = one.workflow.JobIndex(use.job);
        if (at < 0 || !one.jobs[static_cast<std::size_t>(at)].unrolled) continue;
        if (InOneChain(one, i, static_cast<std::size_t>(at))) continue;
        Keep(one.jobs[static_cast<std::size_t>(at)], use.scalar,
             fmt::format("job '{}' reads what job '{}' leaves, which has another matrix", reader.id,
                         use.job));
        return true;
      }
    }
    return false;
  }

  void AddTable(ImportedWorkflow& one, std::size_t i) {
    JobImport& made = one.jobs[i];
    if (!made.taken) return;
    const Job& job = one.workflow.jobs[i];
    made.table = &tables_.Of(*job.matrix, made.unrolled, one.stem, job.id);
    MatrixTable& table = *made.table;
    table.longest_job = std::max(table.longest_job, job.id.size());
    table.jobs.push_back(fmt::format("job `{}` of {}.yml", job.id, one.name));
    if (made.unrolled) {
      AddLabel(job, table);
      TellLosses(job);
    }
  }

  static void AddLabel(const Job& job, MatrixTable& table) {
    if (!NeedsLabel(job, table) || !table.label.empty()) return;
    table.label = "label";
    while (!ValuesOf(table.legs, {table.label}).values.empty()) table.label = "leg_" + table.label;
  }

  // What jobs of their own do not have.
  void TellLosses(const Job& job) {
    const Entry* fail_fast = FindEntry(job.strategy.value, "fail-fast");
    if (fail_fast == nullptr || fail_fast->value->text != "false") {
      diagnostics_.Report(Left(fail_fast != nullptr ? fail_fast->key : job.strategy.key,
                               fmt::format("other legs of job '{}' go on when one fails", job.id),
                               "'fail-fast' is for a matrix alone"));
    }
    if (const Entry* parallel = FindEntry(job.strategy.value, "max-parallel")) {
      diagnostics_.Report(Left(parallel->key,
                               fmt::format("all legs of job '{}' start at once", job.id),
                               "'max-parallel' is for a matrix alone"));
    }
  }

  // A text in which aliases and brackets cannot be edited is written out first.
  std::string TextOf(ImportedWorkflow& one) {
    std::set<const Node*> seen;
    const bool aliases = HoldsAliases(*one.document.root, seen);
    const std::string_view text = sources_.Text(one.file);
    if (!aliases && !HoldsFlow(text, one.workflow)) return TemplateText(one, sources_);
    if (aliases) {
      diagnostics_.Report(
          Left(one.document.root, "its YAML aliases are written out: generated files have none"));
    }
    EmitOptions options;
    options.comments_end = one.document.comments_end;
    const FileId file =
        sources_.Add(std::string(sources_.Name(one.file)), EmitYaml(*one.document.root, options));
    Diagnostics none;
    one.file = file;
    one.document = ReadYaml(sources_, file, arena_, none);
    ReadWorkflow(*one.document.root, one.workflow);
    return TemplateText(one, sources_);
  }

  const bool unroll_;
  SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::deque<ImportedWorkflow> workflows_;
  std::set<std::string> names_;
  MatrixTables tables_;
};

}  // namespace

Imported ImportWorkflows(std::span<const FileId> workflows, bool unroll, SourceManager& sources,
                         Arena& arena, Diagnostics& diagnostics) {
  Importer importer(unroll, sources, arena, diagnostics);
  for (const FileId file : workflows) importer.Read(file);
  if (diagnostics.errors() > 0) return {};
  importer.Decide();
  return importer.Write();
}

}  // namespace wheelwright
