#include "generator/lint/linter.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/below.h"
#include "base/parallel.h"
#include "base/platform/files.h"
#include "base/text.h"
#include "generator/link/link.h"
#include "generator/lint/catalogue.h"
#include "generator/lint/checks.h"
#include "generator/lint/scripts.h"
#include "generator/lint/suppression.h"
#include "generator/matrix/limits.h"
#include "generator/output/folder.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWorkflows = ".github/workflows";

bool IsYaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }
bool IsAction(std::string_view name) { return name == "action.yml" || name == "action.yaml"; }

// The rules for hand-written files. Judge() applies the configuration to policy warnings.
LinkRules RulesOfOthers() {
  LinkRules rules = LinkRules::Lax();
  for (RuleLevel* policy :
       {&rules.explicit_permissions, &rules.minimal_permissions, &rules.timeouts,
        &rules.checkout_timeouts, &rules.pinned_actions, &rules.pin_comments, &rules.pinned_images,
        &rules.named_secrets, &rules.checkout_credentials, &rules.concurrency, &rules.names,
        &rules.fixed_runners, &rules.used_id_tokens, &rules.readable_dispatches,
        &rules.newest_actions}) {
    *policy = RuleLevel::kWarning;
  }
  return rules;
}

// Whether a step may start a run of another workflow, which must then be found by its name.
bool MayDispatch(std::string_view text) {
  for (const std::string_view word : {"workflow run", "ispatches", "ispatch(", "workflow-dispatch",
                                      "createWorkflowDispatch", "gh run"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

void CheckWorkflow(const Checking& checking) {
  CheckRunners(checking);
  CheckGlobs(checking);
  CheckDetails(checking);
  CheckAnchors(checking);
  CheckMatrices(checking);
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

// Reads the workflows, the repository's own action, and those below .github/actions.
bool Linter::ReadRepository(const std::string& path) {
  const std::string workflows = Below(path, kWorkflows);
  const std::size_t before = count_;
  for (const std::string& name : files_.List(workflows)) {
    if (!IsYaml(name)) continue;
    const std::string full = Below(workflows, name);
    if (const auto text = files_.Read(full)) Add(full, *text);
  }
  if (count_ == before) return false;
  for (const char* name : {"action.yml", "action.yaml"}) {
    const std::string full = Below(path, name);
    if (const auto text = files_.Read(full)) Add(full, *text);
  }
  ReadActions(Below(path, ".github/actions"));
  return true;
}

void Linter::ReadActions(const std::string& folder) {
  for (const std::string& name : files_.List(folder)) {
    if (!IsAction(name)) continue;
    const std::string full = Below(folder, name);
    if (const auto text = files_.Read(full)) Add(full, *text);
  }
  for (const std::string& name : files_.ListFolders(folder)) ReadActions(Below(folder, name));
}

void Linter::Configure(const std::string& name, Folder& folder) {
  std::string path = request_.configuration;
  std::optional<std::string> text;
  folder.repository = RepositoryOf(name);
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

bool Linter::Check() {
  for (auto& [name, folder] : folders_) Configure(name, folder);
  if (refused_.errors() > 0) return false;
  for (auto& [name, folder] : folders_) {
    for (LintedFile& file : folder.files) {
      if (!file.asked_for || !folder.configuration->Skips(PathInRepository(folder, file))) continue;
      file.asked_for = false;
      --count_;
    }
    LinkFolder(name, folder);
  }
  CheckAllScripts();
  for (auto& [name, folder] : folders_) {
    ParallelFor(folder.files.size(), request_.threads, [&, &group = folder](std::size_t i) {
      if (group.files[i].asked_for) Judge(group, group.files[i]);
    });
  }
  return true;
}

// Only of files whose findings would be reported.
void Linter::CheckAllScripts() {
  std::vector<LintedFile*> files;
  for (auto& [name, folder] : folders_) {
    for (LintedFile& file : folder.files) {
      if (!file.asked_for) continue;
      const std::string path = PathInRepository(folder, file);
      if (folder.configuration->LevelOf("shell-script", path) == RuleLevel::kOff &&
          folder.configuration->LevelOf("python-script", path) == RuleLevel::kOff) {
        continue;
      }
      files.push_back(&file);
    }
  }
  CheckScripts(files, sources_, request_.threads);
}

std::string Linter::PathInRepository(const Folder& folder, const LintedFile& file) const {
  const std::string_view base = folder.repository;
  std::string_view path = file.path;
  if (base != "." && !base.empty() && path.starts_with(base)) path.remove_prefix(base.size());
  while (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path);
}

void Linter::Parse(LintedFile& file) const {
  file.root = ReadYaml(sources_, file.id, file.arena, file.diagnostics).root;
  if (file.root != nullptr && !file.is_action) ReadWorkflow(*file.root, file.workflow);
}

void Linter::ParseFrom(Folder& folder, std::size_t first) const {
  ParallelFor(folder.files.size() - first, request_.threads,
              [&](std::size_t i) { Parse(folder.files[first + i]); });
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
    if (files[i].asked_for && MayDispatch(sources_.Text(files[i].id))) all = true;
    for (const Job& job : files[i].workflow.jobs) {
      const std::string_view uses = job.uses.text();
      if (!uses.starts_with("./") && !uses.starts_with("$/")) continue;
      const std::string called(InterfaceName(uses));
      const std::size_t before = files.size();
      if (called.find('/') == std::string::npos && ReadNeighbour(name, called)) {
        ParseFrom(folder, before);
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
  ParseFrom(folder, before);
}

void Linter::LinkFolder(const std::string& name, Folder& folder) {
  std::deque<LintedFile>& files = folder.files;
  ParseFrom(folder, 0);
  const bool real = std::ranges::any_of(
      files, [](const LintedFile& file) { return file.path.find('<') == std::string::npos; });
  if (real) ReadCalled(name, folder);
  LocalActions actions;
  const std::string repository = RepositoryOf(name);
  if (repository != name && std::ranges::any_of(files, [&](const LintedFile& file) {
        return sources_.Text(file.id).find("/.github/actions/") != std::string_view::npos;
      })) {
    actions.Read(files_, repository, sources_, arena_);
  }
  InterfaceSet interfaces;
  for (const LintedFile& file : files) {
    if (file.root != nullptr && file.root->is_mapping() && !file.is_action) {
      interfaces.Add(MakeInterface(file.name, file.workflow));
    }
  }
  Diagnostics of_set;
  interfaces.Finish(of_set);
  const auto rules_of = [&](const LintedFile& file) {
    const bool strict = request_.strict || file.generated;
    LinkRules rules = strict ? LinkRules::Strict() : RulesOfOthers();
    // GitHub refuses a run if a called workflow is missing in this folder.
    if (name.ends_with(kWorkflows)) rules.present_callees = RuleLevel::kError;
    const auto scripts =
        folder.configuration->LevelOf("expression-in-script", PathInRepository(folder, file));
    if (scripts && !file.generated) rules.strict_scripts = *scripts != RuleLevel::kOff;
    return rules;
  };
  LockFile lock;
  if (real) ReadLock(name, folder, lock);
  std::vector<FileUsage> usages(files.size());
  ParallelFor(files.size(), request_.threads, [&](std::size_t i) {
    LintedFile& file = files[i];
    if (!file.asked_for || file.root == nullptr) return;
    if (file.is_action) {
      CheckAction(*file.root, file.diagnostics);
      return CheckActionScripts(*file.root, *folder.programs, sources_, file.diagnostics);
    }
    const LinkContext context{sources_, interfaces,   BuiltInLimits(), rules_of(file), nullptr,
                              &actions, folder.known, folder.programs, &lock};
    const WorkflowFile workflow{file.name, file.workflow};
    usages[i] = LinkFile(workflow, context, file.diagnostics);
    CheckSize(workflow, sources_.Text(file.id).size(), context, file.diagnostics);
    if (file.root->is_mapping()) {
      const Checking checking{file.workflow, sources_, *folder.configuration, file.diagnostics};
      CheckWorkflow(checking);
    }
  });
  const LinkContext context{sources_,        interfaces, BuiltInLimits(),
                            RulesOfOthers(), nullptr,    &actions};
  LinkSet(usages, context, of_set);
  for (const Diagnostics::Entry& entry : of_set.entries()) {
    for (LintedFile& file : files) {
      if (entry.diagnostic.where.begin.file == file.id) file.diagnostics.Report(entry.diagnostic);
    }
  }
}

void Linter::Judge(const Folder& folder, LintedFile& file) const {
  Suppressions suppressions;
  Diagnostics kept;
  suppressions.Read(sources_, file.id, file.generated, kept);
  const std::string path = PathInRepository(folder, file);
  std::vector<Diagnostic> sorted;
  for (const Diagnostics::Entry& entry : file.diagnostics.entries()) {
    Diagnostic diagnostic = entry.diagnostic;
    // Findings about the whole file are placed at its start.
    if (!diagnostic.where.known()) diagnostic.where = {{file.id, 0}, 0};
    if (!file.generated) {
      const LintRule* rule = FindLintRule(diagnostic.code);
      const auto level = folder.configuration->LevelOf(diagnostic.code, path);
      const bool policy = rule != nullptr && rule->kind == RuleKind::kPolicy;
      if (level == RuleLevel::kOff || (policy && !level && !request_.strict)) continue;
      if (level) {
        diagnostic.severity = level == RuleLevel::kError ? Severity::kError : Severity::kWarning;
      }
      if (suppressions.Answers(diagnostic, sources_)) continue;
    }
    sorted.push_back(std::move(diagnostic));
  }
  suppressions.ReportUnused(kept);
  for (const Diagnostics::Entry& entry : kept.entries()) sorted.push_back(entry.diagnostic);
  std::ranges::stable_sort(sorted, {}, &Diagnostic::where);
  file.diagnostics = {};
  for (Diagnostic& diagnostic : sorted) file.diagnostics.Report(std::move(diagnostic));
}

const LintedFile* Linter::FindFile(const std::string& path) const {
  for (const auto& [name, folder] : folders_) {
    for (const LintedFile& file : folder.files) {
      if (file.path == path) return &file;
    }
  }
  return nullptr;
}

Diagnostics Linter::Collect() const {
  Diagnostics found;
  VisitFiles([&](const LintedFile& file) { found.Merge(file.diagnostics); });
  return found;
}

}  // namespace wheelwright
