// How lint finds and reads files: those that it is asked for, and those that they name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "base/below.h"
#include "base/parallel.h"
#include "base/platform/files.h"
#include "generator/lint/linter.h"
#include "generator/output/folder.h"
#include "generator/workflow/report.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

bool IsYaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }
bool IsAction(std::string_view name) { return name == "action.yml" || name == "action.yaml"; }

// Whether a step may start a run of another workflow, which must then be found by its name.
bool MayDispatch(std::string_view text) {
  for (const std::string_view word : {"workflow run", "ispatches", "ispatch(", "workflow-dispatch",
                                      "createWorkflowDispatch", "gh run"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

void Linter::Refuse(std::string message) {
  refused_.Report({.code = "file-access", .message = std::move(message)});
}

void Linter::Add(const std::string& path, const std::string& text) {
  const std::string plain = PathText(SystemPath(path).lexically_normal());
  if (!known_.insert(plain).second) return;
  Insert(plain, text, true);
  ++count_;
}

LintedFile& Linter::Insert(const std::string& path, const std::string& text, bool asked_for) {
  const fs::path whole = SystemPath(path);
  LintedFile& file = folders_[PathText(whole.parent_path())].files.emplace_back();
  file.path = path;
  file.name = PathText(whole.filename());
  file.id = sources_.Add(path, text);
  file.asked_for = asked_for;
  file.generated = BearsMark(text);
  file.is_action = IsAction(file.name) && !PathText(whole.parent_path()).ends_with(kWorkflows);
  return file;
}

void Linter::ReadPath(const std::string& path) {
  std::optional<std::string> text;
  std::optional<FileError> refusal;
  try {
    text = files_.Read(path);
  } catch (const FileError& error) {
    refusal = error;  // a folder, or an unreadable file
  }
  if (text) return Add(path, *text);
  try {
    if (ReadRepository(path)) return;
    std::size_t found = 0;
    for (const std::string& name : files_.List(path)) {
      if (!IsYaml(name)) continue;
      ++found;
      const std::string full = Below(path, name);
      if (const auto inner = files_.Read(full)) Add(full, *inner);
    }
    if (found > 0) return;
    Refuse(refusal ? fmt::format("{} holds no .yml or .yaml file", path)
                   : fmt::format("there is no file {}", path));
  } catch (const FileError& error) {
    Refuse(refusal ? refusal->what() : error.what());
  }
}

// Reads the workflows, and all actions of the repository.
bool Linter::ReadRepository(const std::string& path) {
  const std::string workflows = Below(path, kWorkflows);
  const std::size_t before = count_;
  for (const std::string& name : files_.List(workflows)) {
    if (!IsYaml(name)) continue;
    const std::string full = Below(workflows, name);
    if (const auto text = files_.Read(full)) Add(full, *text);
  }
  if (count_ == before) return false;
  repositories_.push_back(PathText(SystemPath(path).lexically_normal()));
  ReadActions(path, 0);
  return true;
}

// Of a file's folder: one that was read as a whole, or the part of its path before `.github`.
std::string Linter::RepositoryAbove(const std::string& folder) const {
  std::string repository = RepositoryOf(folder);
  if (repository != folder) return repository;
  for (const std::string& one : repositories_) {
    if (one == "." ? !folder.starts_with('/') : (folder + "/").starts_with(one + "/")) return one;
  }
  return repository;
}

// Not in folders of other people's code, of tests, and hidden ones.
void Linter::ReadActions(const std::string& folder, int depth) {
  constexpr int kDeepest = 5;
  static constexpr auto kLeftOut = std::to_array<std::string_view>(
      {"node_modules", "vendor", "third_party", "external", "submodules", "dist", "build", "target",
       "out", "test", "tests", "__tests__", "testdata", "fixtures", "testing", "examples"});
  for (const std::string& name : files_.List(folder)) {
    if (!IsAction(name)) continue;
    const std::string full = Below(folder, name);
    if (const auto text = files_.Read(full)) Add(full, *text);
  }
  if (depth == kDeepest) return;
  for (const std::string& name : files_.ListFolders(folder)) {
    const bool hidden = name.starts_with('.') && name != ".github";
    if (hidden || std::ranges::find(kLeftOut, name) != kLeftOut.end()) continue;
    ReadActions(Below(folder, name), depth + 1);
  }
}

void Linter::ReadActionsUsed(const std::string& name, const Folder& folder, LocalActions& actions) {
  const std::string repository = RepositoryAbove(name);
  // Elsewhere it is not known what `./` stands for.
  if (repository == name && !name.ends_with(kWorkflows)) return;
  for (const LintedFile& file : folder.files) {
    if (!file.asked_for) continue;
    for (const std::string& uses : file.actions_used) {
      actions.ReadUsed(files_, repository, uses, sources_, arena_);
    }
  }
}

void Linter::Configure(const std::string& name, Folder& folder) {
  std::string path = request_.configuration;
  std::optional<std::string> text;
  folder.repository = RepositoryAbove(name);
  if (!path.empty()) {
    text = files_.Read(path);
    if (!text) Refuse(fmt::format("there is no file {}", path));
  } else {
    // Search upwards for a folder with a configuration.
    fs::path at = SystemPath(folder.repository.empty() ? "." : folder.repository);
    for (;; at = at.parent_path()) {
      const std::string base = at.empty() ? "." : PathText(at);
      path = Below(base, kConfigurationPath);
      text = files_.Read(path);
      if (text) folder.repository = base;
      if (text || at.empty() || at == at.parent_path()) break;
    }
  }
  auto& known = configurations_[text ? path : ""];
  if (known == nullptr) {
    known = std::make_unique<Configured>();
    if (text) {
      known->configuration =
          LintConfiguration::Read(sources_, sources_.Add(path, *text), arena_, refused_);
      ReadDescriptions(folder, *known);
    }
  }
  folder.configuration = &known->configuration;
  folder.known = &known->known;
  folder.programs = &known->programs;
}

void Linter::ReadDescriptions(const Folder& folder, Configured& configured) {
  const auto read = [&](const Node* one, const auto& add, std::string_view wrong,
                        std::string hint) {
    const auto text = files_.Read(Below(folder.repository, one->text));
    if (text && add(*text)) return;
    refused_.Report(At(one, "unknown-value",
                       text ? fmt::format("{} {}", one->text, wrong)
                            : fmt::format("there is no file {}", one->text),
                       std::move(hint)));
  };
  for (const Node* one : configured.configuration.actions()) {
    read(
        one, [&](std::string_view text) { return configured.known.Add(text) == 0; },
        "has a line that tells of no action", "`wheelwright actions` writes such files");
  }
  for (const Node* one : configured.configuration.programs()) {
    read(
        one, [&](std::string_view text) { return configured.programs.Add(text); },
        "describes no program", "write what `PROGRAM help --json` prints");
  }
}

void Linter::ReadLock(const std::string& name, Folder& folder, LockFile& lock) {
  if (!name.ends_with(kWorkflows)) return;
  const std::string path = Below(name, "actions.lock");
  const auto text = files_.Read(path);
  if (!text) return;
  Diagnostics found;
  const Node* root = ReadYaml(sources_, sources_.Add(path, *text), arena_, found).root;
  if (root != nullptr) lock.Read(*root, found);
  std::set<std::string, std::less<>> present;
  for (const std::string& one : files_.List(name)) {
    present.insert(fmt::format("{}/{}", kWorkflows, one));
  }
  lock.CheckAll(present, found);
  // It has no findings of its own: they are told with those of the first file.
  for (LintedFile& file : folder.files) {
    if (!file.asked_for) continue;
    file.diagnostics.Merge(std::move(found));
    break;
  }
}

bool Linter::Parse(LintedFile& file) const {
  file.tree = std::make_unique<LintedFile::Tree>();
  LintedFile::Tree& tree = *file.tree;
  if (file.frozen.empty()) {
    tree.root = ReadYaml(sources_, file.id, tree.arena, file.diagnostics).root;
  } else {
    tree.root = file.frozen.Thaw(file.id, sources_.Text(file.id), tree.arena);
  }
  if (tree.root == nullptr) return false;
  if (!file.is_action) ReadWorkflow(*tree.root, tree.workflow);
  return true;
}

void Linter::SurveyFrom(Folder& folder, std::size_t first) {
  // A tree needs some ten times the memory of its text.
  constexpr std::size_t kMostText = 2'000'000;
  std::size_t text = 0;
  for (const LintedFile& file : folder.files) text += sources_.Text(file.id).size();
  drops_trees_ = !request_.keep_trees && text > kMostText;
  ParallelFor(folder.files.size() - first, request_.threads,
              [&](std::size_t i) { Survey(folder.files[first + i]); });
}

void Linter::Survey(LintedFile& file) const {
  if (!Parse(file)) return;
  const Workflow& workflow = file.tree->workflow;
  const auto add = [&](const Node* step) {
    const std::string_view uses = FindText(step, "uses");
    if (uses.starts_with("./") || uses.starts_with("$/")) file.actions_used.emplace_back(uses);
  };
  if (file.is_action) {
    const Node* steps = Find(Find(file.root(), "runs"), "steps");
    for (const Node* step : steps == nullptr ? std::span<const Node* const>() : steps->items) {
      add(step);
    }
  } else if (file.root()->is_mapping()) {
    file.interface = MakeInterface(file.name, workflow);
  }
  for (const Job& job : workflow.jobs) {
    const std::string_view uses = job.uses.text();
    if (uses.starts_with("./") || uses.starts_with("$/")) file.calls.emplace_back(uses);
    for (const WorkflowStep& step : job.steps) add(step.node);
  }
  if (!drops_trees_) return;
  if (file.asked_for) file.frozen = FrozenTree(*file.root(), sources_.Text(file.id));
  file.tree.reset();
}

bool Linter::ReadNeighbour(const std::string& folder, const std::string& name) {
  const std::string path = Below(folder, name);
  if (known_.count(path) > 0) return false;
  try {
    const auto text = files_.Read(path);
    if (!text) return false;
    known_.insert(path);
    Insert(path, *text, false);
    return true;
  } catch (const FileError&) {
    return false;  // its interface is then unknown, as for other repositories
  }
}

// Reads the workflows that linted files call, directly or indirectly, from the same folder. Reads
// all of the folder if a name must be looked up.
void Linter::ReadCalled(const std::string& name, Folder& folder) {
  std::deque<LintedFile>& files = folder.files;
  bool all = false;
  for (std::size_t i = 0; i < files.size() && !all; ++i) {
    if (files[i].is_action) continue;
    if (files[i].asked_for && MayDispatch(sources_.Text(files[i].id))) all = true;
    for (const std::string& uses : files[i].calls) {
      const std::string called(InterfaceName(uses));
      const std::size_t before = files.size();
      if (called.find('/') == std::string::npos && ReadNeighbour(name, called)) {
        SurveyFrom(folder, before);
      } else if (std::ranges::none_of(files,
                                      [&](const LintedFile& one) { return one.name == called; })) {
        all = true;  // other names may help with a suggestion
      }
    }
  }
  if (!all) return;
  const std::size_t before = files.size();
  for (const std::string& one : files_.List(name.empty() ? "." : name)) {
    if (IsYaml(one) && !IsAction(one)) ReadNeighbour(name, one);
  }
  SurveyFrom(folder, before);
}

}  // namespace wheelwright
