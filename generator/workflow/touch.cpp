#include "generator/workflow/touch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "generator/expression/values.h"
#include "generator/workflow/interface.h"

namespace wheelwright {
namespace {

// An input that takes more values than this does not choose between trust domains: the rest may be
// anything. It bounds the time for files with thousands of calls.
constexpr std::size_t kMostValues = 64;

// Whether GitHub finds an input of that type with the value `text` equal to `other`: booleans and
// numbers are compared as numbers, so '', ' ' and '0' are all 0.
bool InputEquals(InputType type, std::string_view text, std::string_view other) {
  if (type != InputType::kBoolean && type != InputType::kNumber) {
    return EqualsIgnoringCase(text, other);
  }
  const auto number_of = [](std::string_view one) -> std::optional<double> {
    one = Trim(one);
    return one.empty() ? 0.0 : ParseNumber(one);
  };
  const auto given = text == "true"    ? std::optional(1.0)
                     : text == "false" ? std::optional(0.0)
                                       : number_of(text);
  return !given || given == number_of(other);  // what is no number is given by mistake
}

// Whether an input of the callee that holds this text fulfils the condition.
bool Fulfils(std::string_view text, const WorkflowInterface::Input* input,
             const Condition& condition) {
  const InputType type = input != nullptr ? input->type : InputType::kString;
  if (condition.kind == Condition::Kind::kInputIs) {
    return InputEquals(type, text, condition.value);
  }
  if (type == InputType::kBoolean) return text != "false" && !text.empty();
  if (type == InputType::kNumber) return text != "0" && !text.empty();
  return !text.empty();
}

}  // namespace

PossibleValue DefaultOf(const WorkflowInterface& callee, std::string_view input) {
  PossibleValue value{.kind = PossibleValue::Kind::kLiteral, .when = {}, .text = {}};
  if (const WorkflowInterface::Input* declared = callee.FindInput(input)) {
    value.text = declared->default_text;
  }
  if (value.text.find("${{") != std::string::npos) value.kind = PossibleValue::Kind::kUnknown;
  return value;
}

bool MayHold(const Condition& condition, std::string_view event,
             const WorkflowInterface& workflow) {
  switch (condition.kind) {
    case Condition::Kind::kAlways:
      return true;
    case Condition::Kind::kEvent:
      return EqualsIgnoringCase(condition.name, event);
    case Condition::Kind::kInputIs:
    case Condition::Kind::kInputGiven:
      break;
  }
  // An input that is not there is null, which is compared as the number 0.
  const bool empty_fits = condition.kind == Condition::Kind::kInputIs &&
                          InputEquals(InputType::kNumber, "0", condition.value);
  const WorkflowInterface::Input* input =
      event == "workflow_dispatch" ? workflow.FindDispatchInput(condition.name) : nullptr;
  if (input == nullptr) return empty_fits;
  if (condition.kind == Condition::Kind::kInputGiven) return true;
  if (input->type == InputType::kChoice && !input->options.empty()) {
    return empty_fits || std::ranges::any_of(input->options, [&](const std::string& option) {
             return EqualsIgnoringCase(option, condition.value);
           });
  }
  return true;
}

bool Covers(const std::vector<Touch>& touches, std::uint32_t mark, const Condition& when) {
  return std::ranges::any_of(touches, [&](const Touch& one) {
    return one.mark == mark && (one.when.always() || one.when == when);
  });
}

void AddTouch(std::vector<Touch>& touches, Touch touch) {
  if (touch.when.always()) {
    std::erase_if(touches, [&](const Touch& one) { return one.mark == touch.mark; });
  }
  const auto key = [](const Touch& one) { return std::tie(one.mark, one.when); };
  const auto at = std::ranges::lower_bound(touches, key(touch), {}, key);
  touches.insert(at, std::move(touch));
}

void CallsOf::Begin(std::string_view job, SourceRange uses, Condition when) {
  calls_.push_back({std::string(job), uses, std::move(when)});
  position_ = 0;
}

void CallsOf::Give(std::string_view name, std::string_view text) {
  Add(Next(name), PossibleValue::Kind::kLiteral, calls_.back().when, text);
}

void CallsOf::Give(std::string_view name, const std::vector<PossibleValue>& values) {
  Input& input = Next(name);
  const Condition& when = calls_.back().when;
  if (when.always() && std::exchange(input.last, &values) == &values) return;
  for (const PossibleValue& value : values) {
    Add(input, value.kind, Both(value.when, when), value.text);
  }
}

void CallsOf::GiveAnything(std::string_view name) {
  Add(Next(name), PossibleValue::Kind::kUnknown, calls_.back().when, {});
}

std::vector<PossibleValue> CallsOf::ValuesOf(std::string_view name,
                                             const WorkflowInterface& callee) const {
  std::vector<PossibleValue> values;
  const auto input = std::ranges::find_if(
      inputs_, [&](const Input& one) { return EqualsIgnoringCase(one.name, name); });
  if (input != inputs_.end()) {
    for (const Given& given : input->given) values.push_back(given.value);
    if (input->missing.empty() && input->calls == calls_.size()) return values;
  }
  values.push_back(DefaultOf(callee, name));
  return values;
}

CallsOf::Input& CallsOf::Next(std::string_view name) {
  const auto is_named = [&](const Input& one) { return EqualsIgnoringCase(one.name, name); };
  if (position_ >= inputs_.size() || !is_named(inputs_[position_])) {
    const auto found = std::ranges::find_if(inputs_, is_named);
    position_ = static_cast<std::size_t>(found - inputs_.begin());
    if (found == inputs_.end()) {
      inputs_.push_back({.name = ToLower(name), .given = {}, .missing = {}});
    }
  }
  Input& input = inputs_[position_++];
  const std::size_t call = calls_.size() - 1;
  while (input.calls < call) input.missing.push_back(input.calls++);
  input.calls = call + 1;
  return input;
}

void CallsOf::Add(Input& input, PossibleValue::Kind kind, const Condition& when,
                  std::string_view text) {
  if (input.given.size() > kMostValues) return;
  for (std::size_t i = input.given.size(); i-- > 0;) {
    const PossibleValue& one = input.given[i].value;
    if (one.kind == kind && one.text == text && one.when == when) return;
  }
  PossibleValue value{.kind = kind, .when = when, .text = std::string(text)};
  if (input.given.size() == kMostValues) value = {.when = {}, .text = {}};
  input.given.push_back({std::move(value), calls_.size() - 1});
}

// Translates the touches of a callee into those of its caller.
class CallsOf::Heir {
 public:
  Heir(const CallsOf& calls, std::string_view caller, const WorkflowInterface& callee,
       std::vector<Touch>& touches)
      : calls_(calls), caller_(caller), callee_(callee), touches_(touches) {}

  void Inherit(const Touch& touch) {
    const Condition& condition = touch.when;
    if (condition.kind == Condition::Kind::kEvent && !calls_.event_.empty()) {
      if (!EqualsIgnoringCase(condition.name, calls_.event_)) return;
      for (const Call& call : calls_.calls_) Add(touch, call, call.when);
      return;
    }
    if (condition.always() || condition.kind == Condition::Kind::kEvent) {
      for (const Call& call : calls_.calls_) Add(touch, call, Both(condition, call.when));
      return;
    }
    const auto input = std::ranges::find(calls_.inputs_, condition.name, &Input::name);
    if (input == calls_.inputs_.end()) {
      for (const Call& call : calls_.calls_) AddDefault(touch, call);
      return;
    }
    for (const Given& given : input->given) AddGiven(touch, given);
    for (const std::size_t missing : input->missing) AddDefault(touch, calls_.calls_[missing]);
    for (std::size_t call = input->calls; call < calls_.calls_.size(); ++call) {
      AddDefault(touch, calls_.calls_[call]);
    }
  }

 private:
  void AddGiven(const Touch& touch, const Given& given) {
    const PossibleValue& value = given.value;
    const Call& call = calls_.calls_[given.call];
    switch (value.kind) {
      case PossibleValue::Kind::kLiteral:
        if (!Fulfils(value.text, InputOf(touch), touch.when)) return;
        break;
      case PossibleValue::Kind::kInput: {
        Condition passed = touch.when;
        passed.name = value.text;
        Add(touch, call, std::move(passed));
        return;
      }
      case PossibleValue::Kind::kUnknown:
        return Add(touch, call, value.when, true);
      case PossibleValue::Kind::kMention:
        return;
    }
    Add(touch, call, value.when);
  }

  // The call does not give the input.
  void AddDefault(const Touch& touch, const Call& call) {
    const WorkflowInterface::Input* input = InputOf(touch);
    const std::string_view text = input != nullptr ? input->default_text : std::string_view{};
    const bool computed = text.find("${{") != std::string_view::npos;
    if (computed || Fulfils(text, input, touch.when)) Add(touch, call, call.when, computed);
  }

  const WorkflowInterface::Input* InputOf(const Touch& touch) const {
    if (calls_.event_.empty()) return callee_.FindInput(touch.when.name);
    return calls_.event_ == "workflow_dispatch" ? callee_.FindDispatchInput(touch.when.name)
                                                : nullptr;
  }

  void Add(const Touch& touch, const Call& call, Condition when, bool computed = false) {
    if (Covers(touches_, touch.mark, when)) return;
    Touch own{.mark = touch.mark,
              .when = std::move(when),
              .computed = touch.computed || computed,
              .where = touch.where,
              .job = call.job,
              .path = fmt::format("{} job '{}' -> {}", caller_, call.job, touch.path),
              .calls = {{call.uses, !calls_.event_.empty()}}};
    own.calls.insert(own.calls.end(), touch.calls.begin(), touch.calls.end());
    AddTouch(touches_, std::move(own));
  }

  const CallsOf& calls_;
  std::string_view caller_;
  const WorkflowInterface& callee_;
  std::vector<Touch>& touches_;
};

void CallsOf::Inherit(std::string_view caller, const WorkflowInterface& callee,
                      std::span<const Touch> of_callee, std::vector<Touch>& touches) const {
  Heir heir(*this, caller, callee, touches);
  for (const Touch& touch : of_callee) heir.Inherit(touch);
}

}  // namespace wheelwright
