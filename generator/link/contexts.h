// The contexts and functions that GitHub allows in each place, and the types of contexts.
//
// Sources: https://docs.github.com/actions/reference/workflows-and-actions/contexts, with its table
// "context availability", and the `context` entries of the schema of GitHub's own parser
// (https://github.com/actions/languageservices/blob/main/workflow-parser/src/workflow-v1.0.json,
// and action-v1.0.json beside it).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "generator/expression/type.h"

namespace wheelwright {

enum class Context : std::uint8_t {
  kGithub,
  kInputs,
  kVars,
  kNeeds,
  kStrategy,
  kMatrix,
  kSecrets,
  kSteps,
  kJob,
  kRunner,
  kEnv,
  kJobs,
};
inline constexpr std::size_t kContextCount = 12;

std::string_view NameOf(Context context);
// Ignores case, as GitHub does.
std::optional<Context> FindContext(std::string_view name);

class ContextSet {
 public:
  constexpr ContextSet() = default;
  constexpr ContextSet(std::initializer_list<Context> contexts) {
    for (const Context context : contexts) bits_ |= Bit(context);
  }
  constexpr bool Has(Context context) const { return (bits_ & Bit(context)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr ContextSet operator+(ContextSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  // In the order of Context.
  std::vector<std::string_view> Names() const;

 private:
  static constexpr std::uint16_t Bit(Context context) {
    return static_cast<std::uint16_t>(1u << static_cast<unsigned>(context));
  }
  std::uint16_t bits_ = 0;
};

// success(), failure(), always() and cancelled().
enum class StatusChecks : std::uint8_t {
  kNone,
  kOfJobs,   // success() and failure() may name jobs
  kOfSteps,  // without arguments
};

// A key whose values may have expressions.
struct ExpressionPlace {
  std::string_view path;  // as in the documentation: "jobs.<job_id>.steps.run"; of an action behind
                          // "action.": "action.runs.steps.run"
  ContextSet contexts;
  StatusChecks status = StatusChecks::kNone;
  bool hash_files = false;
  bool condition = false;  // `if`: an expression even without brackets
  bool script = false;     // a script for a shell
  bool structure = false;  // an expression may be a list or a mapping

  // For messages.
  std::string_view Title() const;
};

// All places. A rule applies to the key and to all keys below it without their own rule. Without a
// rule, GitHub refuses expressions.
std::span<const ExpressionPlace> ExpressionPlaces();

// Finds the rule while walking down a tree from its root.
class PlaceCursor {
 public:
  PlaceCursor();  // at the root of a workflow
  static PlaceCursor OfAction();

  // One key further down. Items of a list have the place of the list.
  PlaceCursor Below(std::string_view key) const;
  // Null: no expressions allowed.
  const ExpressionPlace* place() const { return place_; }

 private:
  std::int32_t level_ = 0;  // -1: below all rules
  const ExpressionPlace* place_ = nullptr;
};

// The type of a context; without properties if they depend on the workflow.
ExprType TypeOfContext(Context context);
// The types of steps.<id> and needs.<id>.
ExprType TypeOfStepResult();
ExprType TypeOfJobResult();

// Whether anybody can control the value of a `github.*` path, such as the title of an issue or the
// name of a branch. `path` starts with "github"; "*" is any item. With `objects`, also true for
// objects with such values, for toJSON().
bool IsUntrusted(std::span<const std::string_view> path, bool objects);

}  // namespace wheelwright
