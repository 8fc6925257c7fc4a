// Checks one expression against what is known where it stands. The walk in expressions.cpp calls
// it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/expression/ast.h"
#include "generator/expression/functions.h"
#include "generator/link/contexts.h"
#include "generator/link/expressions.h"

namespace wheelwright {

// What an expression gives, as far as the files tell.
enum class ExprType : std::uint8_t { kAny, kNull, kBoolean, kNumber, kText, kObject, kList };

// Where an expression stands.
struct ExpressionSite {
  const Node* scalar = nullptr;
  std::size_t offset = 0;  // of the expression in the scalar's text
  std::string_view text;   // of the expression
  const ExpressionPlace* place = nullptr;
  const Job* job = nullptr;      // null outside of jobs
  std::size_t steps_before = 0;  // of the job, those whose results are known
  bool becomes_text = false;     // rather than a list or a mapping of the workflow
};

class ExpressionChecker {
 public:
  ExpressionChecker(const Workflow& workflow, const ExpressionOptions& options,
                    Diagnostics& diagnostics)
      : workflow_(workflow), options_(options), diagnostics_(diagnostics) {}

  void Check(const Expr& expr, const ExpressionSite& site);

  // The part of an expression that a stranger may write and that becomes part of its text, or null.
  // With `objects`, an object that holds such a part counts too.
  const Expr* FindUntrusted(const Expr& expr, bool objects = false) const;

 private:
  // A step from an object to its part: `.name`, `['name']`, `.*`, `[...]`.
  struct Segment {
    const Expr* expr;
    std::optional<std::string_view> name;  // nothing: any item
  };
  using Path = std::span<const Segment>;
  using Names = std::vector<std::string_view>;

  ExprType TypeOf(const Expr& expr);
  ExprType TypeOfBinary(const Expr& expr);
  void CheckComparison(const Expr& expr, ExprType left, ExprType right);

  ExprType TypeOfCall(const Expr& expr);
  void CheckArguments(const Expr& call, std::string_view name, std::span<const ExprType> types);
  void CheckFormat(const Expr& call);
  void CheckJson(const Expr& argument);
  void CheckAvailable(const Expr& call, const Function& function);

  ExprType TypeOfPath(const Expr& expr);
  ExprType Resolve(const Expr& root, Context context, Path path);
  ExprType Github(Path path);
  ExprType JobContext(Path path);
  ExprType Inputs(Path path);
  ExprType Secrets(Path path);
  ExprType Matrix(Path path);
  ExprType Steps(Path path);
  ExprType Needs(Path path);
  ExprType Jobs(Path path);
  ExprType JobResult(const Job& job, std::string_view path_to_job, Path path);
  void CheckOutput(const Job& job, const Segment& output);
  // The type below a text, which has no properties.
  ExprType Leaf(Path path, std::size_t depth, ExprType type);
  bool CheckProperty(std::string_view object, const Segment& segment,
                     std::span<const std::string_view> known);

  // A report at a part of the expression, or null when it was made before.
  std::optional<Diagnostic> Begin(const Expr& at, std::string_view code);
  std::optional<Diagnostic> BeginWhole(const Expr& at, std::string_view code);
  std::optional<Diagnostic> BeginAt(std::size_t offset, std::size_t length, std::string_view code);
  void Report(const Expr& at, std::string_view code, std::string message, std::string hint = {});
  // A part of the expression as it is written; for messages in quotes.
  std::string_view Written(const Expr& expr) const;
  std::string Quoted(const Expr& expr) const;

  const Workflow& workflow_;
  const ExpressionOptions& options_;
  Diagnostics& diagnostics_;
  ExpressionSite site_;
};

}  // namespace wheelwright
