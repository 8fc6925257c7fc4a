// Which contexts and functions GitHub knows where, and what the contexts hold.
//
// Sources: https://docs.github.com/actions/reference/workflows-and-actions/contexts, with its table
// "context availability", and the `context` entries of the schema of GitHub's own parser
// (https://github.com/actions/languageservices/blob/main/workflow-parser/src/workflow-v1.0.json).
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

// A key below which expressions may stand.
struct ExpressionPlace {
  std::string_view path;  // as the documentation writes it: "jobs.<job_id>.steps.run"
  ContextSet contexts;
  StatusChecks status = StatusChecks::kNone;
  bool hash_files = false;
  bool condition = false;  // `if`: an expression even without brackets
  bool script = false;     // a shell runs it
  bool structure = false;  // an expression may give a list or a mapping
};

// All places. A rule holds for the key and for all below it that has no rule of its own; where no
// rule holds, GitHub refuses expressions.
std::span<const ExpressionPlace> ExpressionPlaces();

// The rule of the deepest key that has one, while a tree is walked down from its root.
class PlaceCursor {
 public:
  PlaceCursor();  // at the root

  // One key further down. Items of a list are at the place of the list.
  PlaceCursor Below(std::string_view key) const;
  // Null: no expression may stand here.
  const ExpressionPlace* place() const { return place_; }

 private:
  std::int32_t level_ = 0;  // -1: below all rules
  const ExpressionPlace* place_ = nullptr;
};

// What a context holds; an object without properties where they depend on the workflow.
ExprType TypeOfContext(Context context);
// What steps.<id> and needs.<id> hold.
ExprType TypeOfStepResult();
ExprType TypeOfJobResult();

// Whether a stranger may write what `github.*` expression reads: the title of an issue, the name of
// a branch. `path` starts with "github"; "*" stands for any item. With `objects`, true as well for
// an object that holds such a text: toJSON() shows it, and as text it is the word Object.
bool IsUntrusted(std::span<const std::string_view> path, bool objects);

}  // namespace wheelwright
