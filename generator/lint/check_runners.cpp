// Checks runners: unknown labels, labels that end, labels that no machine can have together; and
// shells that the system does not have.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "generator/lint/checks.h"
#include "generator/lint/runners.h"

namespace wheelwright {
namespace {

// `${{ matrix.os }}`: "os"; of anything else, "".
std::string_view MatrixKey(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with("${{") || !text.ends_with("}}")) return {};
  text = Trim(text.substr(3, text.size() - 5));
  if (!text.starts_with("matrix.")) return {};
  text.remove_prefix(7);
  const bool name =
      std::ranges::all_of(text, [](char c) { return IsWordCharacter(c) || c == '-'; });
  return name ? text : std::string_view();
}

// The possible labels of one place. `known` is false if there may be others.
struct Labels {
  std::vector<const Node*> nodes;
  bool known = true;
};

void AddLabels(const Job& job, const Node& node, Labels& labels) {
  if (node.is_sequence()) {
    for (const Node* item : node.items) AddLabels(job, *item, labels);
    return;
  }
  if (!node.is_scalar()) {
    labels.known = false;
  } else if (!HoldsExpression(node.text)) {
    labels.nodes.push_back(&node);
  } else if (const std::string_view key = MatrixKey(node.text);
             key.empty() || job.matrix == nullptr || !job.matrix->is_mapping()) {
    labels.known = false;
  } else {
    const auto add = [&](const Node* value) {
      if (value == nullptr) return;
      if (value->is_scalar() && !HoldsExpression(value->text)) {
        labels.nodes.push_back(value);
      } else {
        labels.known = false;
      }
    };
    const Node* axis = Find(job.matrix, key);
    if (axis != nullptr && !axis->is_sequence()) labels.known = false;
    if (axis != nullptr) {
      for (const Node* value : axis->items) add(value);
    }
    const Node* include = Find(job.matrix, "include");
    if (include != nullptr && !include->is_sequence()) labels.known = false;
    if (include != nullptr) {
      for (const Node* leg : include->items) add(Find(leg, key));
    }
  }
}

class RunnerCheck {
 public:
  RunnerCheck(const Checking& checking, const Job& job) : checking_(checking), job_(job) {}

  void Check() {
    const Node* runs_on = job_.runs_on.value;
    const Node* group = nullptr;
    if (runs_on->is_mapping()) {
      group = Find(runs_on, "group");
      runs_on = Find(runs_on, "labels");
    }
    if (runs_on == nullptr) return;
    Labels labels;
    AddLabels(job_, *runs_on, labels);
    own_ = group != nullptr || std::ranges::any_of(labels.nodes, [](const Node* label) {
             return EqualsIgnoringCase(label->text, "self-hosted");
           });
    for (const Node* label : labels.nodes) CheckLabel(*label);
    if (runs_on->is_sequence()) CheckTogether(*runs_on);
    CheckShells(labels);
  }

 private:
  bool IsDeclared(std::string_view label) const {
    return std::ranges::any_of(checking_.configuration.runners(), [&](const std::string& own) {
      return MatchesStars(ToLower(own), ToLower(label));
    });
  }

  void CheckLabel(const Node& node) {
    const std::string_view label = node.text;
    if (label.empty() || IsDeclared(label) || IsPreset(label)) return;
    if (const HostedRunner* hosted = FindHostedRunner(label)) {
      if (!hosted->end.empty() && !own_) ReportEnd(node, *hosted);
      return;
    }
    std::vector<std::string_view> known;
    for (const HostedRunner& one : HostedRunners()) {
      if (!one.over) known.push_back(one.label);
    }
    const std::string_view near = Nearest(label, known);
    const bool declared = !checking_.configuration.runners().empty();
    // Without a list of own labels, only labels similar to GitHub's are reported.
    const bool like = label.starts_with("ubuntu-") || label.starts_with("macos-") ||
                      label.starts_with("windows-");
    if (!declared && (own_ || (near.empty() && !like))) return;
    Diagnostic diagnostic =
        At(&node, "unknown-runner", fmt::format("GitHub has no runners labelled '{}'", label),
           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    diagnostic.notes.push_back(
        fmt::format("list your own labels in {}, below 'runners'", kConfigurationPath));
    checking_.Warn(std::move(diagnostic));
  }

  void ReportEnd(const Node& node, const HostedRunner& hosted) {
    Diagnostic diagnostic =
        At(&node, "retired-runner",
           fmt::format("'{}' {} {}{}", hosted.label, hosted.over ? "is gone since" : "ends on",
                       hosted.end, hosted.over ? ": its jobs fail" : ""),
           fmt::format("'{}' comes next", hosted.instead));
    diagnostic.notes.push_back(
        fmt::format("https://github.com/actions/runner-images/issues/{}", hosted.announcement));
    if (!hosted.over) diagnostic.severity = Severity::kWarning;
    checking_.Report(std::move(diagnostic));
  }

  // A runner must have all labels of a list.
  void CheckTogether(const Node& list) {
    const Node* system_of = nullptr;
    const Node* machine_of = nullptr;
    RunnerSystem system = RunnerSystem::kUnknown;
    RunnerMachine machine = RunnerMachine::kUnknown;
    for (const Node* label : list.items) {
      if (!label->is_scalar() || HoldsExpression(label->text) || IsDeclared(label->text)) continue;
      const HostedRunner* hosted = FindHostedRunner(label->text);
      const RunnerSystem own = hosted ? hosted->system : SystemOfPreset(label->text);
      const RunnerMachine kind = hosted ? hosted->machine : MachineOfPreset(label->text);
      if (own != RunnerSystem::kUnknown && system != RunnerSystem::kUnknown && own != system) {
        return ReportConflict(*label, *system_of);
      }
      if (kind != RunnerMachine::kUnknown && machine != RunnerMachine::kUnknown &&
          kind != machine) {
        return ReportConflict(*label, *machine_of);
      }
      if (own != RunnerSystem::kUnknown) system = own, system_of = label;
      if (kind != RunnerMachine::kUnknown) machine = kind, machine_of = label;
    }
  }

  void ReportConflict(const Node& label, const Node& other) {
    Diagnostic diagnostic =
        At(&label, "conflicting-runners",
           fmt::format("no machine is labelled both '{}' and '{}'", other.text, label.text),
           "the job would wait forever");
    diagnostic.related.push_back({other.where, "the other label"});
    const bool hosted = FindHostedRunner(label.text) && FindHostedRunner(other.text);
    diagnostic.severity = hosted ? Severity::kError : Severity::kWarning;
    checking_.Report(std::move(diagnostic));
  }

  // https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
  void CheckShells(const Labels& labels) {
    if (!labels.known || labels.nodes.empty() || job_.container) return;
    bool windows = false, others = false;
    RunnerSystem last = RunnerSystem::kUnknown;
    for (const Node* label : labels.nodes) {
      const HostedRunner* hosted = FindHostedRunner(label->text);
      const RunnerSystem system = hosted ? hosted->system : SystemOfPreset(label->text);
      if (system == RunnerSystem::kUnknown && labels.nodes.size() == 1) return;
      // In [self-hosted, windows] the first label has no system.
      if (system == RunnerSystem::kUnknown && !IsPreset(label->text)) return;
      if (system == RunnerSystem::kUnknown) continue;
      (system == RunnerSystem::kWindows ? windows : others) = true;
      last = system;
    }
    if (windows == others) return;  // conditions may select the steps
    const auto check = [&](const Node* shell) {
      if (shell == nullptr || !shell->is_scalar()) return;
      const bool of_windows = EqualsAnyIgnoringCase(shell->text, {"cmd", "powershell"});
      if (others && of_windows) {
        checking_.Report(At(shell, "unavailable-shell",
                            fmt::format("{} has no shell '{}'", NameOf(last), shell->text),
                            EqualsIgnoringCase(shell->text, "cmd") ? "" : "did you mean 'pwsh'?"));
      } else if (windows && EqualsIgnoringCase(shell->text, "sh")) {
        checking_.Warn(At(shell, "unavailable-shell",
                          "Windows has a shell 'sh' only if other programs install one",
                          "did you mean 'bash'?"));
      }
    };
    const auto default_shell = [](const Field& defaults) {
      return defaults ? Find(Find(defaults.value, "run"), "shell") : nullptr;
    };
    check(default_shell(job_.defaults));
    for (const WorkflowStep& step : job_.steps) check(step.shell.value);
  }

  const Checking& checking_;
  const Job& job_;
  bool own_ = false;  // the job uses own runners
};

}  // namespace

void CheckRunners(const Checking& checking) {
  for (const Job& job : checking.workflow.jobs) {
    if (job.runs_on && job.runs_on.value != nullptr) RunnerCheck(checking, job).Check();
  }
}

}  // namespace wheelwright
