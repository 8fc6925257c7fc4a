// What one workflow file looks like from outside: all that a caller, or a step that dispatches it,
// may rely on.
//
// An interface owns its strings, so it outlives the tree that it was taken from: callers can be
// linked while no called workflow's tree is in memory. Hand-written and third-party workflows have
// their interface filled in from the matrix.
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
    std::string default_text;          // what it is when it is not given; maybe an expression
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
  // One scope that the workflow asks its caller for, and who in it does.
  struct Want {
    std::size_t scope = 0;  // in kPermissionScopes
    Access access = Access::kNone;
    std::string
        path;  // "build.yml job 'upload' -> upload.yml": from this file to the one that asks
    SourceRange where;  // the permission that asks
  };
  // A reusable workflow that a job calls.
  struct Call {
    std::string job;
    std::string callee;    // as InterfaceName() gives it
    bool bounded = false;  // the permissions are explicit, so the callee's wants end here
    SourceRange where;     // the value of `uses`
  };

  // An event that starts a run of the workflow by itself.
  struct Start {
    std::string event;
    SourceRange where;
  };

  std::string name;   // "build.yml"; of another repository "owner/name/.github/workflows/build.yml"
  SourceRange where;  // `workflow_call`, else `on`; for one from the matrix, its row
  std::string title;  // what it calls itself; empty: nothing
  std::string instance;                // of the template, in words; may be empty
  std::vector<Start> starts;           // all events but workflow_call
  bool callable = false;               // has on.workflow_call
  bool dispatchable = false;           // has on.workflow_dispatch
  std::vector<Input> inputs;           // of workflow_call
  std::vector<Input> dispatch_inputs;  // of workflow_dispatch
  std::vector<Secret> secrets;
  std::vector<Output> outputs;
  // Sorted by scope. The union of the file's own block, its jobs' blocks and (once the set is
  // finished) what the workflows called by it want.
  std::vector<Want> wants;
  // False when some job has no explicit permissions, so that it works with whatever its caller has.
  bool permissions_explicit = true;
  std::vector<Call> calls;
  // Filled in by FindTouches(). Of trust domains, what stands in this file and (once the set is
  // finished) in the workflows called by it.
  std::vector<Touch> touches;
  std::vector<CallsOf> callees;
  std::vector<TrustedJob> trusted_jobs;  // of this file alone
  std::size_t jobs = 0;                  // in this file; a matrix counts as one
  std::size_t needs_edges = 0;           // in this file

  // Filled in by InterfaceSet::Finish().
  std::size_t levels = 1;          // this file and the longest chain of calls below it
  std::size_t reusable_files = 1;  // this file and every different file that it reaches
  std::size_t run_jobs = 0;        // of this file and of everything that it calls
  std::size_t run_edges = 0;
  std::string deepest;  // "build.yml -> upload.yml": the longest chain

  const Input* FindInput(std::string_view input) const;  // ignores case, as GitHub does
  const Input* FindDispatchInput(std::string_view input) const;
  const Secret* FindSecret(std::string_view secret) const;
  const Output* FindOutput(std::string_view output) const;
};

// How interfaces are called: a local `uses: ./.github/workflows/build.yml` is "build.yml", a remote
// one "owner/name/.github/workflows/build.yml", without its version.
std::string_view InterfaceName(std::string_view uses);

// Takes the interface of a file that stands as `name` among the workflows.
WorkflowInterface MakeInterface(std::string_view name, const Workflow& workflow);

// All interfaces of a set of workflows: Add() each, then Finish().
//
// Or one at a time, callees first, while others are in use already: Add() those that call nobody,
// Expect() the rest, then Fulfil() each.
class InterfaceSet {
 public:
  // A second one of the same name replaces the first.
  void Add(WorkflowInterface interface);

  // Sorts, follows the calls and fills in what depends on them. Reports workflows that call each
  // other in a circle. To be called once, before the first Find().
  void Finish(Diagnostics& diagnostics);

  // Ends Add() as Finish() does. Workflows of these names will come, and cannot be found before
  // Fulfil(); that one and all const functions may then be called on any thread. The names must
  // outlive the set.
  void Expect(std::vector<std::string_view> names);
  // Whether a workflow of that name is still to come.
  bool Awaits(std::string_view name) const;
  // Takes an expected one in. Its callees must be there, and it counts as callable as far as it
  // says. Where one of that name was added before, that one stays.
  void Fulfil(WorkflowInterface interface);

  // Null: unknown, or still to come.
  const WorkflowInterface* Find(std::string_view name) const;
  std::span<const WorkflowInterface> all() const { return interfaces_; }

  // Names of those that can be called, for suggestions; sorted. None where some were expected.
  std::span<const std::string_view> callable_names() const { return callable_names_; }

  // Every file that is reached from the named ones, they included: names, sorted. Also those that
  // are not in the set.
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
