#include "generator/link/lock_file.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

// "actions/cache@v4" of "Actions/Cache/save@v4"; names ignore case. Empty: it needs no lock.
std::string PinOf(std::string_view uses) {
  const std::size_t at = uses.find('@');
  if (at == std::string_view::npos || uses.starts_with('.') || uses.starts_with("$/") ||
      uses.starts_with("docker://") || HoldsExpression(uses)) {
    return {};
  }
  std::string_view name = uses.substr(0, at);
  const std::size_t owner = name.find('/');
  if (owner == std::string_view::npos) return {};
  name = name.substr(0, name.find('/', owner + 1));
  return fmt::format("{}@{}", ToLower(name), uses.substr(at + 1));
}

void ReportForm(const Node* at, std::string message, Diagnostics& diagnostics) {
  Diagnostic diagnostic = At(at, "bad-lock", std::move(message));
  diagnostic.severity = Severity::kWarning;
  diagnostic.notes.emplace_back("`gh actions-lock` writes it; its format is a preview");
  diagnostics.Report(std::move(diagnostic));
}

void ReportStale(const Node* at, std::string message, Diagnostics& diagnostics) {
  Diagnostic diagnostic = At(at, "stale-lock", std::move(message), "run `gh actions-lock`");
  diagnostic.severity = Severity::kWarning;
  diagnostics.Report(std::move(diagnostic));
}

// Calls visit(field) for each `uses`.
template <typename Visit>
void VisitUses(const Workflow& workflow, const Visit& visit) {
  for (const Job& job : workflow.jobs) {
    if (job.uses) visit(job.uses);
    for (const WorkflowStep& step : job.steps) {
      if (step.uses) visit(step.uses);
    }
  }
}

}  // namespace

void LockFile::Read(const Node& root, Diagnostics& diagnostics) {
  const Node* workflows = Find(&root, "workflows");
  const Node* dependencies = Find(&root, "dependencies");
  if (workflows == nullptr || !workflows->is_mapping() || dependencies == nullptr ||
      !dependencies->is_mapping()) {
    return ReportForm(&root, "this is no lock file with 'workflows' and 'dependencies'",
                      diagnostics);
  }
  for (const Entry& entry : dependencies->entries) {
    const std::string pin = PinOf(entry.key->text);
    const std::string_view commit = FindText(entry.value, "commit");
    if (pin.empty() || commit.find('-') == std::string_view::npos) {
      ReportForm(entry.key, fmt::format("'{}' has no commit", entry.key->text), diagnostics);
      continue;
    }
    dependencies_.emplace(pin, entry.key);
    values_.emplace(pin, entry.value);
  }
  for (const Entry& entry : workflows->entries) {
    Pins& pins = workflows_[std::string(entry.key->text)];
    workflow_keys_.emplace(entry.key->text, entry.key);
    for (const Node* item : entry.value->items) {
      if (item->is_scalar()) pins.emplace(PinOf(item->text), item);
    }
  }
}

bool LockFile::Covers(std::string_view workflow, std::string_view uses) const {
  const auto listed = workflows_.find(workflow);
  const std::string pin = PinOf(uses);
  return listed != workflows_.end() && !pin.empty() && listed->second.count(pin) > 0 &&
         dependencies_.count(pin) > 0;
}

void LockFile::Check(std::string_view path, const Workflow& workflow,
                     Diagnostics& diagnostics) const {
  const auto listed = workflows_.find(path);
  if (listed == workflows_.end()) return;
  std::set<std::string> used;
  VisitUses(workflow, [&](const Field& uses) {
    const std::string pin = PinOf(uses.text());
    if (pin.empty()) return;
    used.insert(pin);
    if (Covers(path, uses.text())) return;
    Diagnostic diagnostic =
        At(uses.value, "unlocked-action", fmt::format("actions.lock does not have '{}'", pin),
           "run `gh actions-lock`");
    diagnostic.notes.emplace_back(
        "GitHub only runs a listed workflow when all that it uses is in the lock file");
    diagnostic.related.push_back(
        {workflow_keys_.find(path)->second->where, "the workflow is listed here"});
    diagnostics.Report(std::move(diagnostic));
  });
  for (const auto& [pin, node] : listed->second) {
    if (used.count(pin) > 0) continue;
    ReportStale(node, fmt::format("{} does not use '{}'", path, node->text), diagnostics);
  }
}

void LockFile::CheckAll(const std::set<std::string, std::less<>>& present,
                        Diagnostics& diagnostics) const {
  std::set<std::string> used;
  std::vector<std::string> left;
  for (const auto& [path, pins] : workflows_) {
    if (present.count(path) == 0) {
      ReportStale(workflow_keys_.find(path)->second, fmt::format("there is no {}", path),
                  diagnostics);
    }
    for (const auto& [pin, node] : pins) left.push_back(pin);
  }
  // What actions use themselves is locked too.
  while (!left.empty()) {
    const std::string pin = left.back();
    left.pop_back();
    if (!used.insert(pin).second) continue;
    const auto value = values_.find(pin);
    const Node* uses = value == values_.end() ? nullptr : Find(value->second, "uses");
    for (const Node* one : uses == nullptr ? std::span<const Node* const>() : uses->items) {
      const std::string inner = PinOf(one->text);
      if (dependencies_.count(inner) == 0) {
        ReportStale(one, fmt::format("'{}' is used and not locked", one->text), diagnostics);
      }
      left.push_back(inner);
    }
  }
  for (const auto& [pin, key] : dependencies_) {
    if (used.count(pin) == 0) {
      ReportStale(key, fmt::format("nothing uses '{}'", key->text), diagnostics);
    }
  }
}

}  // namespace wheelwright
