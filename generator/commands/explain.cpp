#include "generator/commands/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "base/text.h"
#include "generator/commands/codes.h"
#include "generator/commands/commands.h"
#include "generator/commands/provenance.h"
#include "generator/lsp/rule_texts.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostJobs = 3;

// What the command line asks for.
struct Target {
  std::string file;      // its name; empty: a job in whatever file
  std::string given;     // the path as it was given
  std::size_t line = 0;  // 0: none
  std::string job;       // empty: none
};

Target ReadTarget(const std::string& text) {
  Target target;
  target.given = text;
  const std::size_t mark = text.find_last_of(":#");
  if (mark != std::string::npos) {
    const std::string behind = text.substr(mark + 1);
    const bool number = !behind.empty() && behind.size() < 8 &&
                        behind.find_first_not_of("0123456789") == std::string::npos;
    if (text[mark] == '#') target.job = behind;
    if (text[mark] == ':' && number) target.line = std::stoul(behind);
    if (text[mark] == '#' || number) target.given = text.substr(0, mark);
    if (text[mark] == '#' || number) target.file = target.given;
  }
  const bool is_path =
      text.find('/') != std::string::npos || text.ends_with(".yml") || text.ends_with(".yaml");
  if (target.file.empty() && is_path) target.file = text;
  if (target.file.empty()) target.job = text;
  target.file = target.file.substr(target.file.find_last_of("/\\") + 1);
  return target;
}

class Explanation {
 public:
  Explanation(ProjectRun& run, const Target& target)
      : run_(run),
        target_(target),
        paint_{run.color_out()},
        folder_(run.OutputFolder({})),
        provenance_(run.compilation()) {}

  int Tell() {
    if (target_.given.empty()) return TellWhatToAsk();
    if (target_.file.empty()) return TellJobs();
    const CompiledWorkflow* file = FindFile();
    if (file == nullptr) return kWrongInput;
    const GeneratedLines lines(file->text, file->lines);
    TellIfStale(*file);
    if (target_.line > 0) return TellLine(*file, lines);
    if (!target_.job.empty()) {
      const Entry* job = FindEntry(Find(file->root, "jobs"), target_.job);
      if (job == nullptr) return RefuseJob({file, 1});
      TellJob(*file, *job);
      return kSuccess;
    }
    return TellFile(*file, lines);
  }

 private:
  std::ostream& out() { return run_.environment().out; }
  std::span<const CompiledWorkflow> files() const { return run_.compilation().workflows; }

  std::string PathOf(const CompiledWorkflow& file) const { return JoinPath(folder_, file.name); }

  const CompiledWorkflow* FindFile() {
    std::vector<std::string_view> names;
    for (const CompiledWorkflow& file : files()) {
      if (file.name == target_.file) return &file;
      names.push_back(file.name);
    }
    ReportUnknownName("unknown-file", "generated workflow", target_.file, names,
                      "`wheelwright plan --all-files` lists them", run_.diagnostics);
    return nullptr;
  }

  // People count the lines of the file that they see.
  void TellIfStale(const CompiledWorkflow& file) {
    FileSystem& disk = run_.environment().files;
    std::string path = target_.given;
    std::optional<std::string> text =
        path.find('/') == std::string::npos ? std::nullopt : disk.Read(path);
    if (!text) text = disk.Read(path = PathOf(file));
    if (text && *text == file.text) return;
    out() << paint_.Yellow(fmt::format("{} is not {}: what follows is true of the file that "
                                       "`wheelwright generate` would write",
                                       path, text ? "current" : "there yet"))
          << "\n\n";
  }

  int TellLine(const CompiledWorkflow& file, const GeneratedLines& lines) {
    if (target_.line > lines.size()) {
      run_.diagnostics.Report(
          {.code = "unknown-line",
           .message = fmt::format("{} has {}, not {}", file.name, Count(lines.size(), "line"),
                                  WithThousands(target_.line))});
      return kWrongInput;
    }
    const LineOrigin* origin = lines.Find(target_.line);
    const std::string_view text = Trim(lines.Line(target_.line));
    const std::string_view job = origin == nullptr ? "" : lines.JobOf(*origin);
    out() << paint_.Bold(fmt::format("{}:{}", PathOf(file), target_.line))
          << (job.empty() ? "" : fmt::format("  in job {}", job)) << '\n'
          << (text.empty() ? "" : fmt::format("  {}\n", text)) << '\n';
    if (origin == nullptr) {
      out() << fmt::format("  {}\n", text.starts_with('#') ? "wheelwright itself writes this line"
                                                           : "a blank line at the end");
      return kSuccess;
    }
    if (origin->line > target_.line) {
      out() << fmt::format("  a {}, which goes with line {}: {}\n",
                           text.empty() ? "blank line" : "comment", origin->line,
                           Trim(lines.Line(origin->line)));
    }
    out() << Render(provenance_.OfLine(lines, target_.line, *origin), paint_);
    return kSuccess;
  }

  int TellFile(const CompiledWorkflow& file, const GeneratedLines& lines) {
    const Node* jobs = Find(file.root, "jobs");
    const std::size_t count = jobs == nullptr ? 0 : jobs->entries.size();
    out() << paint_.Bold(PathOf(file)) << "  " << Count(count, "job") << ", "
          << Count(lines.size(), "line") << "\n\n";
    std::vector<ProvenanceRow> rows = provenance_.OfFile(file.where, file.root->scope);
    out() << Render(rows, paint_);
    return kSuccess;
  }

  // What can be asked, by names of this project.
  int TellWhatToAsk() {
    std::vector<std::pair<std::string, std::string_view>> rows;
    const auto largest = std::ranges::max_element(files(), {}, [](const CompiledWorkflow& file) {
      const Node* jobs = Find(file.root, "jobs");
      return jobs == nullptr ? 0 : jobs->entries.size();
    });
    const Node* jobs = largest == files().end() ? nullptr : Find(largest->root, "jobs");
    if (jobs != nullptr && !jobs->entries.empty()) {
      const Node* job = jobs->entries.back().key;
      const std::size_t line = GeneratedLines(largest->text, largest->lines).LineOf(job);
      rows = {{largest->name, "a generated file"},
              {fmt::format("{}:{}", largest->name, line), "a line of it"},
              {fmt::format("{}#{}", largest->name, job->text), "a job of it"},
              {std::string(job->text), "a job, in whatever file"}};
    }
    rows.emplace_back("undeclared-output", "the code of a message");
    std::size_t width = 0;
    for (const auto& [target, says] : rows) width = std::max(width, target.size());
    out() << "What can be explained, each with one that is there:\n\n";
    for (const auto& [target, says] : rows) {
      out() << fmt::format("  wheelwright explain {:<{}}  {}\n", target, width, says);
    }
    out() << fmt::format("\n{}: `wheelwright plan --all-files` lists them\n",
                         Count(files().size(), "file"));
    return kSuccess;
  }

  int TellJobs() {
    std::vector<std::pair<const CompiledWorkflow*, const Entry*>> found;
    for (const CompiledWorkflow& file : files()) {
      const Entry* job = FindEntry(Find(file.root, "jobs"), target_.job);
      if (job != nullptr) found.emplace_back(&file, job);
    }
    if (found.empty()) return RefuseJob(files());
    for (std::size_t i = 0; i < std::min(found.size(), kMostJobs); ++i) {
      if (i > 0) out() << '\n';
      TellJob(*found[i].first, *found[i].second);
    }
    if (found.size() > kMostJobs) {
      out() << fmt::format("\nand in {}; one of them: wheelwright explain {}#{}\n",
                           Count(found.size() - kMostJobs, "more file"), found.back().first->name,
                           target_.job);
    }
    return kSuccess;
  }

  int RefuseJob(std::span<const CompiledWorkflow> among) {
    std::vector<std::string_view> names;
    for (const CompiledWorkflow& file : among) {
      const Node* jobs = Find(file.root, "jobs");
      if (jobs == nullptr) continue;
      for (const Entry& job : jobs->entries) names.push_back(job.key->text);
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    const bool one_file = !target_.file.empty();
    const std::vector<std::string_view> codes = RuleCodes();
    if (!one_file) names.insert(names.end(), codes.begin(), codes.end());
    ReportUnknownName(
        "unknown-job", one_file ? fmt::format("job in {} called", target_.file) : "job or code",
        target_.job, names, one_file ? "" : "for a file, give its whole name, or a line: FILE:LINE",
        run_.diagnostics);
    return kWrongInput;
  }

  void TellJob(const CompiledWorkflow& file, const Entry& job) {
    const GeneratedLines lines(file.text, file.lines);
    const std::size_t first = lines.LineOf(job.key);
    const std::string_view name = FindText(job.value, "name");
    out() << paint_.Bold(job.key->text) << (name.empty() ? "" : fmt::format("  {}", name))
          << fmt::format("\n  {}:{}-{}\n\n", PathOf(file), first, lines.EndOf(first));
    const LineOrigin origin{static_cast<std::uint32_t>(first), job.value, job.key};
    const LineOrigin* found = lines.Find(first);
    std::vector<ProvenanceRow> rows =
        provenance_.OfLine(lines, first, found != nullptr ? *found : origin);
    const std::string_view uses = FindText(job.value, "uses");
    if (!uses.empty()) rows.push_back({fmt::format("calls {}", uses), {}});
    const std::string needs = JoinWords(NeedsOf(*job.value));
    if (!needs.empty()) rows.push_back({fmt::format("needs {}", needs), {}});
    std::vector<std::string> needed_by;
    for (const Entry& other : Find(file.root, "jobs")->entries) {
      const std::vector<std::string> ids = NeedsOf(*other.value);
      if (std::ranges::find(ids, job.key->text) != ids.end()) {
        needed_by.emplace_back(other.key->text);
      }
    }
    constexpr std::size_t kMostNames = 6;
    if (needed_by.size() > kMostNames) {
      const std::size_t more = needed_by.size() - kMostNames + 1;
      needed_by.resize(kMostNames - 1);
      needed_by.push_back(fmt::format("{} more", more));
    }
    if (!needed_by.empty()) rows.push_back({fmt::format("needed by {}", JoinWords(needed_by)), {}});
    out() << Render(rows, paint_);
  }

  static std::vector<std::string> NeedsOf(const Node& job) {
    std::vector<std::string> ids;
    const Node* needs = Find(&job, "needs");
    if (needs == nullptr) return ids;
    if (needs->is_scalar()) ids.emplace_back(needs->text);
    for (const Node* id : needs->items) ids.emplace_back(id->text);
    return ids;
  }

  ProjectRun& run_;
  const Target& target_;
  const Paint paint_;
  const std::string folder_;
  Provenance provenance_;
};

}  // namespace

int Explain(const ExplainOptions& options, Environment& environment) {
  if (const std::string page = PageOfCode(options.target, environment); !page.empty()) {
    environment.out << page;
    return kSuccess;
  }
  const Target target = ReadTarget(options.target);
  ProjectRun run(environment, options.common);
  if (!run.Compile(CompileUntil::kText, {target.file.empty() ? "*" : target.file})) {
    return run.End(kWrongInput);
  }
  const int status = Explanation(run, target).Tell();
  return run.End(status);
}

Command ExplainCommand() {
  return {
      .name = "explain",
      .purpose = "Show what is behind a generated line, a job, or the code of a message",
      .usage = "[FILE[:LINE] | [FILE#]JOB | CODE]",
      .about =
          "Makes the file again and follows the line back: to the line of the template, to the "
          "value and the cell of everything that it reads, and to the loops and fragments around "
          "it. A file can be given by its path or by its name alone; a job by its id. Of the code "
          "of a message it prints what it means and how to mend the cause; without an argument, "
          "what can be asked.",
      .options = WithProjectOptions({}),
      .examples = {{"wheelwright explain generated-workflows/ci_nightly.yml:40",
                    "Why does this line say that?"},
                   {"wheelwright explain setup", "Where does this job come from?"},
                   {"wheelwright explain ci_pull_request.yml#setup", "The job of that file alone"},
                   {"wheelwright explain undeclared-output", "What does that message mean?"}},
      .most_positional = 1,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            return Explain(
                {.common = TakeCommonOptions(arguments),
                 .target = arguments.positional.empty() ? "" : arguments.positional.front()},
                environment);
          },
  };
}

}  // namespace wheelwright
