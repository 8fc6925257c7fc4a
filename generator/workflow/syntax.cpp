#include "generator/workflow/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "generator/workflow/permissions.h"
#include "generator/workflow/syntax_check.h"

namespace wheelwright {
namespace {

class SyntaxCheck : private SyntaxReporter {
 public:
  SyntaxCheck(const Workflow& workflow, Diagnostics& diagnostics)
      : SyntaxReporter(diagnostics), workflow_(workflow), diagnostics_(diagnostics) {}

  void Run() {
    if (!workflow_.root->is_mapping()) {
      Report(workflow_.root, "not-a-workflow",
             fmt::format("a workflow must be a mapping, not {}", DescribeKind(*workflow_.root)));
      return;
    }
    CheckMapping(*workflow_.root, nullptr, WorkflowSyntax());
    CheckPermissions(workflow_.permissions);
    CheckTriggers(workflow_, diagnostics_);
    if (workflow_.jobs_field && workflow_.jobs.empty() &&
        workflow_.jobs_field.value->is_mapping()) {
      Report(workflow_.jobs_field.key, "no-jobs", "the workflow has no jobs");
    }
    for (std::size_t i = 0; i < workflow_.jobs.size(); ++i) {
      const Job& job = workflow_.jobs[i];
      const auto first = static_cast<std::size_t>(workflow_.JobIndex(job.id));
      if (first != i) ReportDuplicate("job", job.key, workflow_.jobs[first].key);
      CheckJob(job);
    }
  }

 private:
  void CheckPermissions(const Field& field) {
    if (!field) return;
    const Node& value = *field.value;
    if (value.is_scalar()) {
      if (value.text == "read-all" || value.text == "write-all") return;
      Diagnostic diagnostic = At(&value, "unknown-permission",
                                 fmt::format("'{}' is no set of permissions", value.text));
      diagnostic.notes.push_back(
          "a mapping of scopes, 'read-all' or 'write-all'; {} grants nothing");
      Report(std::move(diagnostic));
      return;
    }
    for (const Entry& entry : value.entries) {
      const std::optional<std::size_t> scope = FindPermissionScope(entry.key->text);
      if (!scope) {
        Report(entry.key, "unknown-permission",
               fmt::format("there is no permission '{}'", entry.key->text),
               DidYouMean(entry.key->text, kPermissionScopes));
        continue;
      }
      const std::optional<Access> access = ParseAccess(entry.value->text);
      if (!access || !IsLegalAccess(*scope, *access)) {
        Report(
            entry.value, "unknown-permission",
            fmt::format("'{}' cannot be '{}'", entry.key->text, entry.value->text),
            IsLegalAccess(*scope, Access::kRead)
                ? (IsLegalAccess(*scope, Access::kWrite) ? "read, write or none" : "read or none")
                : "write or none");
      }
    }
  }

  void CheckJob(const Job& job) {
    if (const std::string problem = IdProblem(job.id); !problem.empty()) {
      Report(job.key, "bad-id", fmt::format("'{}' cannot be a job's id: {}", job.id, problem));
    }
    if (!job.node->is_mapping()) {
      Report(job.key, "wrong-kind",
             fmt::format("job '{}' must be a mapping, not {}", job.id, DescribeKind(*job.node)));
      return;
    }
    if (job.uses && (job.steps_field || job.runs_on)) {
      Diagnostic diagnostic =
          At((job.steps_field ? job.steps_field : job.runs_on).key, "uses-and-steps",
             fmt::format("job '{}' calls a workflow, so it cannot have '{}'", job.id,
                         job.steps_field ? "steps" : "runs-on"));
      diagnostic.related.push_back({job.uses.where(), "the call"});
      Report(std::move(diagnostic));
      return;
    }
    CheckMapping(*job.node, job.key, job.uses ? CallSyntax() : JobSyntax());
    CheckPermissions(job.permissions);
    if (job.uses) {
      CheckCall(job);
      return;
    }
    if (!job.runs_on) {
      Report(job.key, "missing-runs-on",
             fmt::format("job '{}' has neither 'runs-on' nor 'uses'", job.id));
    }
    if (!job.steps_field ||
        (job.steps_field.value->is_sequence() && job.steps_field.value->items.empty())) {
      Report(job.key, "missing-steps", fmt::format("job '{}' has no steps", job.id));
    }
    CheckSteps(job);
  }

  void CheckCall(const Job& job) {
    const std::string_view uses = job.uses.text();
    if (HoldsExpression(uses)) return;  // the check of expressions says so
    const bool local = uses.starts_with("./") || uses.starts_with("$/");
    const std::size_t folder = uses.find(".github/workflows/");
    const std::size_t version = uses.find('@');
    const std::string_view path = uses.substr(0, version);
    std::string problem;
    if (folder == std::string_view::npos || !(path.ends_with(".yml") || path.ends_with(".yaml"))) {
      problem = "a workflow is in .github/workflows/ and its name ends in .yml or .yaml";
    } else if (path.find('/', folder + 18) != std::string_view::npos) {
      problem = "GitHub does not look into folders below .github/workflows/";
    } else if (local && version != std::string_view::npos) {
      problem = "a workflow of the same repository has no version";
    } else if (!local && version == std::string_view::npos) {
      problem = "a workflow of another repository needs '@' and a version";
    }
    if (problem.empty()) return;
    Diagnostic diagnostic =
        At(job.uses.value, "bad-uses", fmt::format("'{}' is no workflow that can be called", uses));
    diagnostic.notes.push_back(std::move(problem));
    Report(std::move(diagnostic));
  }

  void CheckSteps(const Job& job) {
    for (const WorkflowStep& step : job.steps) {
      CheckMapping(*step.node, nullptr, StepSyntax(step));
      if (step.run && step.uses) {
        Diagnostic diagnostic =
            At(step.run.key, "uses-and-run", "a step cannot have both 'uses' and 'run'");
        diagnostic.related.push_back({step.uses.where(), "the action"});
        Report(std::move(diagnostic));
      } else if (!step.run && !step.uses && !step.node->entries.empty()) {
        const bool steers = step.wait || step.wait_all || step.cancel || step.parallel;
        if (!steers || step.in_parallel) {
          Report(step.node->entries.front().key, "empty-step",
                 step.in_parallel ? "a parallel step needs 'uses' or 'run'"
                                  : "a step needs 'uses' or 'run'");
        } else {
          CheckSteered(job, step);
        }
      }
      if (step.id) CheckStepId(job, step);
      if (step.uses) CheckAction(step);
      if (step.shell) CheckShell(*step.shell.value);
    }
  }

  // `wait` and `cancel` name steps that were started in the background before.
  void CheckSteered(const Job& job, const WorkflowStep& step) {
    const Field& named = step.wait ? step.wait : step.cancel;
    if (!named) return;
    const auto check = [&](const Node& id) {
      if (!id.is_scalar() || id.text.empty()) return;
      std::vector<std::string_view> running;
      for (const WorkflowStep& other : job.steps) {
        if (&other == &step) break;
        if (other.id && other.background && other.background.value->is_true()) {
          if (EqualsIgnoringCase(other.id.text(), id.text)) return;
          running.push_back(other.id.text());
        }
      }
      Diagnostic diagnostic =
          At(&id, "unknown-step",
             fmt::format("no step '{}' was started in the background before this one", id.text),
             DidYouMean(id.text, running));
      if (diagnostic.hint.empty()) diagnostic.hint = "give that step 'background: true'";
      Report(std::move(diagnostic));
    };
    if (named.value->is_scalar()) check(*named.value);
    for (const Node* item : named.value->items) check(*item);
  }

  void CheckStepId(const Job& job, const WorkflowStep& step) {
    const std::string_view id = step.id.text();
    if (const std::string problem = IdProblem(id); !problem.empty()) {
      Report(step.id.value, "bad-id", fmt::format("'{}' cannot be a step's id: {}", id, problem));
    }
    for (const WorkflowStep& other : job.steps) {
      if (&other == &step) return;
      if (other.id && EqualsIgnoringCase(other.id.text(), id)) {
        ReportDuplicate("step", step.id.value, other.id.value);
        return;
      }
    }
  }

  void CheckAction(const WorkflowStep& step) {
    const std::string_view uses = step.uses.text();
    if (uses.empty() || uses.starts_with("./") || uses.starts_with("../") ||
        uses.starts_with("$/") || uses.starts_with("docker://")) {
      return;
    }
    const std::size_t version = uses.find('@');
    const std::string_view name = uses.substr(0, version);
    std::string problem;
    if (HoldsExpression(uses)) return;
    if (name.find('/') == std::string_view::npos || name.starts_with('/')) {
      problem = "an action is named owner/name@version, ./folder or docker://image";
    } else if (version == std::string_view::npos || version + 1 == uses.size()) {
      problem = "an action of another repository needs '@' and a version";
    }
    if (problem.empty()) return;
    Diagnostic diagnostic = At(step.uses.value, "bad-uses", fmt::format("'{}' is no action", uses));
    diagnostic.notes.push_back(std::move(problem));
    Report(std::move(diagnostic));
  }

  void CheckShell(const Node& shell) {
    static constexpr std::string_view kShells[] = {"bash",       "sh",  "pwsh",
                                                   "powershell", "cmd", "python"};
    if (shell.text.find("{0}") != std::string_view::npos || HoldsExpression(shell.text)) return;
    if (EqualsAnyIgnoringCase(Trim(shell.text), kShells)) return;
    Diagnostic diagnostic =
        At(&shell, "unknown-shell", fmt::format("there is no shell '{}'", shell.text),
           DidYouMean(shell.text, kShells));
    diagnostic.notes.push_back(
        "a command of your own must hold {0}, which becomes the script's path");
    Report(std::move(diagnostic));
  }

  const Workflow& workflow_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string IdProblem(std::string_view id) {
  if (id.empty()) return "it is empty";
  if (id.size() >= 100)
    return fmt::format("it has {} characters, but GitHub accepts 99", id.size());
  if (id.starts_with("__")) return "names that start with '__' are GitHub's own";
  if (!IsLetter(id[0]) && id[0] != '_') return "it must start with a letter or '_'";
  for (const char c : id) {
    if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '-') {
      return "it may have letters, digits, '-' and '_' only";
    }
  }
  return "";
}

void CheckSyntax(const Workflow& workflow, Diagnostics& diagnostics) {
  SyntaxCheck(workflow, diagnostics).Run();
}

}  // namespace wheelwright
