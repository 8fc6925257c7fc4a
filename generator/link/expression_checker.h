// Checks one expression in its place. Called by the walk in expressions.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/expression/ast.h"
#include "generator/expression/functions.h"
#include "generator/expression/infer.h"
#include "generator/link/contexts.h"
#include "generator/link/expressions.h"
#include "generator/link/matrix_values.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {

// The place of an expression.
struct ExpressionSite {
  const Node* scalar = nullptr;
  std::size_t offset = 0;  // of the expression in the scalar's text
  std::string_view text;   // of the expression
  const ExpressionPlace* place = nullptr;
  const Job* job = nullptr;      // null outside of jobs
  std::size_t steps_before = 0;  // number of earlier steps, whose results are known
  bool becomes_text = false;     // not a list or mapping of the workflow
};

class ExpressionChecker : public TypeInference {
 public:
  // If `diagnostics` is null, infers types without reports.
  ExpressionChecker(const Workflow& workflow, const ExpressionOptions& options,
                    Diagnostics* diagnostics)
      : TypeInference(GithubFunctions(), Rules::kGithub),
        workflow_(workflow),
        options_(options),
        places_(options.sources),
        diagnostics_(diagnostics),
        matrices_(workflow) {
    lax_ = options.lax;
  }

  ExprType Check(const Expr& expr, const ExpressionSite& site);

  // Errors so far, including repeated ones.
  std::size_t problems() const { return problems_; }

  // The part of an expression that anybody can control and that becomes part of its text, or null.
  // With `objects`, objects with such parts count too.
  const Expr* FindUntrusted(const Expr& expr, bool objects = false) const;

 private:
  using Names = std::vector<std::string_view>;

  ExprType TypeOfName(const Expr& name, Path path) override;
  void CheckCall(const Expr& call, const Function* function,
                 std::span<const ExprType> arguments) override;
  void ReportUnknownProperty(const Segment& segment, ExprType object) override;
  void ReportNoProperties(const Segment& segment, ExprType scalar) override;
  std::optional<Diagnostic> BeginAt(std::size_t offset, std::size_t length,
                                    std::string_view code) override;
  void Finish(Diagnostic diagnostic) override;

  void CheckAvailable(const Expr& call, const Function& function);

  void CheckDispatchInput(Path path);
  ExprType InputPath(Path path);
  // Whether it is the left side of a ||, which is for a value that may be absent.
  bool HasFallback(const Expr& expr) const;
  void CheckSecret(std::string_view name, const Segment& segment);
  ExprType MatrixPath(Path path);
  ExprType StepPath(Path path);
  void CheckStepOutput(const WorkflowStep& step, const Segment& output);
  ExprType NeedPath(Path path);
  ExprType JobPath(Path path);
  ExprType JobResult(const Job& job, Path path);
  void CheckOutput(const Job& job, const Segment& output);

  const Workflow& workflow_;
  const ExpressionOptions& options_;
  TextPlaces places_;
  Diagnostics* diagnostics_;
  MatrixValues matrices_;
  ExpressionSite site_;
  const Expr* whole_ = nullptr;  // that is checked
  std::size_t problems_ = 0;
};

}  // namespace wheelwright
