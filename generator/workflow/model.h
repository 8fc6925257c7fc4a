// A typed, read-only view of a workflow's tree, without checks of values.
//
// The view points into the tree, which must outlive it. An absent key is a Field without a key; a
// value of the wrong kind stays in its Field for the syntax checks. The vectors are reused for the
// next file, to save allocations.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "generator/expression/github_text.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// An optional key of a mapping with its value. Absent: both are null.
struct Field {
  const Node* key = nullptr;
  const Node* value = nullptr;

  explicit operator bool() const { return key != nullptr; }
  // The text of a scalar, or "".
  std::string_view text() const {
    return value && value->is_scalar() ? value->text : std::string_view{};
  }
  // The place for messages: the key.
  SourceRange where() const { return key ? key->where : SourceRange{}; }
};

// A trigger: `push:` with its filters, or an item of `on: [push]`.
struct Event {
  std::string_view name;
  const Node* key = nullptr;     // the node of the name
  const Node* config = nullptr;  // null if there is only the name
};

enum class InputType : std::uint8_t { kString, kBoolean, kNumber, kChoice, kEnvironment, kUnknown };

// "boolean".
std::string_view NameOf(InputType type);

// An input of workflow_call or workflow_dispatch.
struct Input {
  std::string_view name;
  const Node* key = nullptr;
  const Node* spec = nullptr;           // the mapping below the name; may be a null node
  InputType type = InputType::kString;  // GitHub's default where `type` is not given
  const Node* type_node = nullptr;      // null when not given
  bool required = false;
  const Node* default_value = nullptr;  // null when not given
  const Node* options = nullptr;        // the list of a choice, or null
};

// A secret or an output that workflow_call declares.
struct Declared {
  std::string_view name;
  const Node* key = nullptr;
  const Node* spec = nullptr;   // the mapping below the name; may be a null node
  bool required = false;        // secrets
  const Node* value = nullptr;  // outputs: the expression; null when not given
};

struct Need {
  std::string_view id;
  const Node* node = nullptr;  // the scalar, for its place
};

struct WorkflowStep {
  const Node* node = nullptr;  // the mapping
  Field id, name, condition, uses, run, with, env, shell, working_directory, timeout,
      continue_on_error, background, wait, wait_all, cancel, parallel;
  bool in_parallel = false;  // an item of `parallel`
};

struct Job {
  std::string_view id;
  const Node* key = nullptr;
  const Node* node = nullptr;  // the mapping
  Field name, needs_field, condition, runs_on, uses, with, secrets, steps_field, outputs,
      permissions, strategy, timeout, container, services, environment, env, defaults, concurrency,
      continue_on_error;
  // Keys of templates, which TakeOutPublications() reads: link/publications.h.
  Field publishes, installs;
  const Node* matrix =
      nullptr;                  // the value of strategy.matrix, or null: a mapping or an expression
  std::span<const Need> needs;  // scalar or list, as a list
  // The items that are mappings. Steps of a `parallel` follow the step that has it.
  std::span<const WorkflowStep> steps;

  bool is_call() const { return static_cast<bool>(uses); }
};

struct Workflow {
  // `shared`: a cache of texts for several workflows; may be null.
  explicit Workflow(SharedGithubTexts* shared = nullptr) : texts_(shared) {}
  Workflow(const Workflow&) = delete;  // jobs hold spans into the vectors below
  Workflow& operator=(const Workflow&) = delete;

  const Node* root = nullptr;
  Field name, run_name, on, permissions, env, defaults, concurrency, jobs_field;

  std::vector<Event> events;
  std::vector<Input> call_inputs;
  std::vector<Declared> call_secrets;
  std::vector<Declared> call_outputs;
  std::vector<Input> dispatch_inputs;
  std::vector<Job> jobs;

  const Event* FindEvent(std::string_view event) const;  // exact name, or null
  // GitHub compares the ids of jobs and the names of inputs ignoring case.
  const Job* FindJob(std::string_view id) const;
  const Input* FindCallInput(std::string_view input) const;
  const Input* FindDispatchInput(std::string_view input) const;
  // Position in `jobs`, or -1.
  std::int32_t JobIndex(std::string_view id) const;

  // A text of the workflow, parsed once. With `condition`, brackets are optional.
  const GithubText& Text(std::string_view text, bool condition = false) const {
    return texts_.Of(text, condition);
  }
  // A necessary condition for an `if` to be true.
  const Condition& ConditionOf(const Field& condition) const {
    return Text(condition.text(), true).when;
  }

 private:
  friend void ReadWorkflow(const Node& root, Workflow& workflow);
  std::vector<Need> all_needs_;
  std::vector<WorkflowStep> all_steps_;
  std::vector<std::int32_t> job_table_;  // open addressing by hash of the lower-case id; -1: free
  mutable GithubTexts texts_;
};

// Fills the view from the root of a workflow file and drops its old contents. Never fails: leaves
// out everything that does not have the form of a workflow.
void ReadWorkflow(const Node& root, Workflow& workflow);

// The texts in a scalar or a list.
std::vector<const Node*> NamesIn(const Field& field);

// A hash of a name that ignores the case of ASCII letters.
std::size_t HashIgnoringCase(std::string_view name);

}  // namespace wheelwright
