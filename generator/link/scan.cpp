// One walk over all scalars: lengths of expressions, and used inputs.
#include <algorithm>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

class Scan {
 public:
  Scan(const Workflow& workflow, const Limits& limits) : workflow_(workflow), limits_(limits) {
    result_.used_call_inputs.resize(workflow.call_inputs.size());
    result_.used_dispatch_inputs.resize(workflow.dispatch_inputs.size());
  }

  ScalarScan Run() {
    Walk(*workflow_.root, 1);
    return std::move(result_);
  }

 private:
  void Walk(const Node& node, std::size_t depth) {
    if (node.is_scalar()) {
      if (!node.is_string()) return;
      Look(node, false);
      // A script that reads the event reads any input of a dispatch.
      if (!in_steps_ || workflow_.dispatch_inputs.empty()) return;
      for (const std::string_view event :
           {"GITHUB_EVENT_PATH", "payload.inputs", "github.event_path"}) {
        if (node.text.find(event) != std::string_view::npos) ReadsEvent();
      }
      return;
    }
    if (depth > result_.depth) {
      result_.depth = depth;
      result_.deepest = &node;
    }
    for (const Node* item : node.items) Walk(*item, depth + 1);
    for (const Entry& entry : node.entries) {
      if (entry.key->text == "if" && entry.value->is_string()) {
        Look(*entry.value, true);
      } else {
        const bool outside = !in_steps_;
        if (entry.key->text == "steps") in_steps_ = true;
        Walk(*entry.value, depth + 1);
        if (outside) in_steps_ = false;
      }
    }
  }

  void Look(const Node& scalar, bool condition) {
    const GithubText& text = workflow_.Text(scalar.text, condition);
    if (text.expressions.empty() && !text.error) return;
    Measure(scalar, text.length);
    if (!text.valid) result_.broken = true;
    if (text.inputs.all) result_.all_inputs = true;
    for (const std::string_view name : text.inputs.names) {
      Mark(workflow_.call_inputs, name, result_.used_call_inputs);
      Mark(workflow_.dispatch_inputs, name, result_.used_dispatch_inputs);
    }
  }

  void Measure(const Node& scalar, std::size_t length) {
    result_.longest_expression = std::max(result_.longest_expression, length);
    if (limits_.expression_bytes != 0 && length > limits_.expression_bytes) {
      result_.too_long.push_back({&scalar, length});
    }
  }

  void ReadsEvent() { result_.used_dispatch_inputs.assign(workflow_.dispatch_inputs.size(), true); }

  static void Mark(const std::vector<Input>& inputs, std::string_view name,
                   std::vector<bool>& used) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (EqualsIgnoringCase(inputs[i].name, name)) used[i] = true;
    }
  }

  const Workflow& workflow_;
  const Limits& limits_;
  bool in_steps_ = false;
  ScalarScan result_;
};

}  // namespace

ScalarScan ScanScalars(const Workflow& workflow, const Limits& limits) {
  return Scan(workflow, limits).Run();
}

}  // namespace wheelwright
