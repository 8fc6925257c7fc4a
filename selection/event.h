// An event: the input of selection.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "selection/plan_file.h"

namespace wheelwright {

struct EventInputs {
  std::string event;  // GITHUB_EVENT_NAME: "pull_request"
  // The CI workflow that runs, without ".yml"; "": the one that the event starts. Each can also be
  // run by hand, and has the jobs of its own event.
  std::string workflow;
  // The branch that is pushed to or run, or that a pull request goes to; without "refs/heads/". A
  // tag keeps its "refs/tags/". "": not known.
  std::string branch;
  std::string action;               // of a pull request: "opened"; "": not known
  std::vector<std::string> labels;  // of a pull request
  // Changed paths; nothing when they are unknown.
  std::optional<std::vector<std::string>> changed_files;
  std::vector<std::string> submodules;  // the paths of all of them
  // The inputs of a run by hand; "" counts as not given.
  std::vector<std::pair<std::string, std::string>> inputs;
  // The build variants that a workflow is for; none: those of the trigger.
  std::vector<std::string> variants;
  // owner/name where the run happens, and whether the code comes from a fork of it. "": the
  // repository of the settings.
  std::string repository;
  bool fork = false;
};

// The effect of an input of a run by hand.
enum class InputEffect : std::uint8_t {
  kFamilies,
  kTestLabels,
  kPrebuilt,
  kArtifactRun,
  kLabels,
  kVariant,
  kPytorchFamilies,
  kReleaseType,
  kPassedOn,
};

// Which runs take an input: those that test the code, those that publish, or both.
enum class RunKind : std::uint8_t { kCi, kRelease, kBoth };

struct KnownInput {
  std::string_view name;
  InputEffect effect;
  std::string_view platform;
  RunKind runs;
  std::string_view help;  // no full stop
};

// The inputs that workflows with a `workflow_dispatch` may have; the names are those of the former
// hand-written workflows.
std::span<const KnownInput> KnownInputs();

// Typed inputs by effect. A run takes the inputs of one kind.
class TypedInputs {
 public:
  // Reports inputs that this kind of run, or any run, does not take.
  TypedInputs(const EventInputs& inputs, RunKind kind, Diagnostics& diagnostics);

  // The trimmed text, or "".
  std::string_view Get(InputEffect effect, std::string_view platform = {}) const;
  // "true" or "false"; reports anything else.
  bool GetFlag(InputEffect effect, std::string_view platform, Diagnostics& diagnostics) const;
  static std::string_view NameOf(InputEffect effect, std::string_view platform = {});

 private:
  std::vector<std::pair<const KnownInput*, std::string>> values_;
};

// Adds inputs given on a command line as NAME=VALUE. Reports any other form.
void AddTypedInputs(std::span<const std::string> given, EventInputs& event,
                    Diagnostics& diagnostics);

// The words of a typed list, separated by commas, semicolons or blanks, without brackets and
// quotes.
std::vector<std::string_view> SplitList(std::string_view typed);

// Families that were typed into one input.
struct TypedFamilies {
  enum class Kind : std::uint8_t { kNothing, kAll, kNone, kListed };

  Kind kind = Kind::kNothing;
  std::vector<const FamilyRow*> families;

  bool Holds(const FamilyRow& family) const;
};

// Reads keys or artifact groups in any case, or one of the words `all` and `none`. Reports unknown
// names, and `all` or `none` with other names.
TypedFamilies ReadFamilies(const PlanFile& plan, std::string_view typed, std::string_view input,
                           Diagnostics& diagnostics);

// Reports families that were typed for a platform on which they have no row.
void CheckPlatform(const PlanFile& plan, std::size_t platform, const TypedFamilies& typed,
                   Diagnostics& diagnostics);

}  // namespace wheelwright
