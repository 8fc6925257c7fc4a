// The checks that need the whole set: the expanded workflows are one program, and this links it.
//
// Order of a run: MakeInterface() of every callable file (and FindTouches(), where trust domains
// are known) and of every foreign one into an InterfaceSet, Finish() it; then LinkFile() for each
// file, in any order and on any thread, each into its own Diagnostics; then LinkSet() once. A
// file's tree may be dropped as soon as it was linked and emitted.
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
#include "generator/link/local_actions.h"
#include "generator/link/trust.h"
#include "generator/matrix/limits.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

enum class RuleLevel : std::uint8_t { kOff, kWarning, kError };

// The rules of policy, which a project may see otherwise. What GitHub itself would refuse or get
// wrong is always an error and has no switch.
struct LinkRules {
  RuleLevel explicit_permissions =
      RuleLevel::kError;  // of each job, or of the file for all its jobs
  RuleLevel minimal_permissions = RuleLevel::kError;  // a call grants no more than the callee wants
  RuleLevel timeouts = RuleLevel::kError;             // `timeout-minutes` of each job with steps
  RuleLevel checkout_timeouts = RuleLevel::kError;    // ... and of each checkout step
  RuleLevel pinned_actions = RuleLevel::kError;       // `uses` by a full commit
  RuleLevel pin_comments = RuleLevel::kError;         // ... with its version behind it
  RuleLevel pinned_images = RuleLevel::kError;        // containers by digest
  RuleLevel named_secrets = RuleLevel::kError;        // no `secrets: inherit`
  RuleLevel checkout_credentials = RuleLevel::kError;  // `persist-credentials: false`
  RuleLevel concurrency = RuleLevel::kError;    // a group on what pushes and pull requests start
  RuleLevel names = RuleLevel::kError;          // of workflows and jobs, and different ones
  RuleLevel fixed_runners = RuleLevel::kError;  // no ubuntu-latest
  RuleLevel used_inputs = RuleLevel::kError;    // no input that nothing reads
  RuleLevel equal_sides = RuleLevel::kError;    // workflow_call and workflow_dispatch agree
  RuleLevel known_callees = RuleLevel::kError;  // a called workflow is in the set or in the matrix
  RuleLevel present_callees = RuleLevel::kError;  // ... and one of the same repository is a file
  RuleLevel untrusted_checkout =
      RuleLevel::kError;  // of a pull request's head, or of its artifacts, with the base's rights
  RuleLevel untrusted_caches = RuleLevel::kError;  // none is restored where a role is assumed
  RuleLevel live_conditions = RuleLevel::kError;   // no `if: true` or `if: false`
  RuleLevel used_id_tokens = RuleLevel::kError;    // `id-token: write` where a role is assumed only
  RuleLevel readable_dispatches = RuleLevel::kError;  // it is written which workflow a job starts
  bool strict_scripts = true;  // no `${{ }}` in `run` at all, be it safe or not
  bool near_limits = true;     // warn before a limit is reached

  // For generated files.
  static LinkRules Strict() { return {}; }
  // For any workflow, written by anybody: policy is off or warns.
  static LinkRules Lax();
  // For files of somebody else that are in reach: what they do with rights, not how they are made.
  static LinkRules Trust();
};

struct LinkContext {
  const SourceManager& sources;
  const InterfaceSet& interfaces;
  const Limits& limits;
  LinkRules rules;
  const TrustDomains* domains = nullptr;  // null: none are known
  const LocalActions* actions = nullptr;  // null: none were read
};

struct WorkflowFile {
  std::string_view name;  // as other workflows call it: "build.yml"
  const Workflow& workflow;
};

// A step that starts a run of another workflow, to be checked once all files are known.
struct Dispatch {
  struct Given {
    std::string name;
    std::optional<std::string> value;  // nothing: it is computed
    SourceRange where;
  };
  std::string target;  // "release.yml", or the name of a workflow; empty: any
  std::string event = "workflow_dispatch";
  bool by_name = false;    // the target may be a name
  bool elsewhere = false;  // in a repository that is given, which may be this one
  std::string job;         // whose step it is
  Condition when;
  SourceRange where;
  std::string instance;
  std::vector<Given> inputs;
  bool inputs_known = true;  // false when they are an expression as a whole
};

// How much of GitHub's limits a file uses, and what is left to check for the set.
struct FileUsage {
  std::string name;
  std::size_t bytes = 0;        // set by the caller, who emits the file
  std::size_t jobs = 0;         // in the file
  std::size_t needs_edges = 0;  // in the file
  std::size_t run_jobs = 0;     // with every workflow that it calls
  std::size_t run_edges = 0;
  std::size_t reusable_files = 0;   // different ones that it reaches, without itself
  std::size_t reusable_levels = 0;  // of workflows, this one the first
  std::size_t dispatch_inputs = 0;
  std::size_t longest_expression = 0;  // bytes, as GitHub's format() call
  std::size_t largest_matrix = 0;      // legs of the largest matrix that is written out
  std::vector<Dispatch> dispatches;
  // Of a file that cannot be called; the interface of one that can be is in the set.
  std::optional<WorkflowInterface> own;
};

// Checks one file: its syntax, its expressions, and its calls against the interfaces.
FileUsage LinkFile(const WorkflowFile& file, const LinkContext& context, Diagnostics& diagnostics);

// Checks a file's size once it is emitted. `workflow` gives the place to blame.
void CheckSize(const WorkflowFile& file, std::size_t bytes, const LinkContext& context,
               Diagnostics& diagnostics);

// Checks what no file can be blamed for before all are known: dispatched workflows and their
// inputs.
void LinkSet(std::span<const FileUsage> files, const LinkContext& context,
             Diagnostics& diagnostics);

}  // namespace wheelwright
