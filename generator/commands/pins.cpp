#include "generator/commands/pins.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/generate.h"
#include "generator/matrix/schema.h"
#include "generator/output/folder.h"
#include "generator/pins/adopt.h"

namespace wheelwright {
namespace {

// Another file system with one file replaced, so that a change can be tried before it is made.
class Overlay : public FileSystem {
 public:
  Overlay(FileSystem& below, std::string path, std::string text)
      : below_(below), path_(std::move(path)), text_(std::move(text)) {}

  std::optional<std::string> Read(const std::string& path) override {
    // However it is written: "./matrix/pins.yml" is the same file.
    return JoinPath(path, "") == JoinPath(path_, "") ? text_ : below_.Read(path);
  }
  std::vector<std::string> List(const std::string& folder) override { return below_.List(folder); }
  std::vector<std::string> ListFolders(const std::string& folder) override {
    return below_.ListFolders(folder);
  }
  void Write(const std::string& path, std::string_view text) override { below_.Write(path, text); }
  void Append(const std::string& path, std::string_view text) override {
    below_.Append(path, text);
  }
  void Remove(const std::string& path) override { below_.Remove(path); }

 private:
  FileSystem& below_;
  std::string path_;
  std::string text_;
};

struct PinRow {
  std::string key, name, version, pin;
};

void PrintTable(const std::vector<PinRow>& rows, std::string_view title, Paint paint,
                std::ostream& out) {
  if (rows.empty()) return;
  std::size_t key = 0, name = 0, version = 0;
  for (const PinRow& row : rows) {
    key = std::max(key, row.key.size());
    name = std::max(name, row.name.size());
    version = std::max(version, row.version.size());
  }
  out << paint.Bold(title) << '\n';
  for (const PinRow& row : rows) {
    out << fmt::format("  {:<{}}  {:<{}}  {:<{}}{}{}\n", row.key, key, row.name, name, row.version,
                       version, version == 0 ? "" : "  ", paint.Dim(row.pin));
  }
}

int PrintPins(ProjectRun& run) {
  if (!run.Compile(CompileUntil::kMatrix)) return run.End(kWrongInput);
  const Matrix& matrix = run.compilation().matrix;
  std::ostream& out = run.environment().out;
  const Paint paint{run.color_out()};
  const auto rows = [](const Node* table, std::string_view name, std::string_view pin) {
    std::vector<PinRow> found;
    for (const Entry& row : table->entries) {
      found.push_back({std::string(row.key->text), std::string(FindText(row.value, name)),
                       std::string(FindText(row.value, "version")),
                       std::string(FindText(row.value, pin))});
    }
    return found;
  };
  const std::vector<PinRow> actions = rows(matrix.actions, "uses", "sha");
  const std::vector<PinRow> images = rows(matrix.images, "image", "digest");
  PrintTable(actions, "actions", paint, out);
  if (!actions.empty() && !images.empty()) out << '\n';
  PrintTable(images, "images", paint, out);
  if (actions.empty() && images.empty()) {
    out << fmt::format("{} pins nothing\n", MatrixFileName("pins"));
  }
  return run.End(kSuccess);
}

// Writes the pins, then the files. When these are refused, the pins are put back.
bool WriteAll(ProjectRun& run, const std::string& pins_path, const std::string& pins_before,
              const std::string& pins, const std::string& folder, const Difference& difference) {
  FileSystem& files = run.environment().files;
  try {
    files.Write(pins_path, pins);
  } catch (const FileError& refusal) {
    run.diagnostics.Report({.code = "file-access", .message = refusal.what()});
    return false;
  }
  if (Apply(files, folder, difference, run.threads(), run.diagnostics)) return true;
  files.Write(pins_path, pins_before);
  return false;
}

int AdoptPins(ProjectRun& run) {
  if (!run.Compile(CompileUntil::kText)) return run.End(kWrongInput);
  Environment& environment = run.environment();
  const std::string folder = run.OutputFolder({});
  const auto compare = [&] {
    return CompareFolder(environment.files, folder, TakeOutput(run.compilation()), run.threads(),
                         run.diagnostics);
  };
  std::optional<Difference> difference = compare();
  if (!difference) return run.End(kWrongInput);
  const Matrix& matrix = run.compilation().matrix;
  const std::vector<Bump> bumps =
      FindBumps(matrix.actions, matrix.images, difference->stale, run.diagnostics);
  if (run.diagnostics.errors() > 0) return run.End(kWrongInput);
  if (bumps.empty()) {
    environment.out << fmt::format("no pin in {}/ is newer than in {}\n", folder,
                                   MatrixFileName("pins"));
    if (!difference->empty()) {
      environment.out << fmt::format("{}: run `wheelwright generate`\n", Describe(*difference));
    }
    return run.End(kSuccess);
  }

  const SourceManager& sources = run.compilation().sources;
  std::optional<std::string> pins =
      AdoptBumps(bumps, sources.Find(MatrixFileName("pins")), sources, run.diagnostics);
  if (!pins) return run.End(kWrongInput);
  std::string told;
  for (const Bump& bump : bumps) {
    told += bump.old_version.empty()
                ? fmt::format("  {}  {}\n", bump.name, bump.new_pin)
                : fmt::format("  {}  {} -> {}\n", bump.name, bump.old_version, bump.new_version);
  }
  const std::string path = JoinPath(run.root(), MatrixFileName("pins"));
  const std::string before = environment.files.Read(path).value_or("");
  Overlay overlay(environment.files, path, *pins);
  if (!run.CompileAgain(overlay)) return run.End(kWrongInput);
  difference = compare();
  if (!difference || !WriteAll(run, path, before, *pins, folder, *difference)) {
    return run.End(kWrongInput);
  }
  environment.out << fmt::format("{}: {} taken over\n{}", MatrixFileName("pins"),
                                 Count(bumps.size(), "newer pin"), told);
  environment.out << DescribeApplied(folder, *difference, false);
  return run.End(kSuccess);
}

}  // namespace

int Pins(const PinsOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common, options.adopt ? "nothing was written" : "");
  return options.adopt ? AdoptPins(run) : PrintPins(run);
}

Command PinsCommand() {
  return {
      .name = "pins",
      .purpose = "List the pinned actions and images, or take newer ones over from generated files",
      .usage = "[--adopt]",
      .about =
          "Actions are pinned by commit and images by digest, in matrix/pins.yml. Bots that keep "
          "them up to date edit the generated files, the only ones they know. --adopt takes what "
          "is newer there over into the matrix, and generates all files again: the one command "
          "that a bot's pull request needs. A version whose commit has changed is refused.",
      .options = WithProjectOptions({
          {.name = "adopt",
           .argument = {},
           .help = "Take newer pins over from the generated files, then generate"},
      }),
      .examples = {{"wheelwright pins", "Which version of actions/checkout is in use?"},
                   {"wheelwright pins --adopt", "On the branch of a bot's pull request"}},
      .run =
          [](const Arguments& arguments, Environment& environment) {
            return Pins({.common = TakeCommonOptions(arguments), .adopt = arguments.Has("adopt")},
                        environment);
          },
  };
}

}  // namespace wheelwright
