// Takes hand-written workflows over.
#include "generator/import/import.h"

#include <fmt/format.h>

#include <map>
#include <ostream>

#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/new_files.h"
#include "generator/commands/project_run.h"

namespace wheelwright {
namespace {

constexpr std::string_view kNothing = "nothing was written";

class ImportRun {
 public:
  ImportRun(const Arguments& arguments, Environment& environment)
      : arguments_(arguments),
        environment_(environment),
        folder_(arguments.Has("out") ? arguments.Get("out") : ".") {}

  int Run() {
    for (const std::string& path : arguments_.positional) ReadFile(path);
    if (diagnostics_.errors() > 0) return End(kWrongInput);
    const Imported made =
        ImportWorkflows(files_, arguments_.Has("unroll"), sources_, arena_, diagnostics_);
    if (diagnostics_.errors() > 0 || !Write(made)) return End(kWrongInput);
    const std::size_t left = diagnostics_.warnings();
    environment_.out << fmt::format(
        "{}/: {}, with {} of {}; {}\n", folder_, Count(made.workflows, "workflow"),
        Count(made.jobs, "matrix", "matrices"), Count(made.legs, "leg"),
        left == 0 ? "all of it was taken over"
                  : Count(left, "thing was", "things were") + " not taken over");
    for (const ImportedFile& file : made.files)
      environment_.out << fmt::format("  {}\n", file.path);
    return End(kSuccess);
  }

 private:
  int End(int status) {
    PrintDiagnostics(diagnostics_, sources_, TakeCommonOptions(arguments_),
                     status == kSuccess ? std::string_view() : kNothing, environment_);
    return status;
  }

  void ReadFile(const std::string& path) {
    try {
      if (auto text = environment_.files.Read(path)) {
        files_.push_back(sources_.Add(path, std::move(*text)));
        return;
      }
      diagnostics_.Report(
          {.code = "file-access", .message = fmt::format("there is no file {}", path)});
    } catch (const FileError& error) {
      diagnostics_.Report({.code = "file-access", .message = error.what()});
    }
  }

  // A project that is there already is not changed.
  bool Write(const Imported& made) {
    std::map<std::string, std::string> files;
    for (const ImportedFile& file : made.files) {
      files.emplace(JoinPath(folder_, file.path), file.text);
    }
    return WriteNewFiles(environment_.files, files, {JoinPath(folder_, "matrix/schema.yml")},
                         diagnostics_);
  }

  const Arguments& arguments_;
  Environment& environment_;
  const std::string folder_;
  std::vector<FileId> files_;
  SourceManager sources_;
  Arena arena_;
  Diagnostics diagnostics_;
};

}  // namespace

Command ImportCommand() {
  return {
      .name = "import",
      .purpose = "Take hand-written workflows over, with their matrices",
      .usage = "WORKFLOW... [--out FOLDER] [--unroll]",
      .about =
          "Writes a project that generates the workflows again: the lists of each strategy.matrix "
          "become rows of the matrix, described by a schema, and the rest of each workflow becomes "
          "its template, with its comments. What cannot be taken over stays as it was, and is "
          "listed with its place. Nothing is written over.",
      .options = {{.name = "out",
                   .argument = "FOLDER",
                   .help = "The project's folder, for matrix/ and templates/ (default: this one)"},
                  {.name = "unroll",
                   .argument = {},
                   .help = "Make a row of each leg of a matrix, and a chain of jobs for each row"}},
      .examples = {{"wheelwright import --out taken .github/workflows/ci.yml",
                    "The generated workflow has a strategy.matrix again, with lists from rows"},
                   {"wheelwright import --unroll --out wheelwright .github/workflows/*.yml",
                    "A job for each leg, each with a name, needs and outputs of its own"}},
      .least_positional = 1,
      .most_positional = 100000,
      .run = [](const Arguments& arguments,
                Environment& environment) { return ImportRun(arguments, environment).Run(); },
  };
}

}  // namespace wheelwright
