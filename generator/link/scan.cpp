// One walk over all scalars: lengths of expressions, and which inputs are read.
#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/link/references.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// As ExpressionLength(), with an empty list to work with.
std::size_t LengthOf(std::string_view text, std::vector<Embedded>& found) {
  if (FindEmbedded(text, Brackets::kGithub, found)) return text.size();
  if (found.empty()) return 0;
  const auto inner = [&](const Embedded& one) {
    return Trim(text.substr(one.inner_begin, one.inner_end - one.inner_begin)).size();
  };
  if (found.size() == 1 && found[0].begin == 0 && found[0].end == text.size())
    return inner(found[0]);
  // format('text {0} text', a, b): quotes and braces of the text are doubled.
  std::size_t length = std::string_view("format('')").size();
  std::size_t at = 0;
  const auto add_text = [&](std::string_view part) {
    length += part.size();
    length += static_cast<std::size_t>(
        std::ranges::count_if(part, [](char c) { return c == '\'' || c == '{' || c == '}'; }));
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    add_text(text.substr(at, found[i].begin - at));
    length += std::to_string(i).size() + 2 + 2 + inner(found[i]);
    at = found[i].end;
  }
  add_text(text.substr(at));
  return length;
}

class Scan {
  static constexpr std::size_t kLong = 100;

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
      if (HoldsExpression(node.text)) Look(node, node.text);
      // A script that reads the event reads any input of a dispatch.
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
      // A condition is an expression with or without brackets.
      if (entry.key->text == "if" && entry.value->is_string() &&
          !HoldsExpression(entry.value->text)) {
        Measure(*entry.value, entry.value->text.size());
        FindInputs(entry.value->text);
      } else {
        Walk(*entry.value, depth + 1);
      }
    }
  }

  void Look(const Node& scalar, std::string_view text) {
    // Unrolled jobs repeat long expressions, which cost more to scan than to look up. Those that
    // may be too long are all told: format() makes a text four times as long at most.
    if (text.size() > kLong && 4 * text.size() < limits_.expression_bytes &&
        !long_texts_.insert(text).second) {
      return;
    }
    found_.clear();
    Measure(scalar, LengthOf(text, found_));
    if (!workflow_.has_inputs() || result_.all_inputs) return;
    const std::size_t begin = text.find("${{");
    const std::size_t end = text.rfind("}}");
    if (end == std::string_view::npos || end < begin) return;
    FindInputs(text.substr(begin, end - begin));
  }

  void Measure(const Node& scalar, std::size_t length) {
    result_.longest_expression = std::max(result_.longest_expression, length);
    if (limits_.expression_bytes != 0 && length > limits_.expression_bytes) {
      result_.too_long.push_back({&scalar, length});
    }
  }

  void ReadsEvent() { result_.used_dispatch_inputs.assign(workflow_.dispatch_inputs.size(), true); }

  void FindInputs(std::string_view expression) {
    if (!workflow_.has_inputs() || result_.all_inputs) return;
    VisitReferences(expression, "inputs", [&](std::string_view name) {
      if (name.empty()) {
        result_.all_inputs = true;
        return;
      }
      Mark(workflow_.call_inputs, name, result_.used_call_inputs);
      Mark(workflow_.dispatch_inputs, name, result_.used_dispatch_inputs);
    });
  }

  static void Mark(const std::vector<Input>& inputs, std::string_view name,
                   std::vector<bool>& used) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (EqualsIgnoringCase(inputs[i].name, name)) used[i] = true;
    }
  }

  const Workflow& workflow_;
  const Limits& limits_;
  ScalarScan result_;
  std::vector<Embedded> found_;                      // reused from scalar to scalar
  std::unordered_set<std::string_view> long_texts_;  // that were looked at
};

}  // namespace

ScalarScan ScanScalars(const Workflow& workflow, const Limits& limits) {
  return Scan(workflow, limits).Run();
}

std::size_t ExpressionLength(std::string_view text) {
  std::vector<Embedded> found;
  return LengthOf(text, found);
}

}  // namespace wheelwright
