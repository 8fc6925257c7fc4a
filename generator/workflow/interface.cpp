#include "generator/workflow/interface.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/expression/scope.h"
#include "generator/workflow/find_named.h"

namespace wheelwright {
namespace {

constexpr std::string_view kWorkflowFolder = ".github/workflows/";

std::vector<WorkflowInterface::Input> TakeInputs(const std::vector<Input>& inputs) {
  std::vector<WorkflowInterface::Input> taken;
  taken.reserve(inputs.size());
  for (const Input& input : inputs) {
    WorkflowInterface::Input& one = taken.emplace_back();
    one.name = input.name;
    one.type = input.type;
    one.required = input.required;
    one.has_default = input.default_value && !input.default_value->is_null();
    if (one.has_default) {
      one.default_text = input.default_value->text;
    } else if (input.type == InputType::kBoolean || input.type == InputType::kNumber) {
      one.default_text = input.type == InputType::kBoolean ? "false" : "0";
    }
    one.where = input.key->where;
    if (input.options) {
      for (const Node* option : input.options->items) one.options.emplace_back(option->text);
    }
  }
  return taken;
}

// Adds `want`, or raises the access of an existing one.
void AddWant(std::vector<WorkflowInterface::Want>& wants, WorkflowInterface::Want want) {
  if (want.access == Access::kNone) return;
  const auto at = std::lower_bound(
      wants.begin(), wants.end(), want.scope,
      [](const WorkflowInterface::Want& one, std::size_t scope) { return one.scope < scope; });
  if (at == wants.end() || at->scope != want.scope) {
    wants.insert(at, std::move(want));
  } else if (at->access < want.access) {
    *at = std::move(want);
  }
}

void AddWants(std::vector<WorkflowInterface::Want>& wants, const Field& field,
              std::string_view path) {
  const Permissions permissions = ReadPermissions(*field.value);
  for (std::size_t scope = 0; scope < permissions.size(); ++scope) {
    if (permissions[scope] == Access::kNone) continue;
    const Entry* entry = FindEntry(field.value, kPermissionScopes[scope]);
    AddWant(wants, {scope, permissions[scope], std::string(path),
                    entry ? entry->key->where : field.value->where});
  }
}

void AddPublications(std::vector<WorkflowInterface::Publication>& list, const Field& field,
                     std::string_view file, const Job& job) {
  for (const Node* name : NamesIn(field)) {
    list.push_back(
        {std::string(name->text), fmt::format("{} job '{}'", file, job.id), name->where});
  }
}

// Fills in inherited data. Calls follow(call, callee) for each call of a known workflow, which
// returns whether the callee is finished.
template <typename Follow>
void FollowCalls(WorkflowInterface& self, const InterfaceSet& set, const Follow& follow) {
  std::size_t below = 0;
  self.run_jobs = self.jobs;
  self.run_edges = self.needs_edges;
  self.deepest = self.name;
  std::string deepest_below;
  for (const WorkflowInterface::Call& call : self.calls) {
    const WorkflowInterface* callee = set.Find(call.callee);
    if (!callee) {
      if (below == 0) deepest_below = call.callee;
      below = std::max<std::size_t>(below, 1);
      continue;
    }
    if (!follow(call, *callee)) continue;
    if (callee->levels > below) {
      below = callee->levels;
      deepest_below = callee->deepest;
    }
    self.run_jobs += callee->run_jobs;
    self.run_edges += callee->run_edges;
    for (const auto list : {&WorkflowInterface::publishes, &WorkflowInterface::installs}) {
      for (const WorkflowInterface::Publication& one : callee->*list) {
        (self.*list)
            .push_back({one.name, fmt::format("{} job '{}' -> {}", self.name, call.job, one.path),
                        one.where});
      }
    }
    if (call.bounded) continue;
    for (const WorkflowInterface::Want& want : callee->wants) {
      AddWant(self.wants,
              {want.scope, want.access,
               fmt::format("{} job '{}' -> {}", self.name, call.job, want.path), want.where});
    }
  }
  for (const CallsOf& calls : self.callees) {
    if (const WorkflowInterface* callee = set.Find(calls.callee())) {
      calls.Inherit(self.name, *callee, callee->touches, self.touches);
    }
  }
  std::erase_if(self.installs, [&](const WorkflowInterface::Publication& one) {
    return std::ranges::find(self.publishes, one.name, &WorkflowInterface::Publication::name) !=
           self.publishes.end();
  });
  self.levels = below + 1;
  if (!deepest_below.empty()) self.deepest += " -> " + deepest_below;
}

// Follows the calls of a whole set, callees first.
class Closure {
 public:
  Closure(std::vector<WorkflowInterface>& interfaces, const InterfaceSet& set,
          Diagnostics& diagnostics)
      : interfaces_(interfaces),
        set_(set),
        diagnostics_(diagnostics),
        state_(interfaces.size(), State::kNew) {}

  void Run() {
    for (std::size_t i = 0; i < interfaces_.size(); ++i) Visit(i);
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };

  // Recursion is as deep as the calls; real chains are short, because GitHub allows ten levels.
  void Visit(std::size_t index) {
    if (state_[index] != State::kNew) return;
    state_[index] = State::kOpen;
    path_.push_back(index);
    FollowCalls(interfaces_[index], set_,
                [&](const WorkflowInterface::Call& call, const WorkflowInterface& callee) {
                  const auto next = static_cast<std::size_t>(&callee - interfaces_.data());
                  if (state_[next] == State::kOpen) {
                    ReportCircle(call, next);
                    return false;
                  }
                  Visit(next);
                  return true;
                });
    path_.pop_back();
    state_[index] = State::kDone;
  }

  void ReportCircle(const WorkflowInterface::Call& call, std::size_t next) {
    std::string circle;
    for (auto at = std::find(path_.begin(), path_.end(), next); at != path_.end(); ++at) {
      circle += interfaces_[*at].name + " -> ";
    }
    Diagnostic diagnostic;
    diagnostic.code = "call-cycle";
    diagnostic.message =
        fmt::format("workflows call each other in a circle: {}{}", circle, interfaces_[next].name);
    diagnostic.where = call.where;
    diagnostics_.Report(std::move(diagnostic));
  }

  std::vector<WorkflowInterface>& interfaces_;
  const InterfaceSet& set_;
  Diagnostics& diagnostics_;
  std::vector<State> state_;
  std::vector<std::size_t> path_;
};

}  // namespace

const WorkflowInterface::Input* WorkflowInterface::FindInput(std::string_view input) const {
  return FindNamed(inputs, input);
}

const WorkflowInterface::Input* WorkflowInterface::FindDispatchInput(std::string_view input) const {
  return FindNamed(dispatch_inputs, input);
}

const WorkflowInterface::Secret* WorkflowInterface::FindSecret(std::string_view secret) const {
  return FindNamed(secrets, secret);
}

const WorkflowInterface::Output* WorkflowInterface::FindOutput(std::string_view output) const {
  return FindNamed(outputs, output);
}

std::string_view InterfaceName(std::string_view uses) {
  if (uses.starts_with("./") || uses.starts_with("$/")) {
    uses.remove_prefix(2);
    if (uses.starts_with(kWorkflowFolder)) uses.remove_prefix(kWorkflowFolder.size());
    return uses;
  }
  return uses.substr(0, uses.find('@'));
}

WorkflowInterface MakeInterface(std::string_view name, const Workflow& workflow) {
  WorkflowInterface interface;
  interface.name = name;
  interface.where = workflow.on.where();
  if (const Event* call = workflow.FindEvent("workflow_call")) {
    interface.callable = true;
    interface.where = call->key->where;
  }
  interface.title = workflow.name.text();
  if (workflow.root->scope != nullptr) interface.instance = DescribeInstance(workflow.root->scope);
  for (const Event& event : workflow.events) {
    if (event.name == "workflow_call") continue;
    interface.starts.push_back({std::string(event.name), event.key->where});
  }
  interface.dispatchable = workflow.FindEvent("workflow_dispatch") != nullptr;
  interface.inputs = TakeInputs(workflow.call_inputs);
  interface.dispatch_inputs = TakeInputs(workflow.dispatch_inputs);
  for (const Declared& secret : workflow.call_secrets) {
    interface.secrets.push_back({std::string(secret.name), secret.required, secret.key->where});
  }
  for (const Declared& output : workflow.call_outputs) {
    interface.outputs.push_back({std::string(output.name), output.key->where});
  }
  interface.jobs = workflow.jobs.size();
  if (workflow.permissions) AddWants(interface.wants, workflow.permissions, name);
  for (const Job& job : workflow.jobs) {
    interface.needs_edges += job.needs.size();
    AddPublications(interface.publishes, job.publishes, name, job);
    AddPublications(interface.installs, job.installs, name, job);
    if (job.permissions) {
      AddWants(interface.wants, job.permissions, fmt::format("{} job '{}'", name, job.id));
    } else if (!workflow.permissions) {
      interface.permissions_explicit = false;
    }
    if (!job.is_call()) continue;
    interface.calls.push_back({std::string(job.id), std::string(InterfaceName(job.uses.text())),
                               job.permissions || workflow.permissions, job.uses.value->where});
  }
  return interface;
}

void InterfaceSet::Add(WorkflowInterface interface) { interfaces_.push_back(std::move(interface)); }

void InterfaceSet::Finish(Diagnostics& diagnostics) {
  // Of equal names the last one is kept.
  std::reverse(interfaces_.begin(), interfaces_.end());
  const auto name_of = [](const WorkflowInterface& one) -> const std::string& { return one.name; };
  std::ranges::stable_sort(interfaces_, {}, name_of);
  const auto repeated = std::ranges::unique(interfaces_, {}, name_of);
  interfaces_.erase(repeated.begin(), repeated.end());
  for (const WorkflowInterface& one : interfaces_) {
    if (one.callable) callable_names_.push_back(one.name);
  }
  for (std::size_t i = 0; i < interfaces_.size(); ++i) positions_[interfaces_[i].name] = i;
  first_expected_ = interfaces_.size();
  Closure(interfaces_, *this, diagnostics).Run();
  for (WorkflowInterface& one : interfaces_) one.reusable_files = CountReach(one);
}

void InterfaceSet::Expect(std::vector<std::string_view> names) {
  Diagnostics no_circles;  // nobody calls
  Finish(no_circles);
  std::erase_if(names, [&](std::string_view name) { return positions_.contains(name); });
  interfaces_.resize(first_expected_ + names.size());
  // Growth has moved the names.
  positions_.clear();
  for (std::size_t i = 0; i < first_expected_; ++i) positions_[interfaces_[i].name] = i;
  for (std::size_t i = 0; i < names.size(); ++i) positions_[names[i]] = first_expected_ + i;
  fulfilled_ = std::vector<std::atomic<bool>>(names.size());
  callable_names_.clear();
}

bool InterfaceSet::Awaits(std::string_view name) const {
  const auto at = positions_.find(name);
  return at != positions_.end() && at->second >= first_expected_ &&
         !fulfilled_[at->second - first_expected_].load(std::memory_order_acquire);
}

void InterfaceSet::Fulfil(WorkflowInterface interface) {
  const std::size_t position = positions_.at(interface.name);
  if (position < first_expected_) return;
  FollowCalls(interface, *this, [](const auto&, const auto&) { return true; });
  interface.reusable_files = CountReach(interface);
  interfaces_[position] = std::move(interface);
  fulfilled_[position - first_expected_].store(true, std::memory_order_release);
}

const WorkflowInterface* InterfaceSet::Find(std::string_view name) const {
  const auto at = positions_.find(name);
  if (at == positions_.end()) return nullptr;
  const std::size_t position = at->second;
  const bool there = position < first_expected_ ||
                     fulfilled_[position - first_expected_].load(std::memory_order_acquire);
  return there ? &interfaces_[position] : nullptr;
}

// The workflow itself and every different one that it reaches.
std::size_t InterfaceSet::CountReach(const WorkflowInterface& interface) const {
  std::vector<std::string_view> names{interface.name};
  for (const WorkflowInterface::Call& call : interface.calls) names.push_back(call.callee);
  return Reach(names).size();
}

std::vector<std::string_view> InterfaceSet::Reach(std::span<const std::string_view> names) const {
  std::vector<std::string_view> found(names.begin(), names.end());
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  std::vector<std::string_view> open = found;
  while (!open.empty()) {
    const WorkflowInterface* one = Find(open.back());
    open.pop_back();
    if (!one) continue;
    for (const WorkflowInterface::Call& call : one->calls) {
      const auto at = std::ranges::lower_bound(found, std::string_view(call.callee));
      if (at != found.end() && *at == call.callee) continue;
      found.insert(at, call.callee);
      open.push_back(call.callee);
    }
  }
  return found;
}

}  // namespace wheelwright
