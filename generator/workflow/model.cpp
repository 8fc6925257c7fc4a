#include "generator/workflow/model.h"

#include <algorithm>

#include "base/text.h"
#include "generator/workflow/find_named.h"

namespace wheelwright {
namespace {

Field MakeField(const Entry& entry) { return {entry.key, entry.value}; }

InputType ParseInputType(std::string_view text) {
  for (const InputType type : {InputType::kString, InputType::kBoolean, InputType::kNumber,
                               InputType::kChoice, InputType::kEnvironment}) {
    if (NameOf(type) == text) return type;
  }
  return InputType::kUnknown;
}

void ReadInputs(const Node* mapping, std::vector<Input>& inputs) {
  if (!mapping || !mapping->is_mapping()) return;
  for (const Entry& entry : mapping->entries) {
    Input& input = inputs.emplace_back();
    input.name = entry.key->text;
    input.key = entry.key;
    input.spec = entry.value;
    if (!entry.value->is_mapping()) continue;
    for (const Entry& property : entry.value->entries) {
      const std::string_view name = property.key->text;
      if (name == "type") {
        input.type_node = property.value;
        input.type = ParseInputType(property.value->text);
      } else if (name == "required") {
        input.required = property.value->is_true();
      } else if (name == "default") {
        input.default_value = property.value;
      } else if (name == "options") {
        input.options = property.value;
      }
    }
  }
}

void ReadDeclared(const Node* mapping, std::vector<Declared>& declared) {
  if (!mapping || !mapping->is_mapping()) return;
  for (const Entry& entry : mapping->entries) {
    Declared& one = declared.emplace_back();
    one.name = entry.key->text;
    one.key = entry.key;
    one.spec = entry.value;
    const Node* required = Find(entry.value, "required");
    one.required = required && required->is_true();
    one.value = Find(entry.value, "value");
  }
}

void ReadEvents(const Node& on, std::vector<Event>& events) {
  if (on.is_mapping()) {
    for (const Entry& entry : on.entries) {
      events.push_back(
          {entry.key->text, entry.key, entry.value->is_null() ? nullptr : entry.value});
    }
  } else if (on.is_sequence()) {
    for (const Node* item : on.items) {
      if (item->is_scalar()) events.push_back({item->text, item, nullptr});
    }
  } else if (on.is_string()) {
    events.push_back({on.text, &on, nullptr});
  }
}

// The field of a job's key; null for unknown keys.
Field* JobField(Job& job, std::string_view key) {
  switch (key.size()) {
    case 2:
      return key == "if" ? &job.condition : nullptr;
    case 3:
      return key == "env" ? &job.env : nullptr;
    case 4:
      return key == "name"   ? &job.name
             : key == "uses" ? &job.uses
             : key == "with" ? &job.with
                             : nullptr;
    case 5:
      return key == "needs" ? &job.needs_field : key == "steps" ? &job.steps_field : nullptr;
    case 7:
      return key == "runs-on"   ? &job.runs_on
             : key == "secrets" ? &job.secrets
             : key == "outputs" ? &job.outputs
                                : nullptr;
    case 8:
      return key == "strategy"   ? &job.strategy
             : key == "services" ? &job.services
             : key == "defaults" ? &job.defaults
                                 : nullptr;
    case 9:
      return key == "container" ? &job.container : nullptr;
    case 11:
      return key == "permissions"   ? &job.permissions
             : key == "concurrency" ? &job.concurrency
             : key == "environment" ? &job.environment
                                    : nullptr;
    case 15:
      return key == "timeout-minutes" ? &job.timeout : nullptr;
    case 17:
      return key == "continue-on-error" ? &job.continue_on_error : nullptr;
    default:
      return nullptr;
  }
}

Field* StepField(WorkflowStep& step, std::string_view key) {
  switch (key.size()) {
    case 2:
      return key == "id" ? &step.id : key == "if" ? &step.condition : nullptr;
    case 3:
      return key == "run" ? &step.run : key == "env" ? &step.env : nullptr;
    case 4:
      return key == "name"   ? &step.name
             : key == "uses" ? &step.uses
             : key == "with" ? &step.with
             : key == "wait" ? &step.wait
                             : nullptr;
    case 5:
      return key == "shell" ? &step.shell : nullptr;
    case 6:
      return key == "cancel" ? &step.cancel : nullptr;
    case 8:
      return key == "parallel" ? &step.parallel : key == "wait-all" ? &step.wait_all : nullptr;
    case 10:
      return key == "background" ? &step.background : nullptr;
    case 15:
      return key == "timeout-minutes" ? &step.timeout : nullptr;
    case 17:
      return key == "working-directory"   ? &step.working_directory
             : key == "continue-on-error" ? &step.continue_on_error
                                          : nullptr;
    default:
      return nullptr;
  }
}

WorkflowStep ReadStep(const Node& node) {
  WorkflowStep step;
  step.node = &node;
  for (const Entry& entry : node.entries) {
    if (Field* field = StepField(step, entry.key->text)) *field = MakeField(entry);
  }
  return step;
}

}  // namespace

std::string_view NameOf(InputType type) {
  switch (type) {
    case InputType::kString:
      return "string";
    case InputType::kBoolean:
      return "boolean";
    case InputType::kNumber:
      return "number";
    case InputType::kChoice:
      return "choice";
    case InputType::kEnvironment:
      return "environment";
    case InputType::kUnknown:
      break;
  }
  return "unknown";
}

std::vector<const Node*> NamesIn(const Field& field) {
  std::vector<const Node*> names;
  if (field.value == nullptr) return names;
  if (field.value->is_string()) names.push_back(field.value);
  for (const Node* item : field.value->items) {
    if (item->is_string()) names.push_back(item);
  }
  return names;
}

std::size_t HashIgnoringCase(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(ToLower(c))) * 0x100000001b3u;
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

const Event* Workflow::FindEvent(std::string_view event) const {
  const auto found = std::find_if(events.begin(), events.end(),
                                  [&](const Event& one) { return one.name == event; });
  return found == events.end() ? nullptr : &*found;
}

const Job* Workflow::FindJob(std::string_view id) const {
  const std::int32_t index = JobIndex(id);
  return index < 0 ? nullptr : &jobs[static_cast<std::size_t>(index)];
}

const Input* Workflow::FindCallInput(std::string_view input) const {
  return FindNamed(call_inputs, input);
}

const Input* Workflow::FindDispatchInput(std::string_view input) const {
  return FindNamed(dispatch_inputs, input);
}

std::int32_t Workflow::JobIndex(std::string_view id) const {
  if (job_table_.empty()) return -1;
  const std::size_t mask = job_table_.size() - 1;
  for (std::size_t slot = HashIgnoringCase(id) & mask;; slot = (slot + 1) & mask) {
    const std::int32_t index = job_table_[slot];
    if (index < 0 || EqualsIgnoringCase(jobs[static_cast<std::size_t>(index)].id, id)) return index;
  }
}

void ReadWorkflow(const Node& root, Workflow& workflow) {
  workflow.root = &root;
  workflow.name = workflow.run_name = workflow.on = workflow.permissions = workflow.env =
      workflow.defaults = workflow.concurrency = workflow.jobs_field = Field{};
  workflow.events.clear();
  workflow.call_inputs.clear();
  workflow.call_secrets.clear();
  workflow.call_outputs.clear();
  workflow.dispatch_inputs.clear();
  workflow.jobs.clear();
  workflow.all_needs_.clear();
  workflow.all_steps_.clear();
  workflow.job_table_.clear();
  workflow.texts_.Clear();

  if (!root.is_mapping()) return;
  for (const Entry& entry : root.entries) {
    const std::string_view key = entry.key->text;
    Field* field = key == "name"          ? &workflow.name
                   : key == "run-name"    ? &workflow.run_name
                   : key == "on"          ? &workflow.on
                   : key == "permissions" ? &workflow.permissions
                   : key == "env"         ? &workflow.env
                   : key == "defaults"    ? &workflow.defaults
                   : key == "concurrency" ? &workflow.concurrency
                   : key == "jobs"        ? &workflow.jobs_field
                                          : nullptr;
    if (field) *field = MakeField(entry);
  }
  if (workflow.on) ReadEvents(*workflow.on.value, workflow.events);
  if (const Event* call = workflow.FindEvent("workflow_call")) {
    ReadInputs(Find(call->config, "inputs"), workflow.call_inputs);
    ReadDeclared(Find(call->config, "secrets"), workflow.call_secrets);
    ReadDeclared(Find(call->config, "outputs"), workflow.call_outputs);
  }
  if (const Event* dispatch = workflow.FindEvent("workflow_dispatch")) {
    ReadInputs(Find(dispatch->config, "inputs"), workflow.dispatch_inputs);
  }
  if (!workflow.jobs_field || !workflow.jobs_field.value->is_mapping()) return;

  // Spans are set once the shared vectors no longer grow.
  struct Range {
    std::size_t needs, steps;
  };
  std::vector<Range> starts;
  const std::span<const Entry> entries = workflow.jobs_field.value->entries;
  starts.reserve(entries.size() + 1);
  workflow.jobs.reserve(entries.size());
  for (const Entry& entry : entries) {
    starts.push_back({workflow.all_needs_.size(), workflow.all_steps_.size()});
    Job& job = workflow.jobs.emplace_back();
    job.id = entry.key->text;
    job.key = entry.key;
    job.node = entry.value;
    for (const Entry& property : entry.value->entries) {
      if (Field* field = JobField(job, property.key->text)) *field = MakeField(property);
    }
    job.matrix = Find(job.strategy.value, "matrix");
    if (const Node* needs = job.needs_field.value) {
      if (needs->is_string()) workflow.all_needs_.push_back({needs->text, needs});
      for (const Node* item : needs->items) {
        if (item->is_scalar()) workflow.all_needs_.push_back({item->text, item});
      }
    }
    if (job.steps_field) {
      for (const Node* item : job.steps_field.value->items) {
        if (!item->is_mapping()) continue;
        const Field parallel = workflow.all_steps_.emplace_back(ReadStep(*item)).parallel;
        if (!parallel) continue;
        for (const Node* inner : parallel.value->items) {
          if (!inner->is_mapping()) continue;
          workflow.all_steps_.push_back(ReadStep(*inner));
          workflow.all_steps_.back().in_parallel = true;
        }
      }
    }
  }
  starts.push_back({workflow.all_needs_.size(), workflow.all_steps_.size()});
  const std::span<const Need> all_needs(workflow.all_needs_);
  const std::span<const WorkflowStep> all_steps(workflow.all_steps_);
  for (std::size_t i = 0; i < workflow.jobs.size(); ++i) {
    workflow.jobs[i].needs =
        all_needs.subspan(starts[i].needs, starts[i + 1].needs - starts[i].needs);
    workflow.jobs[i].steps =
        all_steps.subspan(starts[i].steps, starts[i + 1].steps - starts[i].steps);
  }

  std::size_t slots = 16;
  while (slots < workflow.jobs.size() * 2) slots *= 2;
  workflow.job_table_.assign(slots, -1);
  for (std::size_t i = 0; i < workflow.jobs.size(); ++i) {
    std::size_t slot = HashIgnoringCase(workflow.jobs[i].id) & (slots - 1);
    while (
        workflow.job_table_[slot] >= 0 &&
        !EqualsIgnoringCase(workflow.jobs[static_cast<std::size_t>(workflow.job_table_[slot])].id,
                            workflow.jobs[i].id)) {
      slot = (slot + 1) & (slots - 1);
    }
    if (workflow.job_table_[slot] < 0) workflow.job_table_[slot] = static_cast<std::int32_t>(i);
  }
}

}  // namespace wheelwright
