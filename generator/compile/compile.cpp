#include "generator/compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "base/below.h"
#include "base/text.h"
#include "generator/compile/external.h"
#include "generator/compile/json_files.h"
#include "generator/compile/workflows.h"
#include "generator/matrix/checks.h"
#include "generator/shared/lock.h"
#include "generator/shared/sources.h"
#include "generator/template/template.h"

namespace wheelwright {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Compiler {
 public:
  Compiler(FileSystem& files, const CompileOptions& options, Compilation& result,
           Diagnostics& diagnostics)
      : files_(files),
        options_(options),
        threads_(options.threads > 0 ? options.threads
                                     : std::max(1U, std::thread::hardware_concurrency())),
        result_(result),
        diagnostics_(diagnostics) {}

  bool LoadMatrix() {
    return Stage("matrix", [&] {
      auto matrix = wheelwright::LoadMatrix(files_, Below(options_.root, "matrix"), result_.sources,
                                            result_.arena, diagnostics_, threads_);
      if (!matrix) return std::string();
      result_.matrix = std::move(*matrix);
      result_.cells = ComputeCells(result_.matrix, BindTables(result_.matrix, result_.arena),
                                   {result_.sources, result_.arena, diagnostics_});
      if (diagnostics_.errors() > 0) return std::string();
      result_.context = MakeContext(result_.matrix, result_.cells, result_.arena);
      names_ = TypesOfContext(result_.matrix, result_.cells, types_,
                              {result_.sources, result_.arena, diagnostics_});
      const std::vector<RowCheck>& checks = *result_.matrix.schema.checks;
      CheckTypesOf(checks, names_, result_.sources, diagnostics_);
      if (diagnostics_.errors() > 0) return std::string();
      RunChecks(checks, Severity::kError, result_.context.scope(), result_.sources, diagnostics_);
      if (diagnostics_.errors() > 0) return std::string();
      domains_ = TrustDomains(result_.matrix);
      result_.matrix_loaded = true;
      return Count(result_.matrix.files.size(), "file");
    });
  }

  // matrix/programs/NAME.json: what `NAME help --json` prints.
  void ReadPrograms() {
    const std::string folder = Below(options_.root, "matrix/programs");
    for (const std::string& name : files_.List(folder)) {
      if (!name.ends_with(".json")) continue;
      const std::string path = Below(folder, name);
      const auto text = files_.Read(path);
      if (text && programs_.Add(*text)) continue;
      diagnostics_.Report({.code = "bad-program",
                           .message = fmt::format("{} describes no program", path),
                           .hint = "write what `PROGRAM help --json` prints"});
    }
  }

  bool ReadTemplates() {
    return Stage("templates", [&] {
      CheckLock(files_, options_.root, RemoteTemplatesOf(result_.matrix), result_.sources,
                diagnostics_);
      if (diagnostics_.errors() > 0) return std::string();
      templates_ = wheelwright::ReadTemplates(
          files_, Below(options_.root, "templates"), names_, result_.sources, result_.arena,
          diagnostics_, threads_, TemplateSourcesOf(result_.matrix, options_.root));
      if (!templates_) return std::string();
      const std::string repository = RepositoryOf(options_.root);
      actions_.Read(files_, repository, result_.sources, result_.arena);
      ReadPrograms();
      external_.Read(files_, result_.matrix, repository, result_.sources, result_.arena,
                     diagnostics_);
      instances_ = ListInstances(*templates_, result_.context.scope(), result_.sources,
                                 result_.arena, diagnostics_);
      std::string detail = fmt::format("{}, {}", Count(templates_->files(), "file"),
                                       Count(instances_.size(), "instance"));
      const auto json = std::ranges::stable_partition(
          instances_, [](const Instance& instance) { return !instance.json(); });
      json_instances_.assign(json.begin(), json.end());
      instances_.erase(json.begin(), json.end());
      return detail;
    });
  }

  bool MakeJsonFiles() {
    const Node* schemas = Find(result_.matrix.settings, "json_schemas");
    if (json_instances_.empty() && schemas->entries.empty()) return true;
    return Stage("json", [&] {
      JsonFileMaker maker(files_, options_.root, *schemas, result_, diagnostics_);
      for (const Instance& instance : json_instances_) maker.Make(instance);
      maker.ReportMissing();
      return Count(json_instances_.size(), "file");
    });
  }

  bool MakeFiles() {
    WorkflowTimes spent;
    const bool good = Stage("files", [&] {
      spent = MakeWorkflows({domains_, actions_, known_actions_, programs_, external_}, instances_,
                            options_.keep, threads_, result_, diagnostics_);
      std::size_t jobs = 0, bytes = 0;
      for (const CompiledWorkflow& made : result_.workflows) {
        jobs += made.usage.jobs;
        bytes += made.usage.bytes;
      }
      return fmt::format("{}, {} jobs, {:.1f} MB", Count(result_.workflows.size(), "file"),
                         WithThousands(jobs), static_cast<double>(bytes) * 1e-6);
    });
    result_.times.push_back({"expand", spent.expand, true, {}});
    result_.times.push_back({"link", spent.link, true, {}});
    result_.times.push_back({"emit", spent.emit, true, {}});
    return good;
  }

 private:
  // Runs a stage, which returns a description of its input. False when it reported an error.
  template <typename Work>
  bool Stage(std::string_view name, const Work& work) {
    const auto start = Clock::now();
    std::string detail = work();
    result_.times.push_back({name, SecondsSince(start), false, std::move(detail)});
    return diagnostics_.errors() == 0;
  }

  FileSystem& files_;
  const CompileOptions& options_;
  const std::size_t threads_;
  Compilation& result_;
  Diagnostics& diagnostics_;

  TypePool types_;
  std::vector<Property> names_;  // that templates and checks see
  TrustDomains domains_;
  LocalActions actions_;
  KnownActions known_actions_;
  Programs programs_;
  ExternalWorkflows external_;
  std::optional<TemplateSet> templates_;
  std::vector<Instance> instances_;  // of workflows
  std::vector<Instance> json_instances_;
};

}  // namespace

std::unique_ptr<Compilation> Compile(FileSystem& files, const CompileOptions& options,
                                     CompileUntil until, Diagnostics& diagnostics) {
  auto result = std::make_unique<Compilation>();
  Compiler compiler(files, options, *result, diagnostics);
  if (!compiler.LoadMatrix() || until == CompileUntil::kMatrix) return result;
  if (!compiler.ReadTemplates()) return result;
  if (!compiler.MakeJsonFiles() || until == CompileUntil::kJson) return result;
  compiler.MakeFiles();
  return result;
}

std::vector<GeneratedFile> TakeOutput(Compilation& compilation) {
  std::vector<GeneratedFile> output;
  output.reserve(compilation.workflows.size() + compilation.json_files.size());
  for (CompiledWorkflow& workflow : compilation.workflows) {
    output.push_back({workflow.name, std::move(workflow.text), workflow.where});
  }
  for (CompiledJson& json : compilation.json_files) {
    output.push_back({json.name, std::move(json.text), json.where});
  }
  return output;
}

const CompiledJson* FindPlan(const Compilation& compilation) {
  const std::string_view name = FindText(compilation.matrix.settings, "plan_file");
  const auto found = std::ranges::find(compilation.json_files, name, &CompiledJson::name);
  return found == compilation.json_files.end() ? nullptr : &*found;
}

std::string OutputFolder(const Compilation& compilation, const std::string& root,
                         const std::string& out) {
  if (!out.empty()) return out;
  return Below(root, FindText(compilation.matrix.settings, "output"));
}

}  // namespace wheelwright
