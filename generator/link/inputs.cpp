// Checks inputs: each is used, and workflow_call and workflow_dispatch declare the same.
#include <fmt/format.h>

#include <algorithm>

#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// The type in expressions: choices and environments are strings.
InputType Seen(InputType type) {
  return type == InputType::kChoice || type == InputType::kEnvironment ? InputType::kString : type;
}

std::string DescribeDefault(const Node* value) {
  return value && !value->is_null() ? fmt::format("'{}'", value->text) : std::string("none");
}

bool SameDefault(const Node* a, const Node* b) {
  const bool none_a = !a || a->is_null();
  const bool none_b = !b || b->is_null();
  if (none_a || none_b) return none_a == none_b;
  return SameContent(*a, *b);
}

void CompareSides(const Linking& linking, const Input& call, const Input& dispatch) {
  std::vector<std::string> differences;
  if (call.name != dispatch.name) {
    differences.push_back(fmt::format("the name is '{}' and '{}'", call.name, dispatch.name));
  }
  if (Seen(call.type) != Seen(dispatch.type)) {
    differences.push_back(
        fmt::format("the type is {} and {}", NameOf(call.type), NameOf(dispatch.type)));
  }
  if (call.required != dispatch.required) {
    differences.push_back(fmt::format("it is required by {} only",
                                      call.required ? "workflow_call" : "workflow_dispatch"));
  }
  if (!SameDefault(call.default_value, dispatch.default_value)) {
    differences.push_back(fmt::format("the default is {} and {}",
                                      DescribeDefault(call.default_value),
                                      DescribeDefault(dispatch.default_value)));
  }
  if (differences.empty()) return;
  Diagnostic diagnostic =
      At(dispatch.key, "input-sides-differ",
         fmt::format("the input '{}' is not the same for workflow_call and workflow_dispatch",
                     call.name));
  diagnostic.related.push_back({call.key->where, "for workflow_call"});
  for (std::string& difference : differences) diagnostic.notes.push_back(std::move(difference));
  linking.Report(linking.rules().equal_sides, std::move(diagnostic));
}

void CheckSides(const Linking& linking, const ScalarScan& scan) {
  const Workflow& workflow = linking.workflow;
  if (!workflow.FindEvent("workflow_call") || !workflow.FindEvent("workflow_dispatch")) return;
  for (std::size_t i = 0; i < workflow.call_inputs.size(); ++i) {
    const Input& call = workflow.call_inputs[i];
    if (const Input* dispatch = workflow.FindDispatchInput(call.name)) {
      CompareSides(linking, call, *dispatch);
    } else if (scan.all_inputs || scan.used_call_inputs[i]) {
      linking.Report(
          linking.rules().equal_sides,
          At(call.key, "input-on-one-side",
             fmt::format("the input '{}' is read, and empty when the workflow is dispatched",
                         call.name),
             "declare it for workflow_dispatch as well"));
    }
  }
  for (std::size_t i = 0; i < workflow.dispatch_inputs.size(); ++i) {
    const Input& dispatch = workflow.dispatch_inputs[i];
    if (workflow.FindCallInput(dispatch.name) ||
        (!scan.all_inputs && !scan.used_dispatch_inputs[i]))
      continue;
    linking.Report(linking.rules().equal_sides,
                   At(dispatch.key, "input-on-one-side",
                      fmt::format("the input '{}' is read, and empty when the workflow is called",
                                  dispatch.name),
                      "declare it for workflow_call as well"));
  }
}

void CheckUsed(const Linking& linking, const std::vector<Input>& inputs,
               const std::vector<bool>& used) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (used[i]) continue;
    linking.Report(linking.rules().used_inputs,
                   At(inputs[i].key, "unused-input",
                      fmt::format("nothing reads the input '{}'", inputs[i].name), "remove it"));
  }
}

}  // namespace

void CheckInputs(const Linking& linking, const ScalarScan& scan) {
  if (scan.broken) return;
  CheckSides(linking, scan);
  if (scan.all_inputs) return;
  CheckUsed(linking, linking.workflow.call_inputs, scan.used_call_inputs);
  CheckUsed(linking, linking.workflow.dispatch_inputs, scan.used_dispatch_inputs);
}

}  // namespace wheelwright
