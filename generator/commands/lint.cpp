#include "generator/commands/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <optional>
#include <ostream>
#include <thread>
#include <utility>

#include "base/program_version.h"
#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/lint/baseline.h"
#include "generator/lint/catalogue.h"
#include "generator/lint/fix.h"
#include "generator/lint/linter.h"
#include "generator/lint/sarif.h"

namespace wheelwright {
namespace {

class LintRun {
 public:
  LintRun(const LintOptions& options, Environment& environment)
      : options_(options), environment_(environment) {}

  int Run() {
    Load();
    // Mending one finding may uncover another in the same place.
    constexpr int kMostRounds = 20;
    const bool fix = options_.fix;
    for (int round = 0; fix && round < kMostRounds && linter_ && Mend(); ++round) Load();
    if (refused_.errors() > 0) return Refuse(SourceManager());
    if (!checked_) return Refuse(linter_->refused(), linter_->sources());
    return Tell(linter_->Collect(), linter_->sources(), linter_->count());
  }

  int Tell(Diagnostics found, const SourceManager& sources, std::size_t files) {
    if (options_.startup) KeepStartup(found);
    if (!options_.write_baseline.empty()) return WriteBaseline(found, sources);
    std::size_t known = 0, gone = 0;
    if (!options_.baseline.empty() && !TakeKnown(found, sources, known, gone)) {
      return Refuse(SourceManager());
    }
    if (options_.sarif) {
      environment_.out << RenderSarif(found, sources, OwnVersion());
    } else {
      const bool color =
          UsesColor(options_.common.color, environment_.out_is_terminal, environment_);
      environment_.out << Render(found, sources, options_.common.format, color);
    }
    if (!options_.sarif && options_.common.format == ReportFormat::kText) {
      if (!found.empty()) environment_.out << '\n';
      // After a mistake in the matrix there are no files yet.
      if (files > 0) environment_.out << Count(files, "file") << ", ";
      environment_.out << (!found.empty()     ? Summarize(found)
                           : options_.startup ? "nothing that ends a run before its first job"
                                              : "no findings");
      if (known > 0) environment_.out << fmt::format(", {} known", known);
      if (mended_ > 0) environment_.out << fmt::format(", {} mended", mended_);
      environment_.out << '\n';
      if (gone > 0) {
        environment_.out << fmt::format("{} of {} {} gone: write it again\n", gone,
                                        options_.baseline, gone == 1 ? "is" : "are");
      }
    }
    const bool fails = options_.fail_on == FailOn::kError     ? found.errors() > 0
                       : options_.fail_on == FailOn::kWarning ? !found.empty()
                                                              : false;
    return fails ? kFound : kSuccess;
  }

 private:
  void Load() {
    const std::size_t threads = options_.common.threads > 0
                                    ? options_.common.threads
                                    : std::max(1U, std::thread::hardware_concurrency());
    linter_.emplace(environment_.files, LintRequest{.threads = threads,
                                                    .strict = options_.strict,
                                                    .configuration = options_.configuration,
                                                    .keep_trees = options_.fix});
    for (const std::string& path : options_.files) {
      if (path != "-") {
        linter_->ReadPath(path);
        continue;
      }
      if (!stdin_) stdin_ = std::string(std::istreambuf_iterator<char>(environment_.in), {});
      linter_->Add(options_.stdin_name, *stdin_);
    }
    checked_ = linter_->refused().errors() == 0 && linter_->Check();
  }

  // Whether anything was written.
  bool Mend() {
    std::size_t written = 0;
    if (!checked_) return false;
    linter_->VisitFiles([&](const LintedFile& file) {
      if (file.generated || (stdin_ && file.path == options_.stdin_name)) return;
      const std::vector<Edit> edits = FindEdits(file, linter_->sources());
      if (edits.empty()) return;
      const std::string_view text = linter_->sources().Text(file.id);
      try {
        std::string mended = ApplyEdits(text, edits);
        if (environment_.files.Read(file.path) != text) {
          // It has other ends of lines, which are kept.
          if (environment_.files.Read(file.path) != WithReturns(text)) return;
          mended = WithReturns(mended);
        }
        environment_.files.Write(file.path, mended);
        written += edits.size();
      } catch (const FileError& error) {
        refused_.Report({.code = "file-access", .message = error.what()});
      }
    });
    mended_ += written;
    return written > 0 && refused_.errors() == 0;
  }

  static std::string WithReturns(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '\n') result += '\r';
      result += c;
    }
    return result;
  }

  static void KeepStartup(Diagnostics& found) {
    Diagnostics kept;
    for (const Diagnostics::Entry& entry : found.entries()) {
      if (EndsAtStartup(entry.diagnostic)) kept.Report(entry.diagnostic);
    }
    found = std::move(kept);
  }

  int WriteBaseline(const Diagnostics& found, const SourceManager& sources) {
    try {
      environment_.files.Write(options_.write_baseline, Baseline::Write(found, sources));
    } catch (const FileError& error) {
      refused_.Report({.code = "file-access", .message = error.what()});
      return Refuse(SourceManager());
    }
    environment_.out << fmt::format("{}: {}\n", options_.write_baseline,
                                    Count(found.entries().size(), "finding"));
    return kSuccess;
  }

  // Drops what is known. False: the baseline could not be read.
  bool TakeKnown(Diagnostics& found, const SourceManager& sources, std::size_t& known,
                 std::size_t& gone) {
    std::optional<Baseline> baseline;
    try {
      const auto text = environment_.files.Read(options_.baseline);
      if (text) baseline = Baseline::Parse(*text);
      if (!text) {
        refused_.Report({.code = "file-access",
                         .message = fmt::format("there is no file {}", options_.baseline),
                         .hint = "`--write-baseline FILE` writes one"});
      } else if (!baseline) {
        refused_.Report({.code = "baseline-content",
                         .message = fmt::format("{} is no baseline", options_.baseline),
                         .hint = "`--write-baseline FILE` writes one"});
      }
    } catch (const FileError& error) {
      refused_.Report({.code = "file-access", .message = error.what()});
    }
    if (!baseline) return false;
    Diagnostics rest;
    for (const Diagnostics::Entry& entry : found.entries()) {
      if (baseline->Take(entry.diagnostic, sources)) {
        ++known;
      } else {
        rest.Report(entry.diagnostic);
      }
    }
    gone = baseline->left();
    found = std::move(rest);
    return true;
  }

  int Refuse(const SourceManager& sources) { return Refuse(refused_, sources); }
  int Refuse(const Diagnostics& refused, const SourceManager& sources) {
    PrintDiagnostics(refused, sources, options_.common, "nothing was checked", environment_);
    return kWrongInput;
  }

  const LintOptions& options_;
  Environment& environment_;
  std::optional<Linter> linter_;
  std::optional<std::string> stdin_;
  bool checked_ = false;
  std::size_t mended_ = 0;
  Diagnostics refused_;
};

// Compiling links the set, with the strict rules.
int LintProject(const LintOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common, "nothing was checked");
  run.Compile(CompileUntil::kText);
  if (run.root().empty()) return run.End(kWrongInput);
  const int status = LintRun(options, environment)
                         .Tell(std::exchange(run.diagnostics, {}), run.compilation().sources,
                               run.compilation().workflows.size());
  return run.End(status);
}

}  // namespace

int Lint(const LintOptions& options, Environment& environment) {
  if (!options.files.empty()) return LintRun(options, environment).Run();
  Diagnostics ignored;
  const bool project = !options.common.root.empty() || FindRoot(environment, "", ignored);
  if (project || environment.files.List(".github/workflows").empty()) {
    return LintProject(options, environment);
  }
  LintOptions here = options;
  here.files = {"."};
  return LintRun(here, environment).Run();
}

Command LintCommand() {
  OptionSpec format = FormatOption();
  format.help =
      "text for people, github for annotations of a pull request, json for programs, sarif for "
      "code scanning";
  format.values.emplace_back("sarif");
  return {
      .name = "lint",
      .purpose = "Check workflow files: the generated set, or any others",
      .usage =
          "[FILE | DIR | -]... [--fail-on error|warning|never] [--fix] [--baseline FILE] "
          "[--format text|github|json|sarif]",
      .about =
          "Without files, checks what the project would generate, and blames the template or the "
          "row of the matrix; where there is no project, checks the repository's workflows. With "
          "files, checks those, whoever wrote them: jobs and their needs, every expression, calls "
          "of reusable workflows against the files next to them, permissions, scripts that a "
          "stranger could write into, and GitHub's limits. A folder stands for its .yml and .yaml "
          "files, a repository for its workflows and actions, and - for the standard input.\n\n"
          "An error is what GitHub refuses, or what cannot do what it says. Rules of policy, such "
          "as pins, are off but in generated files. .github/wheelwright.yml gives rules other "
          "levels, and a comment `# wheelwright: ignore[RULE] reason` answers one finding.",
      .options = WithProjectOptions({
          {.name = "strict",
           .argument = {},
           .help = "Apply the rules for generated files: what is a question of policy is an error"},
          {.name = "fail-on",
           .argument = "LEVEL",
           .help = "From which findings on the exit status is 1 (default: error)",
           .values = {"error", "warning", "never"}},
          {.name = "startup",
           .argument = {},
           .help = "Only tell what makes GitHub end a run without a job, often with no message"},
          {.name = "fix",
           .argument = {},
           .help = "Mend what has one certain remedy, in the files, and tell the rest"},
          {.name = "baseline",
           .argument = "FILE",
           .help = "Say nothing of the findings that this file lists"},
          {.name = "write-baseline",
           .argument = "FILE",
           .help = "Write the findings of this run to a file, in place of printing them"},
          {.name = "config",
           .argument = "FILE",
           .help = "The configuration (default: .github/wheelwright.yml of the repository)"},
          {.name = "stdin-name",
           .argument = "NAME",
           .help = "How messages call the standard input; what it calls is looked for next to it"},
          std::move(format),
      }),
      .examples = {{"wheelwright lint", "After a change of a template"},
                   {"wheelwright lint .github/workflows",
                    "Hand-written workflows, of any repository"},
                   {"wheelwright lint --write-baseline .github/lint-baseline.json .",
                    "Begin with what is there; from now on --baseline tells what is new"},
                   {"wheelwright lint --startup .", "Why did nothing run?"},
                   {"git show HEAD~1:ci.yml | wheelwright lint - --stdin-name ci.yml",
                    "A file as it was"}},
      .most_positional = 100000,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            const std::string_view fail_on = arguments.Get("fail-on");
            LintOptions options{
                .common = TakeCommonOptions(arguments),
                .files = arguments.positional,
                .strict = arguments.Has("strict"),
                .fail_on = fail_on == "warning" ? FailOn::kWarning
                           : fail_on == "never" ? FailOn::kNever
                                                : FailOn::kError,
                .sarif = arguments.Get("format") == "sarif",
                .startup = arguments.Has("startup"),
                .fix = arguments.Has("fix"),
                .configuration = std::string(arguments.Get("config")),
                .baseline = std::string(arguments.Get("baseline")),
                .write_baseline = std::string(arguments.Get("write-baseline")),
            };
            if (arguments.Has("stdin-name")) options.stdin_name = arguments.Get("stdin-name");
            return Lint(options, environment);
          },
  };
}

}  // namespace wheelwright
