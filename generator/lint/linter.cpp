#include "generator/lint/linter.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "generator/link/link.h"
#include "generator/link/link_action.h"
#include "generator/lint/catalogue.h"
#include "generator/lint/checks.h"
#include "generator/lint/scripts.h"
#include "generator/lint/suppression.h"
#include "generator/matrix/limits.h"
#include "generator/output/folder.h"

namespace wheelwright {
namespace {

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

void CheckWorkflow(const Checking& checking) {
  CheckRunners(checking);
  CheckGlobs(checking);
  CheckDetails(checking);
  CheckAnchors(checking);
  CheckMatrices(checking);
}

}  // namespace

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

// Only where findings would be reported.
bool Linter::ChecksScripts(const Folder& folder, const LintedFile& file) const {
  const std::string path = PathInRepository(folder, file);
  return folder.configuration->LevelOf("shell-script", path) != RuleLevel::kOff ||
         folder.configuration->LevelOf("python-script", path) != RuleLevel::kOff;
}

void Linter::CheckAllScripts() {
  std::vector<LintedFile*> files;
  for (auto& [name, folder] : folders_) {
    for (LintedFile& file : folder.files) {
      if (!file.scripts.empty()) files.push_back(&file);
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

void Linter::LinkFolder(const std::string& name, Folder& folder) {
  std::deque<LintedFile>& files = folder.files;
  SurveyFrom(folder, 0);
  const bool real = std::ranges::any_of(
      files, [](const LintedFile& file) { return file.path.find('<') == std::string::npos; });
  if (real) ReadCalled(name, folder);
  LocalActions actions;
  if (real) ReadActionsUsed(name, folder, actions);
  InterfaceSet interfaces;
  for (LintedFile& file : files) {
    if (file.interface) interfaces.Add(std::move(*file.interface));
  }
  Diagnostics of_set;
  interfaces.Finish(of_set);
  const auto rules_of = [&](const LintedFile& file) {
    const bool strict = request_.strict || file.generated;
    LinkRules rules = strict ? LinkRules::Strict() : RulesOfOthers();
    // GitHub refuses a run if a called workflow is missing in this folder, and fails a step whose
    // action is missing. Elsewhere they may be in the folder to which the files belong.
    const bool in_place = name.ends_with(kWorkflows) || file.is_action;
    rules.present_callees = in_place ? RuleLevel::kError : RuleLevel::kWarning;
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
    if (!file.asked_for) return;
    if (file.tree == nullptr && !file.frozen.empty()) Parse(file);
    if (file.root() == nullptr) return;
    if (ChecksScripts(folder, file)) CollectScripts(file);
    const LinkContext context{sources_, interfaces,   BuiltInLimits(), rules_of(file), nullptr,
                              &actions, folder.known, folder.programs, &lock};
    if (file.is_action) {
      CheckAction(*file.root(), file.diagnostics);
      if (file.root()->is_mapping()) LinkAction(*file.root(), context, file.diagnostics);
    } else {
      const WorkflowFile workflow{file.name, file.tree->workflow};
      usages[i] = LinkFile(workflow, context, file.diagnostics);
      CheckSize(workflow, sources_.Text(file.id).size(), context, file.diagnostics);
      if (file.root()->is_mapping()) {
        CheckWorkflow({workflow.workflow, sources_, *folder.configuration, file.diagnostics});
      }
    }
    if (!drops_trees_) return;
    file.tree.reset();
    file.frozen = {};
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
