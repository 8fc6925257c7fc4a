#include "generator/commands/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <istream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/link/link.h"
#include "generator/matrix/limits.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// One file of a folder: one to be linted, or one that those may call.
struct LintedFile {
  std::string path;  // as it was given, for messages
  std::string name;  // as other workflows call it: "build.yml"
  FileId id = kNoFile;
  bool asked_for = false;
  Arena arena;
  Workflow workflow;
  const Node* root = nullptr;
  Diagnostics diagnostics;
};

using Folder = std::deque<LintedFile>;

bool IsYaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }

class Linter {
 public:
  Linter(const LintOptions& options, Environment& environment)
      : options_(options), environment_(environment) {}

  // Reads all that was named. False: something could not be read, which was reported.
  bool Read() {
    for (const std::string& path : options_.files) {
      if (path == "-") {
        const std::string text(std::istreambuf_iterator<char>(environment_.in), {});
        Add(options_.stdin_name, text);
      } else {
        ReadPath(path);
      }
    }
    if (refused_.errors() > 0) return false;
    for (auto& [folder, files] : folders_) ReadSiblings(folder, files);
    return true;
  }

  void Link() {
    for (auto& [folder, files] : folders_) LinkFolder(folder, files);
  }

  int Tell() {
    for (auto& [folder, files] : folders_) {
      for (LintedFile& file : files) {
        if (file.asked_for) Collect(file);
      }
    }
    return TellFindings(found_, sources_, count_);
  }

  int Refuse() {
    PrintDiagnostics(refused_, sources_, options_.common, "nothing was checked", environment_);
    return kWrongInput;
  }

  int TellFindings(const Diagnostics& found, const SourceManager& sources, std::size_t files) {
    const ReportFormat format = options_.common.format;
    const bool color = UsesColor(options_.common.color, environment_.out_is_terminal, environment_);
    environment_.out << Render(found, sources, format, color);
    if (format == ReportFormat::kText) {
      if (!found.empty()) environment_.out << '\n';
      // After a mistake in the matrix there are no files yet.
      if (files > 0) environment_.out << Count(files, "file") << ", ";
      environment_.out << (found.empty() ? "no findings" : Summarize(found)) << '\n';
    }
    return found.empty() ? kFine : kFound;
  }

 private:
  // In the order of the file's lines. What is about the file as a whole is put at its start.
  void Collect(const LintedFile& file) {
    std::vector<Diagnostic> sorted;
    for (const Diagnostics::Entry& entry : file.diagnostics.entries()) {
      sorted.push_back(entry.diagnostic);
      SourceRange& where = sorted.back().where;
      if (!where.known()) where = {{file.id, 0}, 0};
    }
    std::ranges::stable_sort(sorted, {}, &Diagnostic::where);
    for (Diagnostic& diagnostic : sorted) found_.Report(std::move(diagnostic));
  }

  void Add(const std::string& path, const std::string& text) {
    const std::string plain = fs::path(path).lexically_normal().generic_string();
    if (!known_.insert(plain).second) return;
    Insert(plain, text, true);
    ++count_;
  }

  void Insert(const std::string& path, const std::string& text, bool asked_for) {
    const fs::path whole(path);
    LintedFile& file = folders_[whole.parent_path().generic_string()].emplace_back();
    file.path = path;
    file.name = whole.filename().string();
    file.id = sources_.Add(path, text);
    file.asked_for = asked_for;
  }

  void ReadPath(const std::string& path) {
    std::optional<std::string> text;
    std::optional<FileError> refusal;
    try {
      text = environment_.files.Read(path);
    } catch (const FileError& error) {
      refusal = error;  // a folder, or a file that nobody may read
    }
    if (text) return Add(path, *text);
    try {
      std::size_t found = 0;
      for (const std::string& name : environment_.files.List(path)) {
        if (!IsYaml(name)) continue;
        ++found;
        const std::string full = JoinPath(path, name);
        if (const auto inner = environment_.files.Read(full)) Add(full, *inner);
      }
      if (found > 0) return;
      ReportAccess(refusal ? fmt::format("{} holds no .yml or .yaml file", path)
                           : fmt::format("there is no file {}", path));
    } catch (const FileError& error) {
      ReportAccess(refusal ? refusal->what() : error.what());
    }
  }

  void ReportAccess(std::string message) {
    refused_.Report({.code = "file-access", .message = std::move(message)});
  }

  // What linted files may call stands next to them. What is wrong there is not told.
  void ReadSiblings(const std::string& folder, Folder& files) {
    const bool real = std::ranges::any_of(
        files, [](const LintedFile& file) { return file.path.find('<') == std::string::npos; });
    if (!real) return;
    try {
      for (const std::string& name : environment_.files.List(folder.empty() ? "." : folder)) {
        if (!IsYaml(name)) continue;
        const std::string path = JoinPath(folder, name);
        if (known_.count(path) > 0) continue;
        if (const auto text = environment_.files.Read(path)) Insert(path, *text, false);
      }
    } catch (const FileError&) {
      // Then their interfaces are unknown, as those of other repositories are.
    }
  }

  void LinkFolder(const std::string& folder, Folder& files) {
    LocalActions actions;
    const std::string repository = RepositoryOf(folder);
    if (repository != folder) actions.Read(environment_.files, repository, sources_, arena_);
    const std::size_t threads = options_.common.threads > 0
                                    ? options_.common.threads
                                    : std::max(1U, std::thread::hardware_concurrency());
    ParallelFor(files.size(), threads, [&](std::size_t i) {
      LintedFile& file = files[i];
      file.root = ReadYaml(sources_, file.id, file.arena, file.diagnostics).root;
      if (file.root != nullptr) ReadWorkflow(*file.root, file.workflow);
    });
    InterfaceSet interfaces;
    for (const LintedFile& file : files) {
      if (file.root != nullptr && file.root->is_mapping()) {
        interfaces.Add(MakeInterface(file.name, file.workflow));
      }
    }
    Diagnostics of_set;
    interfaces.Finish(of_set);
    LinkRules rules = options_.strict ? LinkRules::Strict() : LinkRules::Lax();
    // There GitHub looks for what is called, and refuses the whole run when it is missing.
    if (folder.ends_with(".github/workflows")) rules.present_callees = RuleLevel::kError;
    const LinkContext context{sources_, interfaces, BuiltInLimits(), rules, nullptr, &actions};
    std::vector<FileUsage> usages(files.size());
    ParallelFor(files.size(), threads, [&](std::size_t i) {
      LintedFile& file = files[i];
      if (!file.asked_for || file.root == nullptr) return;
      const WorkflowFile workflow{file.name, file.workflow};
      usages[i] = LinkFile(workflow, context, file.diagnostics);
      CheckSize(workflow, sources_.Text(file.id).size(), context, file.diagnostics);
    });
    LinkSet(usages, context, of_set);
    for (const Diagnostics::Entry& entry : of_set.entries()) {
      for (LintedFile& file : files) {
        if (entry.diagnostic.where.begin.file == file.id) file.diagnostics.Report(entry.diagnostic);
      }
    }
  }

  const LintOptions& options_;
  Environment& environment_;
  SourceManager sources_;
  Arena arena_;  // of local actions
  std::map<std::string, Folder> folders_;
  std::set<std::string> known_;
  std::size_t count_ = 0;
  Diagnostics refused_;
  Diagnostics found_;
};

// Compiling links the set, with the strict rules.
int LintProject(const LintOptions& options, Environment& environment) {
  Session session(environment, options.common, "nothing was checked");
  session.Compile(CompileUntil::kText);
  if (session.root().empty()) return session.End(kWrongInput);
  const int status = Linter(options, environment)
                         .TellFindings(session.diagnostics, session.compilation().sources,
                                       session.compilation().workflows.size());
  session.diagnostics = {};
  return session.End(status);
}

}  // namespace

int Lint(const LintOptions& options, Environment& environment) {
  if (options.files.empty()) return LintProject(options, environment);
  Linter linter(options, environment);
  if (!linter.Read()) return linter.Refuse();
  linter.Link();
  return linter.Tell();
}

Command LintCommand() {
  return {
      .name = "lint",
      .purpose = "Check workflow files: the generated set, or any others",
      .usage = "[FILE | DIR | -]... [--strict] [--format text|github|json]",
      .about =
          "Without files, checks what the project would generate, and blames the template or the "
          "row "
          "of the matrix. With files, checks those, whoever wrote them: jobs and their needs, "
          "every "
          "expression, calls of reusable workflows against the files next to them, permissions, "
          "scripts that a stranger could write into, and GitHub's limits. A folder stands for its "
          ".yml and .yaml files, and - for the standard input. The exit status is 1 when anything "
          "is found, be it a warning.",
      .options = WithProjectOptions({
          {.name = "strict",
           .argument = {},
           .help = "Apply the rules for generated files: what is a question of policy is an error"},
          {.name = "stdin-name",
           .argument = "NAME",
           .help = "How messages call the standard input; what it calls is looked for next to it"},
          FormatOption(),
      }),
      .examples = {{"wheelwright lint", "After a change of a template"},
                   {"wheelwright lint .github/workflows",
                    "Hand-written workflows, of any repository"},
                   {"git show HEAD~1:ci.yml | wheelwright lint - --stdin-name ci.yml",
                    "A file as it was"}},
      .most_positional = 100000,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            LintOptions options{.common = TakeCommonOptions(arguments),
                                .files = arguments.positional,
                                .strict = arguments.Has("strict")};
            if (arguments.Has("stdin-name")) options.stdin_name = arguments.Get("stdin-name");
            return Lint(options, environment);
          },
  };
}

}  // namespace wheelwright
