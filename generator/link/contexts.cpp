#include "generator/link/contexts.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace wheelwright {
namespace {

using enum Context;

constexpr std::array<std::string_view, kContextCount> kNames = {
    "github",  "inputs", "vars", "needs",  "strategy", "matrix",
    "secrets", "steps",  "job",  "runner", "env",      "jobs"};

// The contexts before any job starts, before the matrix is expanded, before a runner is chosen, and
// in steps.
constexpr ContextSet kRun = {kGithub, kInputs, kVars};
constexpr ContextSet kPlanned = kRun + ContextSet{kNeeds};
constexpr ContextSet kUnfolded = kPlanned + ContextSet{kStrategy, kMatrix};
constexpr ContextSet kStarted = kUnfolded + ContextSet{kJob, kRunner, kEnv};
constexpr ContextSet kRunning = kStarted + ContextSet{kSteps};
constexpr ContextSet kSecret = {kSecrets};

// In an action.yml: where it is loaded, and in its steps.
constexpr ContextSet kLoaded = {kGithub, kStrategy, kMatrix, kJob, kRunner};
constexpr ContextSet kInAction = kLoaded + ContextSet{kInputs, kSteps, kEnv};
constexpr ContextSet kAroundAction = kLoaded + ContextSet{kInputs, kEnv};

constexpr StatusChecks kNoStatus = StatusChecks::kNone;

constexpr ExpressionPlace StructurePlace(std::string_view path, ContextSet contexts) {
  return {path, contexts, kNoStatus, false, false, false, true};
}

constexpr std::array kPlaces = {
    ExpressionPlace{"run-name", kRun},
    ExpressionPlace{"env", kRun + kSecret},
    ExpressionPlace{"concurrency", kRun},
    ExpressionPlace{"on.workflow_call.inputs.<inputs_id>.default", kRun},
    ExpressionPlace{"on.workflow_call.outputs.<output_id>.value", kRun + ContextSet{kJobs}},
    ExpressionPlace{"jobs.<job_id>.name", kUnfolded},
    ExpressionPlace{"jobs.<job_id>.if", kPlanned, StatusChecks::kOfJobs, false, true},
    StructurePlace("jobs.<job_id>.strategy", kPlanned),
    StructurePlace("jobs.<job_id>.runs-on", kUnfolded),
    ExpressionPlace{"jobs.<job_id>.concurrency", kUnfolded},
    StructurePlace("jobs.<job_id>.environment", kUnfolded),
    ExpressionPlace{"jobs.<job_id>.environment.url", kRunning},
    ExpressionPlace{"jobs.<job_id>.timeout-minutes", kUnfolded},
    ExpressionPlace{"jobs.<job_id>.cancel-timeout-minutes", kUnfolded},
    ExpressionPlace{"jobs.<job_id>.continue-on-error", kUnfolded},
    StructurePlace("jobs.<job_id>.container", kUnfolded),
    ExpressionPlace{"jobs.<job_id>.container.credentials", kUnfolded + kSecret + ContextSet{kEnv}},
    ExpressionPlace{"jobs.<job_id>.container.env", kStarted + kSecret},
    StructurePlace("jobs.<job_id>.services", kUnfolded),
    ExpressionPlace{"jobs.<job_id>.services.<service_id>.credentials",
                    kUnfolded + kSecret + ContextSet{kEnv}},
    ExpressionPlace{"jobs.<job_id>.services.<service_id>.env", kStarted + kSecret},
    ExpressionPlace{"jobs.<job_id>.snapshot.if", kUnfolded, kNoStatus, false, true},
    ExpressionPlace{"jobs.<job_id>.env", kUnfolded + kSecret},
    ExpressionPlace{"jobs.<job_id>.defaults.run", kUnfolded + ContextSet{kEnv}},
    ExpressionPlace{"jobs.<job_id>.outputs", kRunning + kSecret},
    ExpressionPlace{"jobs.<job_id>.with", kUnfolded},
    ExpressionPlace{"jobs.<job_id>.secrets", kUnfolded + kSecret},
    ExpressionPlace{"jobs.<job_id>.steps.if", kRunning, StatusChecks::kOfSteps, true, true},
    ExpressionPlace{"jobs.<job_id>.steps.name", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"jobs.<job_id>.steps.run", kRunning + kSecret, kNoStatus, true, false, true},
    ExpressionPlace{"jobs.<job_id>.steps.working-directory", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"jobs.<job_id>.steps.with", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"jobs.<job_id>.steps.env", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"jobs.<job_id>.steps.timeout-minutes", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"jobs.<job_id>.steps.continue-on-error", kRunning + kSecret, kNoStatus, true},
    ExpressionPlace{"action.inputs.<input_id>.default", kLoaded, kNoStatus, true},
    ExpressionPlace{"action.outputs.<output_id>.value", kInAction},
    ExpressionPlace{"action.runs.args", {kInputs}},
    ExpressionPlace{"action.runs.env", {kInputs}},
    ExpressionPlace{"action.runs.pre-if", kAroundAction, StatusChecks::kOfSteps, true, true},
    ExpressionPlace{"action.runs.post-if", kAroundAction, StatusChecks::kOfSteps, true, true},
    ExpressionPlace{"action.runs.steps.if", kInAction, StatusChecks::kOfSteps, true, true},
    ExpressionPlace{"action.runs.steps.name", kInAction, kNoStatus, true},
    ExpressionPlace{"action.runs.steps.run", kInAction, kNoStatus, true, false, true},
    ExpressionPlace{"action.runs.steps.shell", kInAction, kNoStatus, true},
    ExpressionPlace{"action.runs.steps.working-directory", kInAction, kNoStatus, true},
    ExpressionPlace{"action.runs.steps.with", kInAction, kNoStatus, true},
    ExpressionPlace{"action.runs.steps.env", kInAction, kNoStatus, true},
    ExpressionPlace{"action.runs.steps.continue-on-error", kInAction, kNoStatus, true},
};

constexpr std::string_view kActionPrefix = "action.";

constexpr ExprType kText{TypeKind::kText};
constexpr ExprType kTextTable{TypeKind::kObject, &kText};

template <std::size_t kCount>
constexpr std::array<Property, kCount> Texts(const std::array<std::string_view, kCount>& names) {
  std::array<Property, kCount> properties{};
  for (std::size_t i = 0; i < kCount; ++i) properties[i] = {names[i], TypeKind::kText};
  return properties;
}

constexpr auto kGithubProperties = [] {
  auto properties = Texts(std::to_array<std::string_view>({"action",
                                                           "action_path",
                                                           "action_ref",
                                                           "action_repository",
                                                           "action_status",
                                                           "actor",
                                                           "actor_id",
                                                           "api_url",
                                                           "artifact_cache_size_limit",
                                                           "base_ref",
                                                           "env",
                                                           "event",
                                                           "event_name",
                                                           "event_path",
                                                           "graphql_url",
                                                           "head_ref",
                                                           "job",
                                                           "path",
                                                           "ref",
                                                           "ref_name",
                                                           "ref_protected",
                                                           "ref_type",
                                                           "repository",
                                                           "repository_id",
                                                           "repository_owner",
                                                           "repository_owner_id",
                                                           "repositoryUrl",
                                                           "repository_visibility",
                                                           "retention_days",
                                                           "run_attempt",
                                                           "run_id",
                                                           "run_number",
                                                           "secret_source",
                                                           "server_url",
                                                           "sha",
                                                           "token",
                                                           "triggering_actor",
                                                           "workflow",
                                                           "workflow_ref",
                                                           "workflow_sha",
                                                           "workspace"}));
  for (Property& property : properties) {
    if (property.name == "event") property.type = TypeKind::kObject;
    if (property.name == "ref_protected") property.type = TypeKind::kAny;
  }
  return properties;
}();
constexpr auto kRunnerProperties = Texts(std::to_array<std::string_view>(
    {"arch", "debug", "environment", "name", "os", "temp", "tool_cache", "workspace"}));
constexpr std::array kStrategyProperties = {
    Property{"fail-fast", TypeKind::kBoolean}, Property{"job-index", TypeKind::kNumber},
    Property{"job-total", TypeKind::kNumber}, Property{"max-parallel", TypeKind::kNumber}};
constexpr auto kContainerProperties = Texts(std::to_array<std::string_view>({"id", "network"}));
constexpr std::array kJobProperties = {
    Property{"check_run_id", kText},
    Property{"container", ExprType(std::span(kContainerProperties))},
    Property{"services", TypeKind::kAny},
    Property{"status", kText},
    Property{"workflow_file_path", kText},
    Property{"workflow_ref", kText},
    Property{"workflow_repository", kText},
    Property{"workflow_sha", kText}};
constexpr std::array kStepResultProperties = {
    Property{"conclusion", kText}, Property{"outcome", kText}, Property{"outputs", kTextTable}};
constexpr std::array kJobResultProperties = {Property{"outputs", kTextTable},
                                             Property{"result", kText}};

// https://docs.github.com/actions/concepts/security/script-injections and the webhook payloads:
// values that anybody without rights in the repository can set.
constexpr std::array<std::string_view, 30> kUntrusted = {
    "github.head_ref",
    "github.event.issue.title",
    "github.event.issue.body",
    "github.event.pull_request.title",
    "github.event.pull_request.body",
    "github.event.pull_request.head.ref",
    "github.event.pull_request.head.label",
    "github.event.pull_request.head.repo.default_branch",
    "github.event.pull_request.head.repo.description",
    "github.event.pull_request.head.repo.homepage",
    "github.event.comment.body",
    "github.event.review.body",
    "github.event.review_comment.body",
    "github.event.discussion.title",
    "github.event.discussion.body",
    "github.event.pages.*.page_name",
    "github.event.commits.*.message",
    "github.event.commits.*.author.email",
    "github.event.commits.*.author.name",
    "github.event.head_commit.message",
    "github.event.head_commit.author.email",
    "github.event.head_commit.author.name",
    "github.event.head_commit.committer.email",
    "github.event.head_commit.committer.name",
    "github.event.workflow_run.head_branch",
    "github.event.workflow_run.display_title",
    "github.event.workflow_run.head_commit.message",
    "github.event.workflow_run.head_commit.author.email",
    "github.event.workflow_run.head_commit.author.name",
    "github.event.workflow_run.pull_requests.*.head.ref",
};

// The places as a tree of keys.
struct PlaceLevel {
  struct Child {
    std::string_view key;
    std::int32_t level;
  };
  std::vector<Child> children;
  std::int32_t any_key = -1;  // of a key such as <job_id>
  const ExpressionPlace* place = nullptr;
};

const std::vector<PlaceLevel>& PlaceTree() {
  static const std::vector<PlaceLevel> tree = [] {
    std::vector<PlaceLevel> levels(1);
    for (const ExpressionPlace& place : kPlaces) {
      std::size_t at = 0;
      for (const std::string_view key : Split(place.path, '.')) {
        const auto& children = levels[at].children;
        const auto child = std::find_if(children.begin(), children.end(),
                                        [&](const auto& one) { return one.key == key; });
        const auto fresh = static_cast<std::int32_t>(levels.size());
        if (key.starts_with('<')) {
          if (levels[at].any_key < 0) {
            levels[at].any_key = fresh;
            levels.emplace_back();
          }
          at = static_cast<std::size_t>(levels[at].any_key);
        } else if (child != children.end()) {
          at = static_cast<std::size_t>(child->level);
        } else {
          levels[at].children.push_back({key, fresh});
          levels.emplace_back();
          at = static_cast<std::size_t>(fresh);
        }
      }
      levels[at].place = &place;
    }
    return levels;
  }();
  return tree;
}

// Whether the path matches the pattern, or with `objects` a prefix of it.
bool LeadsTo(std::span<const std::string_view> path, std::string_view pattern, bool objects) {
  for (const std::string_view part : path) {
    if (pattern.empty()) return false;
    const std::size_t dot = std::min(pattern.find('.'), pattern.size());
    const std::string_view expected = pattern.substr(0, dot);
    pattern.remove_prefix(std::min(dot + 1, pattern.size()));
    if (part != "*" && expected != "*" && !EqualsIgnoringCase(part, expected)) return false;
  }
  return objects || pattern.empty();
}

}  // namespace

std::string_view NameOf(Context context) { return kNames[static_cast<std::size_t>(context)]; }

std::optional<Context> FindContext(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (EqualsIgnoringCase(kNames[i], name)) return static_cast<Context>(i);
  }
  return std::nullopt;
}

std::vector<std::string_view> ContextSet::Names() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (Has(static_cast<Context>(i))) names.push_back(kNames[i]);
  }
  return names;
}

std::span<const ExpressionPlace> ExpressionPlaces() { return kPlaces; }

std::string_view ExpressionPlace::Title() const {
  return path.starts_with(kActionPrefix) ? path.substr(kActionPrefix.size()) : path;
}

PlaceCursor::PlaceCursor() = default;

PlaceCursor PlaceCursor::OfAction() {
  return PlaceCursor().Below(kActionPrefix.substr(0, kActionPrefix.size() - 1));
}

PlaceCursor PlaceCursor::Below(std::string_view key) const {
  PlaceCursor below = *this;
  if (level_ < 0) return below;
  const PlaceLevel& level = PlaceTree()[static_cast<std::size_t>(level_)];
  below.level_ = level.any_key;
  for (const auto& child : level.children) {
    if (child.key == key) below.level_ = child.level;
  }
  if (below.level_ < 0) return below;
  const PlaceLevel& found = PlaceTree()[static_cast<std::size_t>(below.level_)];
  if (found.place != nullptr) below.place_ = found.place;
  return below;
}

ExprType TypeOfContext(Context context) {
  switch (context) {
    case kGithub:
      return ExprType(kGithubProperties);
    case kRunner:
      return ExprType(kRunnerProperties);
    case kStrategy:
      return ExprType(kStrategyProperties);
    case kJob:
      return ExprType(kJobProperties);
    case kVars:
    case kEnv:
    case kSecrets:
      return kTextTable;
    default:
      return TypeKind::kObject;
  }
}

ExprType TypeOfStepResult() { return ExprType(kStepResultProperties); }

ExprType TypeOfJobResult() { return ExprType(kJobResultProperties); }

bool IsUntrusted(std::span<const std::string_view> path, bool objects) {
  return std::any_of(kUntrusted.begin(), kUntrusted.end(),
                     [&](std::string_view pattern) { return LeadsTo(path, pattern, objects); });
}

}  // namespace wheelwright
