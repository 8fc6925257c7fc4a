// Checks that untrusted code and files do not enter a privileged job by a checkout, a script, an
// artifact of another run, or a cache.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/characters.h"
#include "base/text.h"
#include "generator/link/credentials.h"
#include "generator/link/rules.h"
#include "generator/link/shell_commands.h"
#include "generator/workflow/permissions.h"

namespace wheelwright {
namespace {

// Events that anybody can cause and that run with the rights of the repository:
// https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
constexpr std::array<std::string_view, 13> kStrangersEvents{"pull_request_target",
                                                            "workflow_run",
                                                            "issue_comment",
                                                            "issues",
                                                            "discussion",
                                                            "discussion_comment",
                                                            "check_run",
                                                            "check_suite",
                                                            "deployment_status",
                                                            "fork",
                                                            "gollum",
                                                            "status",
                                                            "watch"};

// Expressions that name the code of a pull request, or that its author controls.
constexpr std::array<std::string_view, 14> kHeads{"github.event.pull_request.head",
                                                  "github.event.pull_request.merge_commit_sha",
                                                  "github.event.pull_request.number",
                                                  "github.event.number",
                                                  "github.event.issue.",
                                                  "github.event.comment.",
                                                  "github.event.discussion.",
                                                  "github.event.workflow_run.head_",
                                                  "github.event.workflow_run.pull_requests",
                                                  "github.event.check_run.",
                                                  "github.event.check_suite.",
                                                  "github.head_ref",
                                                  "tojson(github",
                                                  "refs/pull/"};

// Results of earlier steps, which may have asked for the head of a pull request.
constexpr std::array<std::string_view, 3> kResults{"steps.", "needs.", "env."};

template <typename List>
bool HoldsAny(std::string_view text, const List& list) {
  return std::ranges::any_of(
      list, [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

// In lower case, without blanks, and with `.name` for `['name']`.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    if (c == '\'' && plain.ends_with('[')) {
      plain.back() = '.';
    } else if (c == ']' && plain.ends_with('\'')) {
      plain.pop_back();
    } else {
      plain += c;
    }
  }
  return ToLower(plain);
}

bool NamesHead(std::string_view text) {
  const std::string plain = Plain(text);
  // A computed property may be any.
  return HoldsAny(plain, kHeads) || plain.find("github[") != std::string::npos ||
         plain.find("github.event[") != std::string::npos ||
         plain.find("github.event.pull_request[") != std::string::npos;
}

// pull/1/head, or the format of one.
bool NamesPullRef(std::string_view text) {
  const std::size_t at = text.find("pull/");
  if (at == std::string_view::npos) return false;
  const std::string_view behind = text.substr(at);
  return behind.find("/head") != std::string_view::npos ||
         behind.find("/merge") != std::string_view::npos;
}

bool IsComputedRef(std::string_view text) {
  return HoldsExpression(text) && HoldsAny(Plain(text), kResults);
}

bool MayWrite(const Linking& linking, const Job& job) {
  const Field& block = job.permissions ? job.permissions : linking.trusted.permissions;
  if (block) {
    const Permissions granted = ReadPermissions(*block.value);
    if (std::ranges::find(granted, Access::kWrite) != granted.end()) return true;
  }
  return static_cast<bool>(job.environment);
}

class JobCheck {
 public:
  JobCheck(const Linking& linking, const Job& job, const Event* strangers)
      : linking_(linking), job_(job), strangers_(strangers) {
    somebody_ = MayAssumeRole(linking.trusted, job);
    privileged_ = strangers != nullptr || somebody_ || MayWrite(linking, job);
  }

  void Run() {
    if (!privileged_) return;
    NoteHeads(linking_.trusted.env);
    NoteHeads(job_.env);
    for (const WorkflowStep& step : job_.steps) CheckStep(step);
  }

 private:
  void CheckStep(const WorkflowStep& step) {
    NoteHeads(step.env);
    const std::string_view action = ActionName(step.uses.text());
    const Node* script = step.run ? step.run.value : nullptr;
    if (EqualsIgnoringCase(action, "actions/github-script"))
      script = Find(step.with.value, "script");
    if (EqualsIgnoringCase(action, "actions/checkout")) CheckCheckout(step);
    if (step.uses.text().starts_with("./") && foreign_ == kWorkspace)
      ReportArtifact(step.uses.value);
    if (script != nullptr && script->is_string()) CheckScript(step, *script);
    CheckDownload(step, action);
    if (somebody_) CheckCache(step, action);
  }

  void CheckCheckout(const WorkflowStep& step) {
    for (const std::string_view input : {"ref", "repository"}) {
      const Node* value = Find(step.with.value, input);
      if (value == nullptr || !value->is_scalar()) continue;
      const bool head =
          strangers_ != nullptr && (NamesHead(value->text) || IsComputedRef(value->text));
      if (head || NamesPullRef(value->text)) ReportCode(value);
    }
  }

  // Notes variables with untrusted values.
  void NoteHeads(const Field& table) {
    if (table.value == nullptr || !table.value->is_mapping()) return;
    for (const Entry& entry : table.value->entries) {
      if (NamesHead(entry.value->text) || NamesPullRef(entry.value->text)) {
        heads_.insert(entry.key->text);
      }
    }
  }

  bool ReadsHead(std::string_view command) const {
    if (NamesHead(command)) return true;
    for (std::size_t at = command.find('$'); at != std::string_view::npos;
         at = command.find('$', at + 1)) {
      std::size_t begin = at + 1;
      if (begin < command.size() && command[begin] == '{') ++begin;
      std::size_t end = begin;
      while (end < command.size() && IsWordCharacter(command[end])) ++end;
      if (heads_.contains(command.substr(begin, end - begin))) return true;
    }
    return false;
  }

  void CheckScript(const WorkflowStep& step, const Node& script) {
    bool code = false;
    bool runs = false;
    const std::string_view folder = step.working_directory.text();
    for (const ShellCommand& command : ShellCommands(script.text)) {
      if (command.Has({"gh", "pr", "checkout"}) || command.Has({"gh", "co"}) ||
          command.Has({"hub", "pr", "checkout"})) {
        code = true;
      } else if (command.TakesCode()) {
        code |= NamesPullRef(command.text) || (strangers_ != nullptr && ReadsHead(command.text));
      } else if (command.Has({"gh", "run", "download"})) {
        foreign_ = std::string(command.OptionOf({"-D", "--dir"}, kWorkspace));
      }
      if (foreign_.empty()) continue;
      const bool inside = foreign_ == kWorkspace ||
                          folder.find(foreign_) != std::string_view::npos ||
                          command.text.find(foreign_) != std::string_view::npos;
      runs |= inside && command.RunsFile();
    }
    if (code) ReportCode(&script);
    if (runs) ReportArtifact(&script);
  }

  // Artifacts of this run are made by its own code; those of another run may be untrusted.
  void CheckDownload(const WorkflowStep& step, std::string_view action) {
    const bool other_run =
        EqualsIgnoringCase(action, "dawidd6/action-download-artifact") ||
        (EqualsIgnoringCase(action, "actions/download-artifact") &&
         Find(step.with.value, "run-id") != nullptr &&
         Plain(FindText(step.with.value, "run-id")).find("github.run_id") == std::string::npos) ||
        (EqualsIgnoringCase(action, "actions/github-script") &&
         FindText(step.with.value, "script").find("downloadArtifact") != std::string_view::npos);
    if (!other_run) return;
    std::string_view path = FindText(step.with.value, "path");
    while (path.ends_with('/')) path.remove_suffix(1);
    path = path.substr(path.rfind('/') + 1);
    foreign_ = path.empty() || HoldsExpression(path) ? kWorkspace : path;
  }

  void CheckCache(const WorkflowStep& step, std::string_view action) {
    const bool restores =
        (EqualsIgnoringCase(action, "actions/cache") &&
         step.uses.text().find("/save") == std::string_view::npos) ||
        (action.find("/setup-") != std::string_view::npos && step.with.value != nullptr &&
         Find(step.with.value, "cache") != nullptr &&
         FindText(step.with.value, "cache") != std::string_view("false"));
    if (!restores) return;
    Diagnostic diagnostic =
        At(step.uses.value, "untrusted-cache",
           fmt::format("job '{}' may assume a role, and takes files out of a cache", job_.id),
           "make the files here, or take them from a job of this run");
    diagnostic.notes.push_back(
        "any job of the branch can write to the cache, whatever code it runs");
    linking_.Report(linking_.rules().untrusted_caches, std::move(diagnostic));
  }

  void ReportCode(const Node* at) {
    Report(At(at, "untrusted-checkout",
              fmt::format("job '{}' checks out a pull request's code with the rights of this "
                          "repository",
                          job_.id)),
           "run unreviewed code from 'pull_request' only");
  }

  void ReportArtifact(const Node* at) {
    Report(At(at, "untrusted-artifact",
              fmt::format("job '{}' runs what another run left as an artifact, with the rights of "
                          "this repository",
                          job_.id)),
           "that run may have been of unreviewed code: only read such files as data, or remove the "
           "job's rights");
  }

  void Report(Diagnostic diagnostic, std::string note) {
    if (strangers_ != nullptr) {
      diagnostic.related.push_back(
          {strangers_->key->where, "runs with secrets and a token that may write"});
    } else {
      diagnostic.related.push_back({job_.key->where, "this job may write, or assume a role"});
    }
    diagnostic.notes.push_back(std::move(note));
    linking_.Report(linking_.rules().untrusted_checkout, std::move(diagnostic));
  }

  static constexpr std::string_view kWorkspace = ".";

  const Linking& linking_;
  const Job& job_;
  const Event* strangers_;  // null: the file has no such event
  bool somebody_ = false;
  bool privileged_ = false;
  std::set<std::string_view> heads_;
  std::string foreign_;  // the folder of another run's artifact; empty: none
};

}  // namespace

void CheckUntrustedCode(const Linking& linking) {
  const auto& events = linking.trusted.events;
  const auto strangers = std::ranges::find_if(events, [](const Event& event) {
    return std::ranges::find(kStrangersEvents, event.name) != kStrangersEvents.end();
  });
  // A run of pull_request alone has the rights of its author.
  if (std::ranges::all_of(events,
                          [](const Event& event) { return event.name == "pull_request"; })) {
    return;
  }
  for (const Job& job : linking.trusted.jobs) {
    if (!job.is_call()) {
      JobCheck(linking, job, strangers == events.end() ? nullptr : &*strangers).Run();
    }
  }
}

}  // namespace wheelwright
