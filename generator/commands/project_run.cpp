#include "generator/commands/project_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <thread>
#include <utility>

#include "base/platform/files.h"
#include "base/text.h"

namespace wheelwright {
namespace {

bool HoldsProject(FileSystem& files, const std::string& folder) {
  const std::vector<std::string> folders = files.ListFolders(folder);
  return std::ranges::find(folders, "matrix") != folders.end() &&
         std::ranges::find(folders, "templates") != folders.end();
}

}  // namespace

CommonOptions TakeCommonOptions(const Arguments& arguments) {
  CommonOptions options;
  options.root = arguments.Get("root");
  if (arguments.Has("threads")) options.threads = std::stoul(std::string(arguments.Get("threads")));
  options.stats = arguments.Has("stats");
  options.color = TakeColor(arguments);
  const std::string_view format = arguments.Get("format");
  options.format = format == "github" ? ReportFormat::kGithub
                   : format == "json" ? ReportFormat::kJson
                                      : ReportFormat::kText;
  return options;
}

OptionSpec RootOption() {
  return {.name = "root",
          .argument = "DIR",
          .help =
              "The project: the folder with matrix/ and templates/ (default: the nearest from here "
              "upwards)"};
}

std::vector<OptionSpec> WithProjectOptions(std::vector<OptionSpec> own) {
  own.push_back(RootOption());
  own.push_back({.name = "threads",
                 .argument = "N",
                 .help = "How many threads to use (default: one for each core)",
                 .number = true});
  own.push_back({.name = "stats", .argument = {}, .help = "Tell where the time goes"});
  return own;
}

OptionSpec FormatOption() {
  return {.name = "format",
          .argument = "FORMAT",
          .help = "text for people, github for annotations of a pull request, json for programs",
          .values = {"text", "github", "json"}};
}

std::optional<std::string> FindRoot(Environment& environment, const std::string& given,
                                    Diagnostics& diagnostics) {
  if (!given.empty()) {
    if (HoldsProject(environment.files, given)) return given;
    diagnostics.Report({.code = "no-project",
                        .message = fmt::format("{} does not hold matrix/ and templates/", given),
                        .notes = {"--root names the folder that both are in"}});
    return std::nullopt;
  }
  std::string folder = ".";
  for (std::filesystem::path above = SystemPath(environment.folder);;) {
    if (HoldsProject(environment.files, folder)) return folder;
    if (!above.has_relative_path()) break;
    above = above.parent_path();
    if (folder == ".") {
      folder = "..";
    } else {
      folder += "/..";
    }
  }
  diagnostics.Report(
      {.code = "no-project",
       .message = "neither this folder nor one above it holds matrix/ and templates/",
       .notes = {"go to a project, or name it: --root DIR"}});
  return std::nullopt;
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  return PathText((SystemPath(folder) / SystemPath(name)).lexically_normal());
}

void PrintDiagnostics(const Diagnostics& diagnostics, const SourceManager& sources,
                      const CommonOptions& options, std::string_view after_errors,
                      Environment& environment) {
  if (diagnostics.empty()) return;
  const bool color = UsesColor(options.color, environment.err_is_terminal, environment);
  environment.err << Render(diagnostics, sources, options.format, color);
  if (options.format == ReportFormat::kText) {
    environment.err << '\n' << Summarize(diagnostics);
    if (diagnostics.errors() > 0 && !after_errors.empty()) environment.err << "; " << after_errors;
    environment.err << '\n';
  }
}

bool ProjectRun::Compile(CompileUntil until, std::vector<std::string> keep) {
  const std::optional<std::string> root = FindRoot(environment_, options_.root, diagnostics);
  if (!root) return false;
  root_ = *root;
  compilation_ = wheelwright::Compile(
      environment_.files, {.root = root_, .threads = options_.threads, .keep = std::move(keep)},
      until, diagnostics);
  return diagnostics.errors() == 0;
}

bool ProjectRun::CompileAgain(FileSystem& files) {
  diagnostics = {};
  compilation_ =
      wheelwright::Compile(files, {.root = root_, .threads = options_.threads, .keep = {}},
                           CompileUntil::kText, diagnostics);
  return diagnostics.errors() == 0;
}

int ProjectRun::End(int status) {
  environment_.out.flush();
  static const SourceManager kNoSources;
  PrintDiagnostics(diagnostics, compilation_ ? compilation_->sources : kNoSources, options_,
                   after_errors_, environment_);
  if (options_.stats && compilation_) PrintTimes();
  return diagnostics.errors() > 0 ? kWrongInput : status;
}

std::string ProjectRun::OutputFolder(const std::string& out) const {
  std::string folder =
      PathText(SystemPath(wheelwright::OutputFolder(*compilation_, root_, out)).lexically_normal());
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

std::size_t ProjectRun::threads() const {
  return options_.threads > 0 ? options_.threads
                              : std::max(1U, std::thread::hardware_concurrency());
}

void ProjectRun::PrintTimes() {
  double total = 0;
  std::string text;
  for (const StageTime& time : compilation_->times) {
    if (!time.part) total += time.seconds;
    text += fmt::format("{:<12}{:>9.1f} ms{}{}\n",
                        fmt::format("{}{}", time.part ? "  " : "", time.stage), time.seconds * 1e3,
                        time.detail.empty() ? "" : "   ", time.detail);
  }
  environment_.err << text << fmt::format("{:<12}{:>9.1f} ms\n", "together", total * 1e3);
}

void ReportUnknownName(std::string_view code, std::string_view what, std::string_view name,
                       std::span<const std::string_view> candidates, std::string note,
                       Diagnostics& diagnostics) {
  Diagnostic diagnostic{.code = code,
                        .message = fmt::format("there is no {} '{}'", what, name),
                        .hint = DidYouMean(name, candidates, "there are")};
  if (!note.empty()) diagnostic.notes.push_back(std::move(note));
  diagnostics.Report(std::move(diagnostic));
}

bool TakesFile(std::string_view glob, std::string_view file) {
  if (MatchesStars(glob, file)) return true;
  for (const std::string_view end : {".yml", ".yaml", ".json"}) {
    if (file.ends_with(end)) return MatchesStars(glob, file.substr(0, file.size() - end.size()));
  }
  return false;
}

}  // namespace wheelwright
