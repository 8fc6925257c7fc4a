// The data of GitHub's workflow syntax.
#include <algorithm>
#include <array>

#include "generator/workflow/syntax.h"

namespace wheelwright {
namespace {

using Key = SyntaxKey;

constexpr Key kAnyText{"", kText};

// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#cache-mode
// https://github.blog/changelog/2026-09-10-control-github-actions-cache-access-with-cache-mode
constexpr Key kCacheMode{"cache-mode", kNonEmpty, nullptr, 0, false, "read write write-only none"};

constexpr Key kAnyScalar{"", kText};
constexpr SyntaxLevel kInputValues{"'with'", {}, &kAnyScalar};
constexpr SyntaxLevel kSecretValues{"'secrets'", {}, &kAnyScalar};
constexpr SyntaxLevel kEnv{"'env'", {}, &kAnyText};
constexpr SyntaxLevel kOutputs{"'outputs'", {}, &kAnyText};

constexpr std::array kRunDefaultsKeys{Key{"shell", kNonEmpty}, Key{"working-directory", kNonEmpty}};
constexpr SyntaxLevel kRunDefaults{"'defaults.run'", kRunDefaultsKeys};
constexpr std::array kDefaultsKeys{Key{"run", kMap | kExpression, &kRunDefaults}};
constexpr SyntaxLevel kDefaults{"'defaults'", kDefaultsKeys};

constexpr std::array kConcurrencyKeys{Key{"group", kNonEmpty, nullptr, 0, true},
                                      Key{"cancel-in-progress", kBoolean | kExpression},
                                      Key{"queue", kNonEmpty, nullptr, 0, false, "single max"}};
constexpr SyntaxLevel kConcurrency{"'concurrency'", kConcurrencyKeys};

constexpr Key kMatrixAxis{"", kList | kExpression};
constexpr std::array kMatrixKeys{Key{"include", kList | kExpression, nullptr, kMap | kExpression},
                                 Key{"exclude", kList | kExpression, nullptr, kMap | kExpression}};
constexpr SyntaxLevel kMatrix{"a matrix", kMatrixKeys, &kMatrixAxis};
constexpr std::array kStrategyKeys{Key{"matrix", kMap | kExpression, &kMatrix},
                                   Key{"fail-fast", kBoolean | kExpression},
                                   Key{"max-parallel", kNumber | kExpression}};
constexpr SyntaxLevel kStrategy{"'strategy'", kStrategyKeys};

constexpr std::array kRunsOnKeys{Key{"group", kNonEmpty},
                                 Key{"labels", kNonEmpty | kList, nullptr, kNonEmpty}};
constexpr SyntaxLevel kRunsOn{"'runs-on'", kRunsOnKeys};

constexpr std::array kEnvironmentKeys{Key{"name", kText, nullptr, 0, true}, Key{"url", kText},
                                      Key{"deployment", kBoolean | kExpression}};
constexpr SyntaxLevel kEnvironment{"'environment'", kEnvironmentKeys};

constexpr std::array kSnapshotKeys{Key{"image-name", kNonEmpty, nullptr, 0, true}, Key{"if", kText},
                                   Key{"version", kNonEmpty}};
constexpr SyntaxLevel kSnapshot{"'snapshot'", kSnapshotKeys};

constexpr std::array kCredentialsKeys{Key{"username", kNonEmpty}, Key{"password", kNonEmpty}};
constexpr SyntaxLevel kCredentials{"'credentials'", kCredentialsKeys};
constexpr std::array kContainerKeys{Key{"image", kText},
                                    Key{"options", kText},
                                    Key{"env", kMap | kExpression, &kEnv},
                                    Key{"ports", kList | kExpression, nullptr, kNonEmpty},
                                    Key{"volumes", kList | kExpression, nullptr, kNonEmpty},
                                    Key{"credentials", kMap | kExpression, &kCredentials}};
constexpr SyntaxLevel kContainer{"a container", kContainerKeys};
constexpr std::array kServiceKeys{Key{"image", kText},
                                  Key{"options", kText},
                                  Key{"env", kMap | kExpression, &kEnv},
                                  Key{"ports", kList | kExpression, nullptr, kNonEmpty},
                                  Key{"volumes", kList | kExpression, nullptr, kNonEmpty},
                                  Key{"credentials", kMap | kExpression, &kCredentials},
                                  Key{"entrypoint", kText},
                                  Key{"command", kText}};
constexpr SyntaxLevel kService{"a service", kServiceKeys};
constexpr Key kAnyService{"", kText | kMap | kExpression, &kService};
constexpr SyntaxLevel kServices{"'services'", {}, &kAnyService};

constexpr std::array kRunStepKeys{Key{"name", kText},
                                  Key{"run", kText},
                                  Key{"env", kMap | kExpression, &kEnv},
                                  Key{"id", kNonEmpty},
                                  Key{"if", kText},
                                  Key{"timeout-minutes", kNumber | kExpression},
                                  Key{"shell", kNonEmpty},
                                  Key{"working-directory", kText},
                                  Key{"continue-on-error", kBoolean | kExpression},
                                  Key{"background", kBoolean}};
constexpr std::array kUsesStepKeys{Key{"name", kText},
                                   Key{"uses", kNonEmpty},
                                   Key{"with", kMap | kExpression, &kInputValues},
                                   Key{"id", kNonEmpty},
                                   Key{"if", kText},
                                   Key{"env", kMap | kExpression, &kEnv},
                                   Key{"timeout-minutes", kNumber | kExpression},
                                   Key{"continue-on-error", kBoolean | kExpression},
                                   Key{"background", kBoolean}};
// Steps that steer others, of June 2026.
constexpr std::array kWaitStepKeys{Key{"name", kText}, Key{"id", kNonEmpty},
                                   Key{"continue-on-error", kBoolean | kExpression},
                                   Key{"wait", kNonEmpty | kList, nullptr, kNonEmpty}};
constexpr std::array kWaitAllStepKeys{Key{"name", kText}, Key{"id", kNonEmpty},
                                      Key{"continue-on-error", kBoolean | kExpression},
                                      Key{"wait-all", kNothing | kBoolean}};
constexpr std::array kCancelStepKeys{Key{"name", kText}, Key{"id", kNonEmpty},
                                     Key{"continue-on-error", kBoolean | kExpression},
                                     Key{"cancel", kNonEmpty}};
constexpr std::array kParallelStepKeys{Key{"parallel", kList, nullptr, kMap}};
constexpr std::array kAnyStepKeys{Key{"name", kText},
                                  Key{"uses", kNonEmpty},
                                  Key{"run", kText},
                                  Key{"with", kMap | kExpression, &kInputValues},
                                  Key{"id", kNonEmpty},
                                  Key{"if", kText},
                                  Key{"env", kMap | kExpression, &kEnv},
                                  Key{"timeout-minutes", kNumber | kExpression},
                                  Key{"shell", kNonEmpty},
                                  Key{"working-directory", kText},
                                  Key{"continue-on-error", kBoolean | kExpression},
                                  Key{"background", kBoolean},
                                  Key{"wait", kNonEmpty | kList, nullptr, kNonEmpty},
                                  Key{"wait-all", kNothing | kBoolean},
                                  Key{"cancel", kNonEmpty},
                                  Key{"parallel", kList, nullptr, kMap}};

// `permissions` and the steps are looked at by rules of their own.
constexpr Kinds kPermissionKinds = kText | kMap;

constexpr std::array kJobKeys{Key{"name", kText},
                              Key{"needs", kNonEmpty | kList, nullptr, kNonEmpty},
                              Key{"if", kText},
                              Key{"runs-on", kNonEmpty | kList | kMap, &kRunsOn, kNonEmpty},
                              Key{"permissions", kPermissionKinds},
                              Key{"timeout-minutes", kNumber | kExpression},
                              Key{"steps", kList, nullptr, kMap},
                              Key{"env", kMap | kExpression, &kEnv},
                              Key{"outputs", kMap, &kOutputs},
                              Key{"strategy", kMap | kExpression, &kStrategy},
                              Key{"container", kText | kMap | kExpression, &kContainer},
                              Key{"services", kMap | kExpression, &kServices},
                              Key{"environment", kText | kMap, &kEnvironment},
                              Key{"defaults", kMap, &kDefaults},
                              Key{"concurrency", kNonEmpty | kMap, &kConcurrency},
                              Key{"continue-on-error", kBoolean | kExpression},
                              Key{"cancel-timeout-minutes", kNumber | kExpression},
                              kCacheMode,
                              Key{"snapshot", kNonEmpty | kMap, &kSnapshot}};
constexpr std::array kCallKeys{Key{"name", kText},
                               Key{"needs", kNonEmpty | kList, nullptr, kNonEmpty},
                               Key{"if", kText},
                               Key{"uses", kNonEmpty},
                               Key{"with", kMap, &kInputValues},
                               Key{"permissions", kPermissionKinds},
                               Key{"secrets", kText | kMap, &kSecretValues},
                               Key{"concurrency", kNonEmpty | kMap, &kConcurrency},
                               kCacheMode,
                               Key{"strategy", kMap | kExpression, &kStrategy}};
constexpr std::array kWorkflowKeys{Key{"name", kText},
                                   Key{"description", kText},
                                   Key{"run-name", kText},
                                   Key{"on", kNonEmpty | kList | kMap, nullptr, kNonEmpty, true},
                                   Key{"permissions", kPermissionKinds},
                                   Key{"env", kMap | kExpression, &kEnv},
                                   Key{"defaults", kMap, &kDefaults},
                                   Key{"concurrency", kText | kMap, &kConcurrency},
                                   kCacheMode,
                                   Key{"jobs", kMap, nullptr, 0, true}};

constexpr SyntaxLevel kRunStepLevel{"a step that runs a script", kRunStepKeys};
constexpr SyntaxLevel kUsesStepLevel{"a step that uses an action", kUsesStepKeys};
constexpr SyntaxLevel kWaitStepLevel{"a step that waits for others", kWaitStepKeys};
constexpr SyntaxLevel kWaitAllStepLevel{"a step that waits for all others", kWaitAllStepKeys};
constexpr SyntaxLevel kCancelStepLevel{"a step that cancels another", kCancelStepKeys};
constexpr SyntaxLevel kParallelStepLevel{"a group of parallel steps", kParallelStepKeys};
constexpr SyntaxLevel kAnyStepLevel{"a step", kAnyStepKeys};
constexpr SyntaxLevel kJobLevel{"a job", kJobKeys};
constexpr SyntaxLevel kCallLevel{"a job that calls a workflow", kCallKeys};
constexpr SyntaxLevel kWorkflowLevel{"a workflow", kWorkflowKeys};

constexpr std::string_view kChanges = "created edited deleted";
constexpr std::string_view kPullRequestTypes =
    "assigned unassigned labeled unlabeled opened edited closed reopened synchronize "
    "converted_to_draft "
    "ready_for_review locked unlocked milestoned demilestoned review_requested "
    "review_request_removed "
    "auto_merge_enabled auto_merge_disabled enqueued dequeued stacked";
constexpr std::string_view kBranchesAndPaths = "branches branches-ignore paths paths-ignore";

constexpr std::array kEvents{
    EventSyntax{"branch_protection_rule", kChanges, ""},
    EventSyntax{"check_run", "created rerequested completed requested_action", ""},
    EventSyntax{"check_suite", "completed", ""},
    EventSyntax{"create", "", ""},
    EventSyntax{"delete", "", ""},
    EventSyntax{"deployment", "", ""},
    EventSyntax{"deployment_status", "", ""},
    EventSyntax{
        "discussion",
        "created edited deleted transferred pinned unpinned labeled unlabeled locked unlocked "
        "category_changed answered unanswered",
        ""},
    EventSyntax{"discussion_comment", kChanges, ""},
    EventSyntax{"fork", "", ""},
    EventSyntax{"gollum", "", ""},
    EventSyntax{"image_version", "created ready deleted", "names versions"},
    EventSyntax{"issue_comment", kChanges, ""},
    EventSyntax{
        "issues",
        "opened edited deleted transferred pinned unpinned closed reopened assigned unassigned "
        "labeled unlabeled locked unlocked milestoned demilestoned field_added field_removed typed "
        "untyped",
        ""},
    EventSyntax{"label", kChanges, ""},
    EventSyntax{"merge_group", "checks_requested", "branches branches-ignore"},
    EventSyntax{"milestone", "created closed opened edited deleted", ""},
    EventSyntax{"page_build", "", ""},
    EventSyntax{"project", "created closed reopened edited deleted", ""},
    EventSyntax{"project_card", "created moved converted edited deleted", ""},
    EventSyntax{"project_column", "created updated moved deleted", ""},
    EventSyntax{"public", "", ""},
    EventSyntax{"pull_request", kPullRequestTypes, kBranchesAndPaths},
    EventSyntax{"pull_request_comment", kChanges, ""},
    EventSyntax{"pull_request_review", "submitted edited dismissed", ""},
    EventSyntax{"pull_request_review_comment", kChanges, ""},
    EventSyntax{"pull_request_target", kPullRequestTypes, kBranchesAndPaths},
    EventSyntax{"push", "", "branches branches-ignore tags tags-ignore paths paths-ignore"},
    EventSyntax{"registry_package", "published updated", ""},
    EventSyntax{"release", "published unpublished created edited deleted prereleased released", ""},
    EventSyntax{"repository_dispatch", "*", ""},
    EventSyntax{"schedule", "", ""},
    EventSyntax{"status", "", ""},
    EventSyntax{"watch", "started", ""},
    EventSyntax{"workflow_call", "", "inputs outputs secrets"},
    EventSyntax{"workflow_dispatch", "", "inputs"},
    EventSyntax{"workflow_run", "completed requested in_progress",
                "workflows branches branches-ignore"}};

}  // namespace

const SyntaxLevel& WorkflowSyntax() { return kWorkflowLevel; }
const SyntaxLevel& JobSyntax() { return kJobLevel; }
const SyntaxLevel& CallSyntax() { return kCallLevel; }

const SyntaxLevel& StepSyntax(const WorkflowStep& step) {
  if (step.run && step.uses) return kAnyStepLevel;
  if (step.run) return kRunStepLevel;
  if (step.uses) return kUsesStepLevel;
  if (step.wait) return kWaitStepLevel;
  if (step.wait_all) return kWaitAllStepLevel;
  if (step.cancel) return kCancelStepLevel;
  if (step.parallel) return kParallelStepLevel;
  return kAnyStepLevel;
}

std::span<const EventSyntax> Events() { return kEvents; }

const EventSyntax* FindEventSyntax(std::string_view name) {
  const auto found = std::find_if(kEvents.begin(), kEvents.end(),
                                  [&](const EventSyntax& event) { return event.name == name; });
  return found == kEvents.end() ? nullptr : &*found;
}

}  // namespace wheelwright
