// Checks across files: links the expanded workflows like one program.
//
// Order of calls: MakeInterface() for every callable and foreign file (with FindTouches() if there
// are trust domains) into an InterfaceSet; Finish() it; LinkFile() for each file, in any order and
// thread, each with its own Diagnostics; then LinkSet() once. A file's tree may be dropped once it
// is linked and emitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/link/action_interface.h"
#include "generator/link/local_actions.h"
#include "generator/link/lock_file.h"
#include "generator/link/programs.h"
#include "generator/link/trust.h"
#include "generator/matrix/limits.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

enum class RuleLevel : std::uint8_t { kOff, kWarning, kError };

// Rules of policy, which a project may change. Workflows that GitHub would refuse or run wrongly
// are always errors.
struct LinkRules {
  RuleLevel explicit_permissions =
      RuleLevel::kError;  // of each job, or of the file for all its jobs
  RuleLevel minimal_permissions = RuleLevel::kError;  // a call grants no more than the callee needs
  RuleLevel timeouts = RuleLevel::kError;             // `timeout-minutes` of each job with steps
  RuleLevel checkout_timeouts = RuleLevel::kError;    // ... and of each checkout step
  RuleLevel pinned_actions = RuleLevel::kError;       // `uses` by a full commit
  RuleLevel pin_comments = RuleLevel::kError;         // ... with its version in a comment
  RuleLevel pinned_images = RuleLevel::kError;        // containers by digest
  RuleLevel named_secrets = RuleLevel::kError;        // no `secrets: inherit`
  RuleLevel checkout_credentials = RuleLevel::kError;  // `persist-credentials: false`
  RuleLevel concurrency = RuleLevel::kError;           // a group for pushes and pull requests
  RuleLevel names = RuleLevel::kError;                 // of workflows and jobs, and different ones
  RuleLevel fixed_runners = RuleLevel::kError;         // no ubuntu-latest
  RuleLevel used_inputs = RuleLevel::kError;           // no unused inputs
  RuleLevel equal_sides = RuleLevel::kError;           // workflow_call and workflow_dispatch agree
  RuleLevel known_callees = RuleLevel::kError;  // called workflows are in the set or in the matrix
  RuleLevel present_callees = RuleLevel::kError;     // ... and those of the same repository exist
  RuleLevel untrusted_checkout = RuleLevel::kError;  // no checkout of a pull request's head, or its
                                                     // artifacts, with the base's rights
  RuleLevel untrusted_caches =
      RuleLevel::kError;                          // no cache is restored in jobs that assume a role
  RuleLevel live_conditions = RuleLevel::kError;  // no `if: true` or `if: false`
  RuleLevel used_id_tokens =
      RuleLevel::kError;                        // `id-token: write` only in jobs that assume a role
  RuleLevel action_uses = RuleLevel::kError;    // inputs and outputs that actions have
  RuleLevel absent_values = RuleLevel::kError;  // no expression reads what is always empty
  // Variables of scripts are set somewhere, and used. As a warning only where that is certain.
  RuleLevel script_variables = RuleLevel::kError;
  RuleLevel newest_actions = RuleLevel::kOff;  // the highest known major version of actions
  RuleLevel readable_dispatches =
      RuleLevel::kError;       // the name of a dispatched workflow is a literal
  bool strict_scripts = true;  // no `${{ }}` in `run`, even safe ones
  bool near_limits = true;     // warn before a limit is reached

  // For generated files.
  static LinkRules Strict() { return {}; }
  // For workflows of any repository: policy is off or warns.
  static LinkRules Lax();
  // For generated files of a project that leaves policy to lint: nothing but what GitHub asks for.
  static LinkRules OfGithub();
  // For foreign files that are called: checks their use of rights only.
  static LinkRules Trust();
};

struct LinkContext {
  const SourceManager& sources;
  const InterfaceSet& interfaces;
  const Limits& limits;
  LinkRules rules;
  const TrustDomains* domains = nullptr;  // null: none
  const LocalActions* actions = nullptr;  // null: none
  const KnownActions* known = nullptr;    // null: none
  const Programs* programs = nullptr;     // that describe themselves; null: none
  const LockFile* lock = nullptr;         // null: none
};

struct WorkflowFile {
  std::string_view name;  // for callers: "build.yml"
  const Workflow& workflow;
};

// A step that starts a run of another workflow; LinkSet() checks it.
struct Dispatch {
  struct Given {
    std::string name;
    std::optional<std::string> value;  // nothing: computed
    SourceRange where;
  };
  std::string target;  // "release.yml", or the name of a workflow; empty: any
  std::string event = "workflow_dispatch";
  bool by_name = false;    // the target may be a name
  bool elsewhere = false;  // the repository is given; it may be this one
  std::string job;         // the step's job
  Condition when;
  SourceRange where;
  std::string instance;
  std::vector<Given> inputs;
  bool inputs_known = true;  // false if the whole value is an expression
};

// A job of the file that installs what is published; LinkSet() looks for who publishes it.
struct JobInstall {
  std::string name;
  std::string job;
  std::string path;  // of a job in a called workflow: see WorkflowInterface::Publication
  SourceRange where;
  std::string instance;
  bool own = false;     // the job is in the file
  bool closed = false;  // a job of the same run publishes it
};

// A file's use of GitHub's limits, and its data for the checks of the set.
struct FileUsage {
  std::string name;
  std::size_t bytes = 0;        // set by the caller, who emits the file
  std::size_t jobs = 0;         // in the file
  std::size_t needs_edges = 0;  // in the file
  std::size_t run_jobs = 0;     // including called workflows
  std::size_t run_edges = 0;
  std::size_t reusable_files = 0;   // different files that it reaches, without itself
  std::size_t reusable_levels = 0;  // of calls, with this file
  std::size_t dispatch_inputs = 0;
  std::size_t longest_expression = 0;  // in bytes, as GitHub's format() call
  std::size_t largest_matrix = 0;      // legs of the largest literal matrix
  std::vector<Dispatch> dispatches;
  std::vector<std::string> publishes;  // by jobs of the file
  std::vector<JobInstall> installs;
  // Something other than a person, a caller or an earlier run starts it.
  bool starts_by_itself = false;
  // The interface of a file that is not callable; others are in the set.
  std::optional<WorkflowInterface> own;
};

// Checks one file: its syntax, its expressions, and its calls against the interfaces.
FileUsage LinkFile(const WorkflowFile& file, const LinkContext& context, Diagnostics& diagnostics);

// Checks a file's size once it is emitted. `workflow` gives the place for messages.
void CheckSize(const WorkflowFile& file, std::size_t bytes, const LinkContext& context,
               Diagnostics& diagnostics);

// Checks that need all files: dispatched workflows and their inputs.
void LinkSet(std::span<const FileUsage> files, const LinkContext& context,
             Diagnostics& diagnostics);

}  // namespace wheelwright
