#include "generator/commands/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/platform/files.h"
#include "generator/commands/commands.h"
#include "generator/commands/revision.h"
#include "generator/expression/json.h"
#include "generator/graph/matrix_change.h"
#include "generator/graph/pages.h"
#include "generator/graph/svg.h"
#include "generator/graph/text_formats.h"
#include "generator/workflow/model.h"

namespace wheelwright {
namespace {

// What was drawn, and what had to be left out for it to fit.
std::string MermaidThatFits(const GraphSet& set, const std::vector<const WorkflowGraph*>& graphs,
                            const DrawOptions& options, bool overview) {
  struct Try {
    Drawing drawing;
    std::string remark;
  };
  std::vector<Try> tries;
  if (!overview) {
    tries.push_back({DrawWorkflows(set, graphs, options), ""});
    if (options.each_job || options.open_levels > 0) {
      tries.push_back({DrawWorkflows(set, graphs, {}),
                       "Chains of one shape are drawn once and calls are closed: Mermaid would not "
                       "draw all of it"});
    }
  }
  const std::string remark =
      overview ? "" : "Which workflow calls which, alone: Mermaid would not draw their jobs";
  tries.push_back({DrawOverview(graphs), remark});
  std::string text;
  for (const Try& one : tries) {
    text = DrawMermaid(one.drawing, one.remark);
    if (FitsMermaid(one.drawing, text)) break;
  }
  return text;
}

// Where GitHub shows the project's files, or "". The repository begins at the nearest folder
// upwards that holds .git, or at the project.
std::string SourceUrl(ProjectRun& run) {
  const std::string_view repository = FindText(run.compilation().matrix.settings, "repository");
  if (repository.empty()) return "";
  FileSystem& files = run.environment().files;
  const std::filesystem::path project =
      (SystemPath(run.environment().folder) / SystemPath(run.root())).lexically_normal();
  std::string inside;
  for (std::filesystem::path folder = project; folder.has_relative_path();
       folder = folder.parent_path()) {
    const auto holds = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, ".git") != names.end();
    };
    // A file in the further trees of `git worktree`.
    const std::string path = PathText(folder);
    if (!holds(files.ListFolders(path)) && !holds(files.List(path))) continue;
    inside = PathText(project.lexically_relative(folder));
    break;
  }
  while (inside.ends_with('/')) inside.pop_back();
  inside = inside.empty() || inside == "." ? "" : inside + "/";
  return fmt::format("https://github.com/{}/blob/HEAD/{}", repository, inside);
}

// Of the file with measured minutes; nothing when an error was reported.
std::optional<MeasuredMinutes> ReadMinutes(const std::string& path, const GraphSet& set,
                                           ProjectRun& run) {
  MeasuredMinutes minutes;
  if (path.empty()) return minutes;
  const auto wrong = [&](std::string message) {
    run.diagnostics.Report({.code = "wrong-minutes",
                            .message = fmt::format("{}: {}", path, message),
                            .notes = {"it holds an object of minutes by job, or by workflow/job: "
                                      "{ \"build\": 12.5, \"ci.yml/test\": 30 }"}});
    return std::nullopt;
  };
  const std::optional<std::string> text = run.environment().files.Read(path);
  if (!text) return wrong("there is no such file");
  Arena arena;
  const JsonValue json = FromJson(*text, arena);
  if (json.value == nullptr) return wrong(json.message);
  if (!json.value->is_mapping()) return wrong("is not an object");
  std::set<std::string, std::less<>> known;
  for (const WorkflowGraph& graph : set.all()) {
    std::string_view stem = graph.file;
    if (stem.ends_with(".yml")) stem.remove_suffix(4);
    for (const GraphJob& job : graph.jobs) {
      known.insert(job.id);
      known.insert(fmt::format("{}/{}", graph.file, job.id));
      known.insert(fmt::format("{}/{}", stem, job.id));
    }
  }
  for (const Entry& entry : json.value->entries) {
    const std::string_view key = entry.key->text;
    const std::string_view value = entry.value->is_scalar() ? entry.value->text : "";
    double number = -1;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size() ||
        !(number >= 0 && number < 1e6)) {
      return wrong(fmt::format("the minutes of {} are not a number from 0 to 1000000", key));
    }
    if (!known.contains(key)) return wrong(fmt::format("no workflow has a job {}", key));
    minutes.emplace(key, number);
  }
  return minutes;
}

std::string Draw(const GraphOptions& options, ProjectRun& run, const GraphSet& set,
                 const std::vector<const WorkflowGraph*>& graphs, const MeasuredMinutes& minutes,
                 const Compilation* old) {
  // When no workflows are chosen: the calls between all of them.
  const bool overview =
      options.workflow.empty() && !options.draw.each_job && options.draw.open_levels == 0;
  Compilation& compilation = run.compilation();
  const std::string title = graphs.size() == 1
                                ? graphs.front()->title
                                : std::string(FindText(compilation.matrix.settings, "repository"));
  if (options.format == GraphFormat::kMermaid) {
    return MermaidThatFits(set, graphs, options.draw, overview);
  }
  if (options.format == GraphFormat::kDot || options.format == GraphFormat::kSvg) {
    const Drawing drawing =
        overview ? DrawOverview(graphs) : DrawWorkflows(set, graphs, options.draw);
    return options.format == GraphFormat::kDot ? DrawDot(drawing, title)
                                               : DrawSvg(drawing, {.title = title, .link = {}});
  }
  std::vector<WorkflowUsage> usages;
  for (const CompiledWorkflow& workflow : compilation.workflows) usages.push_back(workflow.usage);
  const PlanReport report =
      MakeReport(compilation.matrix, compilation.cells, usages, {.workflow = options.workflow});
  std::optional<MatrixState> before;
  if (old != nullptr) {
    const PlanReport old_report = MakeReport(old->matrix, old->cells, {}, {});
    before.emplace(MakeGrids(old_report, old->matrix.schema));
  }
  const PageInput input{.matrix = compilation.matrix,
                        .report = report,
                        .set = set,
                        .graphs = graphs,
                        .sources = compilation.sources,
                        .context = compilation.context,
                        .source_url = SourceUrl(run),
                        .minutes = minutes,
                        .before = before ? &*before : nullptr,
                        .against = options.against};
  return options.format == GraphFormat::kHtml ? MakePage(input) : MakeSummary(input);
}

}  // namespace

int Graph(const GraphOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common, options.out.empty() ? "" : "nothing was written");
  const bool html = options.format == GraphFormat::kHtml;
  if (!options.against.empty() && !html && options.format != GraphFormat::kMarkdown) {
    run.diagnostics.Report(
        {.code = "option-value", .message = "'--against' is for the formats html and markdown"});
    return run.End(kWrongInput);
  }
  if (!options.minutes.empty() && !html) {
    run.diagnostics.Report(
        {.code = "option-value", .message = "'--minutes' is for the format html"});
    return run.End(kWrongInput);
  }
  if (!run.Compile(CompileUntil::kText, {"*"})) return run.End(kWrongInput);
  GraphSet set;
  Workflow workflow;
  std::vector<std::string_view> names;
  for (const CompiledWorkflow& made : run.compilation().workflows) {
    ReadWorkflow(*made.root, workflow);
    set.Add(ReadGraph(made.name, made.template_name, workflow));
    names.push_back(made.name);
  }
  std::vector<const WorkflowGraph*> graphs;
  for (const WorkflowGraph& graph : set.all()) {
    if (options.workflow.empty() || TakesFile(options.workflow, graph.file)) {
      graphs.push_back(&graph);
    }
  }
  if (graphs.empty()) {
    ReportUnknownName("unknown-file", "generated workflow", options.workflow, names,
                      "`wheelwright plan --all-files` lists them", run.diagnostics);
    return run.End(kWrongInput);
  }
  const auto minutes = ReadMinutes(options.minutes, set, run);
  if (!minutes) return run.End(kWrongInput);
  std::unique_ptr<Compilation> old;
  if (!options.against.empty()) {
    old = CompileMatrixOf(options.against, run);
    if (old == nullptr) return run.End(kWrongInput);
  }
  const std::string text =
      run.Measure("graph", [&] { return Draw(options, run, set, graphs, *minutes, old.get()); });
  if (options.out.empty()) {
    environment.out << text;
  } else {
    environment.files.Write(options.out, text);
  }
  return run.End(kSuccess);
}

Command GraphCommand() {
  return {
      .name = "graph",
      .purpose = "Draw the workflows and their jobs, or the matrix as a page",
      .usage =
          "[--format FORMAT] [--workflow GLOB] [--each-job] [--open LEVELS] [--minutes FILE] "
          "[--against REF] [--out FILE]",
      .about =
          "Without --workflow, draws which workflow calls which. With it, draws the jobs of these "
          "workflows: chains of jobs that were unrolled from one place of a template and have one "
          "shape are drawn once, with their number, and a job that calls a workflow is closed. "
          "Arrows that follow from others are left out. html is the matrix as one page for a "
          "browser, with filters and with the graph of every workflow; markdown is its table, for "
          "a step summary.\n",
      .options = WithProjectOptions({
          {.name = "format",
           .argument = "FORMAT",
           .help = "mermaid (the default), dot, svg, html or markdown",
           .values = {"mermaid", "dot", "svg", "html", "markdown"}},
          {.name = "workflow",
           .argument = "GLOB",
           .help = "Only these files, and the combos in them; * stands for anything"},
          {.name = "each-job",
           .argument = {},
           .help = "Each job, instead of chains of one shape once"},
          {.name = "open",
           .argument = "LEVELS",
           .help = "Draw this many levels of called workflows inside the jobs that call them",
           .number = true},
          {.name = "minutes",
           .argument = "FILE",
           .help = "Of the html page: a JSON object of minutes that jobs took, by job or "
                   "workflow/job, in place of their timeout-minutes"},
          {.name = "against",
           .argument = "REF",
           .help = "Of the html page and of markdown: mark what is different from the matrix of "
                   "this git revision, or of a project in another folder"},
          {.name = "out", .argument = "FILE", .help = "Write there, instead of to stdout"},
      }),
      .examples = {{"wheelwright graph", "Which workflow calls which, for a Markdown page"},
                   {"wheelwright graph --format html --out matrix.html", "The matrix as a page"},
                   {"wheelwright graph --format markdown --against HEAD",
                    "What the matrix builds, and what an edit changed"},
                   {"wheelwright graph --format svg --workflow ci_nightly --out ci_nightly.svg",
                    "The jobs of one workflow as a picture"}},
      .run =
          [](const Arguments& arguments, Environment& environment) {
            const std::string_view format = arguments.Get("format");
            GraphOptions options{.common = TakeCommonOptions(arguments),
                                 .workflow = std::string(arguments.Get("workflow")),
                                 .draw = {.each_job = arguments.Has("each-job")},
                                 .minutes = std::string(arguments.Get("minutes")),
                                 .against = std::string(arguments.Get("against")),
                                 .out = std::string(arguments.Get("out"))};
            options.format = format == "dot"        ? GraphFormat::kDot
                             : format == "svg"      ? GraphFormat::kSvg
                             : format == "html"     ? GraphFormat::kHtml
                             : format == "markdown" ? GraphFormat::kMarkdown
                                                    : GraphFormat::kMermaid;
            if (arguments.Has("open")) {
              // Longer chains of calls than the limit of levels are an error before this.
              options.draw.open_levels = static_cast<std::size_t>(
                  std::min(std::stoul(std::string(arguments.Get("open"))), 10UL));
            }
            return Graph(options, environment);
          },
  };
}

}  // namespace wheelwright
