// The trust domains that workflows reach. A caller reaches what its callee does, as far as its
// inputs allow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/expression/possible_values.h"

namespace wheelwright {

struct WorkflowInterface;

// A role, bucket or environment in a workflow or in one that it calls.
struct Touch {
  std::uint32_t mark = 0;  // an index into TrustDomains::marks()
  Condition when;          // of the workflow's own inputs
  bool computed = false;   // the value is unknown and may be this one
  SourceRange where;       // its place
  std::string job;         // of this workflow; empty outside of jobs
  // "ci.yml job 'build' -> build_linux.yml job 'upload'": from this file to the one with the text.
  std::string path;
  // The calls (`uses`) and steps that start runs on the path, this workflow's first.
  struct Hop {
    SourceRange where;
    bool starts_run = false;
  };
  std::vector<Hop> calls;
};

// A job that has credentials, or whose results such a job uses, so that its runner must be trusted.
struct TrustedJob {
  std::string path;   // "upload.yml job 'upload'"
  SourceRange where;  // of `runs-on`, or of the job
  // The labels of its runner, each with its possible values.
  std::vector<std::vector<PossibleValue>> labels;
  std::vector<PossibleValue> environment;  // empty: none
  bool has_credentials = true;
};

// Whether the condition may hold in a run that the event starts. Inputs are empty except with
// workflow_dispatch, where a choice has any of its options and other inputs have any value.
bool MayHold(const Condition& condition, std::string_view event, const WorkflowInterface& workflow);

// Whether a touch has that mark and holds whenever `when` does.
bool Covers(const std::vector<Touch>& touches, std::uint32_t mark, const Condition& when);

// The value of an input that a call does not set.
PossibleValue DefaultOf(const WorkflowInterface& callee, std::string_view input);

// Adds a touch unless it is covered. Keeps the list sorted by mark and condition.
void AddTouch(std::vector<Touch>& touches, Touch touch);

// The calls of one workflow by another, with the values of inputs. Of equal values the first call
// is kept. A step that starts a run of a workflow is a call too, by the event that it causes.
class CallsOf {
 public:
  explicit CallsOf(std::string_view callee, std::string_view event = {})
      : callee_(callee), event_(event) {}

  const std::string& callee() const { return callee_; }
  // All values that the calls give to an input, including its default if a call does not set it.
  std::vector<PossibleValue> ValuesOf(std::string_view input,
                                      const WorkflowInterface& callee) const;

  // Begins a call under a condition. The Give functions then add its inputs.
  void Begin(std::string_view job, SourceRange uses, Condition when);
  void Give(std::string_view input, std::string_view text);
  // The list must stay in place until the last call.
  void Give(std::string_view input, const std::vector<PossibleValue>& values);
  void GiveAnything(std::string_view input);

  // Adds the callee's touches that the workflow `caller` reaches through these calls.
  void Inherit(std::string_view caller, const WorkflowInterface& callee,
               std::span<const Touch> of_callee, std::vector<Touch>& touches) const;

 private:
  struct Call {
    std::string job;
    SourceRange uses;
    Condition when;
  };
  struct Given {
    PossibleValue value;
    std::size_t call = 0;
  };
  struct Input {
    std::string name;  // in lower case
    std::vector<Given> given;
    std::size_t calls = 0;                             // the first so many set it,
    std::vector<std::size_t> missing;                  // except for these
    const std::vector<PossibleValue>* last = nullptr;  // that were given unconditionally
  };
  class Heir;

  Input& Next(std::string_view name);
  void Add(Input& input, PossibleValue::Kind kind, const Condition& when, std::string_view text);

  std::string callee_;
  std::string event_;  // of the run that is started; empty: the callee is a part of this run
  std::vector<Call> calls_;
  std::vector<Input> inputs_;
  std::size_t position_ = 0;  // in inputs_: calls usually set the same inputs in the same order
};

}  // namespace wheelwright
