// Checks actions of the repository: the keys of action.yml.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

// https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax#runs
constexpr std::array<std::string_view, 4> kUsing{"node24", "node20", "composite", "docker"};
constexpr std::array<std::string_view, 3> kGone{"node12", "node16", "node10"};

// The keys of a composite action's steps.
constexpr std::array<std::string_view, 8> kRunKeys{
    "name", "id", "if", "run", "shell", "env", "continue-on-error", "working-directory"};
constexpr std::array<std::string_view, 7> kUsesKeys{
    "name", "id", "if", "uses", "with", "env", "continue-on-error"};

class ActionCheck {
 public:
  ActionCheck(const Node& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  void Check() {
    if (!root_.is_mapping()) {
      return Report(At(&root_, "bad-action", "an action is a mapping, and this is not"));
    }
    CheckBlock("inputs");
    CheckBlock("outputs");
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
  // Mappings of mappings.
  void CheckBlock(std::string_view key) {
    const Node* block = Find(&root_, key);
    if (block == nullptr || block->is_null()) return;
    if (!block->is_mapping()) {
      return Report(
          At(block, "bad-action",
             fmt::format("'{}' is a mapping, and this is {}", key, DescribeKind(*block))));
    }
    for (const Entry& entry : block->entries) {
      if (entry.value->is_mapping() || (key == "inputs" && entry.value->is_null())) continue;
      Report(At(entry.value, "bad-action",
                fmt::format("'{}' of '{}' is a mapping, and this is {}", entry.key->text, key,
                            DescribeKind(*entry.value))));
    }
  }

  bool Expect(const Node& runs, std::string_view key) {
    if (Find(&runs, key) != nullptr) return true;
    Report(At(&runs, "bad-action", fmt::format("'runs' has no '{}'", key)));
    return false;
  }

  void CheckSteps(const Node& steps) {
    if (!steps.is_sequence()) {
      return Report(At(&steps, "bad-action",
                       fmt::format("'steps' is a list, and this is {}", DescribeKind(steps))));
    }
    std::map<std::string, const Node*> ids;
    for (const Node* step : steps.items) {
      if (!step->is_mapping()) {
        Report(At(step, "bad-action",
                  fmt::format("a step is a mapping, and this is {}", DescribeKind(*step))));
        continue;
      }
      CheckStep(*step);
      const Node* id = Find(step, "id");
      if (id == nullptr || !id->is_scalar()) continue;
      const auto [first, is_new] = ids.emplace(ToLower(id->text), id);
      if (is_new) continue;
      Diagnostic diagnostic =
          At(id, "duplicate-id", fmt::format("two steps have the id '{}'", id->text));
      diagnostic.related.push_back({first->second->where, "the first one"});
      Report(std::move(diagnostic));
    }
  }

  void CheckStep(const Node& step) {
    const Entry* run = FindEntry(&step, "run");
    const bool uses = Find(&step, "uses") != nullptr;
    if (run != nullptr && Find(&step, "shell") == nullptr) {
      Report(At(run->key, "bad-action", "a script of an action has to name its 'shell'"));
    } else if (run == nullptr && !uses) {
      return Report(At(&step, "bad-action", "a step of an action has neither 'run' nor 'uses'"));
    }
    const std::span<const std::string_view> keys =
        run != nullptr ? std::span<const std::string_view>(kRunKeys) : kUsesKeys;
    for (const Entry& entry : step.entries) {
      if (std::ranges::find(keys, entry.key->text) != keys.end()) continue;
      Report(At(entry.key, "unknown-key",
                fmt::format("a step of an action that {} has no '{}'",
                            run != nullptr ? "runs a script" : "uses an action", entry.key->text),
                DidYouMean(entry.key->text, keys, "it has")));
    }
  }

  void Report(Diagnostic diagnostic) { diagnostics_.Report(std::move(diagnostic)); }

  const Node& root_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckAction(const Node& root, Diagnostics& diagnostics) {
  ActionCheck(root, diagnostics).Check();
}

}  // namespace wheelwright
