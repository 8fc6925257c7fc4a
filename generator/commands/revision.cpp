#include "generator/commands/revision.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/memory_files.h"
#include "base/quote.h"
#include "base/run_program.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// The YAML files of a folder's matrix; empty where it has none.
MemoryFiles ReadFolder(FileSystem& files, const std::string& folder) {
  MemoryFiles found;
  const std::string matrix = JoinPath(folder, "matrix");
  for (const std::string& name : files.List(matrix)) {
    if (!name.ends_with(".yml")) continue;
    if (auto text = files.Read(JoinPath(matrix, name))) found.texts["matrix/" + name] = *text;
  }
  return found;
}

// The same of a commit. Nothing where git knows no such revision; the reason, if it is another one,
// in `problem`.
std::optional<MemoryFiles> ReadCommit(const std::string& root, const std::string& revision,
                                      std::string& problem) {
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", root});
    auto printed = RunProgram(words);
    if (!printed) problem = "git is not installed";
    return printed ? printed->out : std::string();
  };
  const std::string commit(
      Trim(git({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"})));
  if (commit.empty()) return std::nullopt;
  MemoryFiles found;
  const std::string names =
      git({"ls-tree", "--full-tree", "-z", "--name-only", commit + ":./matrix"});
  for (const std::string_view name : Split(names, '\0')) {
    if (!name.ends_with(".yml")) continue;
    const std::string path = fmt::format("matrix/{}", name);
    found.texts[path] = git({"cat-file", "blob", fmt::format("{}:./{}", commit, path)});
  }
  return found;
}

}  // namespace

std::unique_ptr<Compilation> CompileMatrixOf(const std::string& against, ProjectRun& run) {
  const std::string root = run.root().empty() ? "." : run.root();
  std::optional<MemoryFiles> files = ReadFolder(run.environment().files, against);
  std::string problem = "it is no folder with a matrix/, and git knows no such revision here";
  if (files->texts.empty()) files = ReadCommit(root, against, problem);
  if (files && files->texts.empty()) problem = "it has no matrix/";
  if (!files || files->texts.empty()) {
    run.diagnostics.Report(
        {.code = "unknown-revision",
         .message = fmt::format("{} cannot be compared with: {}", Quoted(against), problem),
         .hint = "name a folder, a branch, a tag or a commit"});
    return nullptr;
  }
  Diagnostics found;
  const CompileOptions options{.root = ".", .threads = run.threads(), .keep = {}};
  auto compiled = Compile(*files, options, CompileUntil::kMatrix, found);
  if (compiled->matrix_loaded) return compiled;
  Diagnostic diagnostic{
      .code = "unreadable-revision",
      .message = fmt::format("this version does not read the matrix of {}", Quoted(against))};
  for (const Diagnostics::Entry& entry : found.entries()) {
    if (entry.diagnostic.severity != Severity::kError) continue;
    diagnostic.notes.push_back(
        fmt::format("{}: {}", compiled->sources.DescribeLine(entry.diagnostic.where.begin),
                    entry.diagnostic.message));
    break;
  }
  run.diagnostics.Report(std::move(diagnostic));
  return nullptr;
}

}  // namespace wheelwright
