#include "generator/link/link_action.h"

#include <array>

#include "generator/link/expressions.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// A workflow with the action's inputs, and a job with its steps. Its matrix is that of any job.
class ActionAsWorkflow {
 public:
  ActionAsWorkflow(const Node& action, Arena& arena) : arena_(arena) {
    const Entry* inputs = FindEntry(&action, "inputs");
    const Entry* runs = FindEntry(&action, "runs");
    const Node* steps = runs == nullptr ? nullptr : Find(runs->value, "steps");
    std::vector<Entry> call;
    if (inputs != nullptr) call.push_back(*inputs);
    std::vector<Entry> job{
        {Key("strategy"), Mapping({{Key("matrix"), MakeString(arena, "${{ github }}")}})}};
    if (steps != nullptr) job.push_back({Key("steps"), steps});
    const Node* called = inputs == nullptr ? &action : inputs->key;
    const Node* ran = runs == nullptr ? &action : runs->key;
    const Node* on = Mapping({{KeyAt("workflow_call", *called), MakeMapping(arena, call)}});
    const Node* jobs = Mapping({{KeyAt("runs", *ran), MakeMapping(arena, job)}});
    root_ = Mapping({{Key("on"), on}, {Key("jobs"), jobs}});
  }

  const Node& root() const { return *root_; }

 private:
  const Node* Key(std::string_view name) { return MakeString(arena_, name); }
  const Node* KeyAt(std::string_view name, const Node& place) {
    Node* key = arena_.New<Node>(*MakeString(arena_, name));
    key->where = place.where;
    return key;
  }
  const Node* Mapping(std::initializer_list<Entry> entries) {
    return MakeMapping(arena_, std::span(entries.begin(), entries.size()));
  }

  Arena& arena_;
  const Node* root_ = nullptr;
};

}  // namespace

void LinkAction(const Node& root, const LinkContext& context, Diagnostics& diagnostics) {
  Arena arena;
  const ActionAsWorkflow as_workflow(root, arena);
  Workflow workflow;
  ReadWorkflow(as_workflow.root(), workflow);
  const ExpressionOptions options{
      .sources = context.sources,
      .interfaces = context.interfaces,
      .strict_scripts = context.rules.strict_scripts,
      .both_sides = false,
      .actions = context.actions,
      .known = context.known,
      .lax = context.rules.absent_values == RuleLevel::kWarning,
      .programs = context.programs,
      .action = &root,
  };
  CheckExpressions(workflow, options, diagnostics);
  FileUsage usage;
  const WorkflowFile file{"action.yml", workflow};
  const Linking linking{file, workflow, context, diagnostics, usage, workflow};
  CheckPins(linking);
  CheckActionUses(linking);
  if (context.programs != nullptr) CheckPrograms(linking);
}

}  // namespace wheelwright
