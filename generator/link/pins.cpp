// Checks that third-party code is pinned: actions by commit, images by digest.
#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

bool HasDigest(std::string_view image) {
  const std::size_t at = image.find("@sha256:");
  return at != std::string_view::npos && IsSha256(image.substr(at + 8));
}

// A word with a digit in it, such as v6.0.2.
bool NamesVersion(std::string_view comment) { return std::ranges::any_of(comment, IsDigit); }

void CheckImage(const Linking& linking, const Node* image) {
  if (!image || !image->is_string() || HoldsExpression(image->text) || image->text.empty()) return;
  std::string_view name = image->text;
  if (name.starts_with("docker://")) name.remove_prefix(9);
  if (HasDigest(name)) return;
  linking.Report(
      linking.rules().pinned_images,
      At(image, "unpinned-image", fmt::format("the image '{}' is not named by its digest", name),
         "write name@sha256:..."));
}

void CheckUses(const Linking& linking, const Field& field) {
  if (!field.value->is_string()) return;
  const std::string_view uses = field.value->text;
  if (uses.starts_with('.') || uses.starts_with("$/") || uses.empty() || HoldsExpression(uses))
    return;
  if (uses.starts_with("docker://")) {
    CheckImage(linking, field.value);
    return;
  }
  const LockFile* lock = linking.context.lock;
  if (lock != nullptr && lock->Covers(LockName(linking.file.name), uses)) return;
  const std::size_t at = uses.find('@');
  if (at == std::string_view::npos) return;  // reported by the syntax checks
  const std::string_view version = uses.substr(at + 1);
  if (!IsCommitId(version)) {
    Diagnostic diagnostic = At(field.value, "unpinned-action",
                               fmt::format("'{}' is not pinned: '{}' may be moved to other code",
                                           uses.substr(0, at), version),
                               "write the full commit");
    diagnostic.notes.push_back(
        fmt::format("as in {}@<40 hexadecimal digits> # {}", uses.substr(0, at), version));
    linking.Report(linking.rules().pinned_actions, std::move(diagnostic));
  } else if (linking.rules().pin_comments != RuleLevel::kOff &&
             !NamesVersion(TrailingComment(field))) {
    linking.Report(
        linking.rules().pin_comments,
        At(field.value, "missing-pin-comment",
           fmt::format("the version of '{}' at this commit is not given", uses.substr(0, at)),
           "add a comment: # v1.2.3"));
  }
}

}  // namespace

std::string LockName(std::string_view file) { return fmt::format(".github/workflows/{}", file); }

std::string_view TrailingComment(const Field& field) {
  for (const Node* node : {field.key, field.value}) {
    if (node->comments && !node->comments->trailing.empty()) return node->comments->trailing;
  }
  return {};
}

void CheckPins(const Linking& linking) {
  for (const Job& job : linking.workflow.jobs) {
    if (job.uses) CheckUses(linking, job.uses);
    for (const WorkflowStep& step : job.steps) {
      if (step.uses) CheckUses(linking, step.uses);
    }
    if (job.container) {
      CheckImage(linking, job.container.value->is_mapping() ? Find(job.container.value, "image")
                                                            : job.container.value);
    }
    if (job.services) {
      for (const Entry& service : job.services.value->entries) {
        CheckImage(linking,
                   service.value->is_mapping() ? Find(service.value, "image") : service.value);
      }
    }
  }
}

}  // namespace wheelwright
