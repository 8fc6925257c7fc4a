// What workflows reach of trust domains, and how that follows calls: a caller reaches what its
// callee does, as far as the inputs that it gives let it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/workflow/possible_values.h"

namespace wheelwright {

struct WorkflowInterface;

// A role, bucket or environment that stands in a workflow, or in one that it calls.
struct Touch {
  std::uint32_t mark = 0;  // which: a position in TrustDomains::marks()
  Condition when;          // of the workflow's own inputs
  bool computed = false;   // it is not named: the value is not known, and may be this one
  SourceRange where;       // what names it
  std::string job;         // of this workflow; empty outside of jobs
  // "ci.yml job 'build' -> build_linux.yml job 'upload'": from this file to the one that names it.
  std::string path;
  // Each `uses` on the way, this workflow's first, and each step that starts a run.
  struct Hop {
    SourceRange where;
    bool starts_run = false;
  };
  std::vector<Hop> calls;
};

// A job that has credentials, or makes what one that has them takes over: on whose machine it runs
// matters.
struct TrustedJob {
  std::string path;   // "upload.yml job 'upload'"
  SourceRange where;  // of `runs-on`, or of the job
  // The labels of its runner, each with all that it may be: literals, inputs of the workflow,
  // anything.
  std::vector<std::vector<PossibleValue>> labels;
  std::vector<PossibleValue> environment;  // empty: it names none
  bool has_credentials = true;
};

// Whether a run of this workflow that the event starts may fulfil the condition. Inputs are empty
// for all events but workflow_dispatch, which may give any of a choice's options, and anything to
// other inputs.
bool MayHold(const Condition& condition, std::string_view event, const WorkflowInterface& workflow);

// Whether one of the touches is of that mark and holds whenever `when` does.
bool Covers(const std::vector<Touch>& touches, std::uint32_t mark, const Condition& when);

// What an input is for a call that does not give it.
PossibleValue DefaultOf(const WorkflowInterface& callee, std::string_view input);

// Adds a touch that is not covered. Keeps them sorted by mark and condition.
void AddTouch(std::vector<Touch>& touches, Touch touch);

// The calls of one workflow by another, and what they give to its inputs. Of equal values the first
// call is kept. A step that starts a run of a workflow is a call as well, by the event that it
// causes.
class CallsOf {
 public:
  explicit CallsOf(std::string_view callee, std::string_view event = {})
      : callee_(callee), event_(event) {}

  const std::string& callee() const { return callee_; }
  // All that the calls give to an input, and its default where one does not give it.
  std::vector<PossibleValue> ValuesOf(std::string_view input,
                                      const WorkflowInterface& callee) const;

  // The next call, made where the condition holds. What follows adds its inputs.
  void Begin(std::string_view job, SourceRange uses, Condition when);
  void Give(std::string_view input, std::string_view text);
  // The list must stay where it is until the last call.
  void Give(std::string_view input, const std::vector<PossibleValue>& values);
  void GiveAnything(std::string_view input);

  // Adds what the workflow called `caller` reaches through these calls, of what the callee does.
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
    std::size_t calls = 0;                             // the first so many give it,
    std::vector<std::size_t> missing;                  // but for these
    const std::vector<PossibleValue>* last = nullptr;  // that were given unconditionally
  };
  class Heir;

  Input& Next(std::string_view name);
  void Add(Input& input, PossibleValue::Kind kind, const Condition& when, std::string_view text);

  std::string callee_;
  std::string event_;  // of the run that is started; empty: the callee is a part of this run
  std::vector<Call> calls_;
  std::vector<Input> inputs_;
  std::size_t position_ = 0;  // in inputs_: calls mostly give the same ones in the same order
};

}  // namespace wheelwright
