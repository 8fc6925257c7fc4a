// The interface of a workflow file for callers and for steps that dispatch it. (Longer than other
// headers: these types describe one thing.)
//
// An interface owns its strings and outlives its tree, so callers can be linked when the trees of
// called workflows are gone. The interfaces of hand-written and third-party workflows come from the
// matrix.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "generator/workflow/model.h"
#include "generator/workflow/permissions.h"
#include "generator/workflow/touch.h"

namespace wheelwright {

struct WorkflowInterface {
  struct Input {
    std::string name;
    InputType type = InputType::kString;
    bool required = false;
    bool has_default = false;
    std::string default_text;          // may be an expression
    std::vector<std::string> options;  // of a choice
    SourceRange where;                 // where it is declared; may be unknown
  };
  struct Secret {
    std::string name;
    bool required = false;
    SourceRange where;
  };
  struct Output {
    std::string name;
    SourceRange where;
  };
  // A permission that the workflow needs from its caller, and the job that needs it.
  struct Want {
    std::size_t scope = 0;  // in kPermissionScopes
    Access access = Access::kNone;
    std::string
        path;  // "build.yml job 'upload' -> upload.yml": from this file to the one that needs it
    SourceRange where;  // the permission
  };
  // A reusable workflow that a job calls.
  struct Call {
    std::string job;
    std::string callee;  // the result of InterfaceName()
    bool bounded =
        false;  // the call has explicit permissions, so the callee's wants are not inherited
    SourceRange where;  // the value of `uses`
  };

  // The name of something that a job publishes, or installs from where it is published.
  struct Publication {
    std::string name;
    std::string path;  // "build.yml job 'upload'", through calls as in Want
    SourceRange where;
  };

  // An event that starts a run of the workflow by itself.
  struct Start {
    std::string event;
    SourceRange where;
  };

  std::string name;   // "build.yml"; of another repository "owner/name/.github/workflows/build.yml"
  SourceRange where;  // `workflow_call`, else `on`; for one from the matrix, its row
  std::string title;  // its `name`, or ""
  std::string instance;                // the template's instance as text; may be empty
  std::vector<Start> starts;           // all events but workflow_call
  bool callable = false;               // has on.workflow_call
  bool dispatchable = false;           // has on.workflow_dispatch
  std::vector<Input> inputs;           // of workflow_call
  std::vector<Input> dispatch_inputs;  // of workflow_dispatch
  std::vector<Secret> secrets;
  std::vector<Output> outputs;
  // Sorted by scope: those of the file, of its jobs and (once the set is finished) of the workflows
  // that it calls.
  std::vector<Want> wants;
  // False when a job has no explicit permissions and inherits its caller's.
  bool permissions_explicit = true;
  std::vector<Call> calls;
  // Those of its jobs and (once the set is finished) of the workflows that it calls; of `installs`,
  // only what none of them publishes, so that its callers have to.
  std::vector<Publication> publishes;
  std::vector<Publication> installs;
  // Filled in by FindTouches(): the trust domains in this file and (once the set is finished) in
  // the workflows that it calls.
  std::vector<Touch> touches;
  std::vector<CallsOf> callees;
  std::vector<TrustedJob> trusted_jobs;  // of this file alone
  std::size_t jobs = 0;                  // in this file; a matrix counts as one
  std::size_t needs_edges = 0;           // in this file

  // Filled in by InterfaceSet::Finish().
  std::size_t levels = 1;          // the length of the longest chain of calls, with this file
  std::size_t reusable_files = 1;  // the number of different files that it reaches, with itself
  std::size_t run_jobs = 0;        // of this file and all that it calls
  std::size_t run_edges = 0;
  std::string deepest;  // "build.yml -> upload.yml": the longest chain

  const Input* FindInput(std::string_view input) const;  // ignores case, as GitHub does
  const Input* FindDispatchInput(std::string_view input) const;
  const Secret* FindSecret(std::string_view secret) const;
  const Output* FindOutput(std::string_view output) const;
};

// The name of an interface: a local `uses: ./.github/workflows/build.yml` is "build.yml", a remote
// one "owner/name/.github/workflows/build.yml", without its version.
std::string_view InterfaceName(std::string_view uses);

// Makes the interface of the workflow file `name`.
WorkflowInterface MakeInterface(std::string_view name, const Workflow& workflow);

// All interfaces of a set of workflows: Add() each, then Finish().
//
// Or, to use some while others are still missing: Add() those without calls, Expect() the rest,
// then Fulfil() each, callees first.
class InterfaceSet {
 public:
  // A second one of the same name replaces the first.
  void Add(WorkflowInterface interface);

  // Sorts, follows calls and fills in inherited data. Reports cycles of calls. Call it once, before
  // the first Find().
  void Finish(Diagnostics& diagnostics);

  // Ends Add(), like Finish(). Find() returns null for these names until Fulfil(). Fulfil() and all
  // const functions are then safe to call from several threads. The names must outlive the set.
  void Expect(std::vector<std::string_view> names);
  // Whether the workflow is expected but not yet fulfilled.
  bool Awaits(std::string_view name) const;
  // Adds an expected interface, whose callees must exist. Ignored if one of that name was added
  // before.
  void Fulfil(WorkflowInterface interface);

  // Null: unknown, or not yet fulfilled.
  const WorkflowInterface* Find(std::string_view name) const;
  std::span<const WorkflowInterface> all() const { return interfaces_; }

  // Sorted names of callable ones, for suggestions. Empty after Expect().
  std::span<const std::string_view> callable_names() const { return callable_names_; }

  // The sorted names of all files that the named ones reach, with themselves and those that are not
  // in the set.
  std::vector<std::string_view> Reach(std::span<const std::string_view> names) const;

 private:
  std::size_t CountReach(const WorkflowInterface& interface) const;

  std::vector<WorkflowInterface> interfaces_;  // sorted by name until some are expected
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::size_t first_expected_ = 0;            // in interfaces_
  std::vector<std::atomic<bool>> fulfilled_;  // of those from there on
  std::vector<std::string_view> callable_names_;
};

}  // namespace wheelwright
