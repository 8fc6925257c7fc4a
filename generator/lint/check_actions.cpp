// Checks actions of the repository: the keys of action.yml.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

// https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#runs
constexpr std::array<std::string_view, 5> kUsing{"node24", "node20", "composite", "docker",
                                                 "node22"};
constexpr std::array<std::string_view, 3> kGone{"node12", "node16", "node10"};

class ActionCheck {
 public:
  ActionCheck(const Node& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  void Check() {
    if (!root_.is_mapping()) {
      return Report(At(&root_, "bad-action", "an action is a mapping, and this is not"));
    }
    for (const char* key : {"name", "description", "runs"}) {
      if (Find(&root_, key) == nullptr) {
        Diagnostic diagnostic =
            At(&root_, "bad-action", fmt::format("the action has no '{}'", key));
        // Runners only ask for the last; it is GitHub's marketplace that asks for all.
        if (std::string_view(key) != "runs") diagnostic.severity = Severity::kWarning;
        Report(std::move(diagnostic));
      }
    }
    const Node* runs = Find(&root_, "runs");
    const Node* with = Find(runs, "using");
    if (runs == nullptr) return;
    if (with == nullptr || !with->is_scalar()) {
      return Report(At(runs, "bad-action", "'runs' does not say what is 'using' it"));
    }
    if (std::ranges::find(kGone, with->text) != kGone.end()) {
      Diagnostic diagnostic =
          At(with, "bad-action",
             fmt::format("'{}' no longer exists: runners use another version", with->text),
             "write 'node24'");
      diagnostic.severity = Severity::kWarning;
      Report(std::move(diagnostic));
    } else if (std::ranges::find(kUsing, with->text) == kUsing.end()) {
      return Report(At(with, "bad-action", fmt::format("actions cannot run with '{}'", with->text),
                       DidYouMean(with->text, kUsing)));
    }
    if (with->text.starts_with("node")) Expect(*runs, "main");
    if (with->text == "docker") Expect(*runs, "image");
    if (with->text == "composite" && Expect(*runs, "steps")) CheckSteps(*Find(runs, "steps"));
  }

 private:
  bool Expect(const Node& runs, std::string_view key) {
    if (Find(&runs, key) != nullptr) return true;
    Report(At(&runs, "bad-action", fmt::format("'runs' has no '{}'", key)));
    return false;
  }

  void CheckSteps(const Node& steps) {
    for (const Node* step : steps.items) {
      const Entry* run = FindEntry(step, "run");
      const bool uses = Find(step, "uses") != nullptr;
      if (run != nullptr && Find(step, "shell") == nullptr) {
        Report(At(run->key, "bad-action", "a script of an action has to name its 'shell'"));
      } else if (run == nullptr && !uses) {
        Report(At(step, "bad-action", "a step of an action has neither 'run' nor 'uses'"));
      }
    }
  }

  void Report(Diagnostic diagnostic) { diagnostics_.Report(std::move(diagnostic)); }

  const Node& root_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckActionScripts(const Node& root, const Programs& programs, const SourceManager& sources,
                        Diagnostics& diagnostics) {
  const Node* steps = Find(Find(&root, "runs"), "steps");
  if (steps == nullptr) return;
  for (const Node* step : steps->items) {
    const Node* run = Find(step, "run");
    if (run == nullptr || !IsPosixShell(FindText(step, "shell"))) continue;
    CheckProgramCalls(*run, programs, sources, diagnostics);
  }
}

void CheckAction(const Node& root, Diagnostics& diagnostics) {
  ActionCheck(root, diagnostics).Check();
}

}  // namespace wheelwright
