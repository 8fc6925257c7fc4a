// Shared by the commands that work on a project: find it, compile it, print diagnostics and times.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "cli/environment.h"
#include "cli/terminal.h"
#include "generator/compile/compile.h"

namespace wheelwright {

struct CommonOptions {
  std::string root;         // empty: the nearest folder upwards that holds a project
  std::size_t threads = 0;  // 0: as many as there are cores
  bool stats = false;
  ColorChoice color = ColorChoice::kAuto;
  ReportFormat format = ReportFormat::kText;
};

CommonOptions TakeCommonOptions(const Arguments& arguments);

// The options of a command that works on a project: its own, then --root, --threads and --stats.
OptionSpec RootOption();
std::vector<OptionSpec> WithProjectOptions(std::vector<OptionSpec> own);
// --format text|github|json, of a command whose findings a machine may read.
OptionSpec FormatOption();

// The folder that holds matrix/ and templates/, as a path from the current one: `given`, or the
// nearest upwards. Reports when there is none.
std::optional<std::string> FindRoot(Environment& environment, const std::string& given,
                                    Diagnostics& diagnostics);

// "a/b" for folder "a" and name "b"; "b" for the current folder.
std::string JoinPath(std::string_view folder, std::string_view name);

// Prints what was reported to stderr, and a closing line: "2 errors; nothing was written".
void PrintDiagnostics(const Diagnostics& diagnostics, const SourceManager& sources,
                      const CommonOptions& options, std::string_view after_errors,
                      Environment& environment);

// One run of such a command.
class ProjectRun {
 public:
  // `after_errors` follows the count of errors: "nothing was written". May be empty.
  ProjectRun(Environment& environment, const CommonOptions& options,
             std::string_view after_errors = {})
      : environment_(environment), options_(options), after_errors_(after_errors) {}

  // Finds and compiles the project. False: an error was reported.
  bool Compile(CompileUntil until, std::vector<std::string> keep = {});
  // Compiles again with another file system, in which a change is tried.
  bool CompileAgain(FileSystem& files);

  // Prints what was reported and, if asked for, the times. The exit status: `status`, or
  // kWrongInput after an error.
  int End(int status);

  // Calls work() and notes its time as a stage.
  template <typename Work>
  auto Measure(std::string_view stage, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    compilation_->times.push_back({stage, spent.count(), false, {}});
    return result;
  }

  Environment& environment() { return environment_; }
  const CommonOptions& options() const { return options_; }
  // After Compile().
  Compilation& compilation() { return *compilation_; }
  const std::string& root() const { return root_; }
  // The folder of generated files: that of the settings, or `out` if it is not empty.
  std::string OutputFolder(const std::string& out) const;
  std::size_t threads() const;
  bool color_out() const {
    return UsesColor(options_.color, environment_.out_is_terminal, environment_);
  }

  Diagnostics diagnostics;

 private:
  void PrintTimes();

  Environment& environment_;
  const CommonOptions& options_;
  std::string_view after_errors_;
  std::string root_;
  std::unique_ptr<Compilation> compilation_;
};

// Reports names that are none of `candidates`; `what` is said of them: "generated file".
void ReportUnknownName(std::string_view code, std::string_view what, std::string_view name,
                       std::span<const std::string_view> candidates, std::string note,
                       Diagnostics& diagnostics);

// Whether a glob takes a file's name, with or without its ".yml".
bool TakesFile(std::string_view glob, std::string_view file);

}  // namespace wheelwright
