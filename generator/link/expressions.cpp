#include "generator/link/expressions.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/link/contexts.h"
#include "generator/link/expression_checker.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

class Walk {
 public:
  Walk(const Workflow& workflow, const ExpressionOptions& options, Diagnostics& diagnostics)
      : workflow_(workflow),
        options_(options),
        diagnostics_(diagnostics),
        checker_(workflow, options, diagnostics) {}

  void Run() {
    const PlaceCursor root;
    if (!workflow_.root->is_mapping()) return;
    for (const Entry& entry : workflow_.root->entries) {
      if (entry.key->text != "jobs") Visit(*entry.value, root.Below(entry.key->text));
    }
    const PlaceCursor jobs = root.Below("jobs");
    for (const Job& job : workflow_.jobs) VisitJob(job, jobs.Below(job.id));
  }

 private:
  void VisitJob(const Job& job, const PlaceCursor& place) {
    job_ = &job;
    for (const Entry& entry : job.node->entries) {
      const std::string_view key = entry.key->text;
      const PlaceCursor below = place.Below(key);
      // What is read once the job ends knows all steps.
      steps_before_ = job.steps.size();
      if (key == "uses") continue;  // the syntax checks see to it
      if (key != "steps" || !entry.value->is_sequence()) {
        Visit(*entry.value, below);
        continue;
      }
      steps_before_ = 0;
      for (const WorkflowStep& step : job.steps) {
        VisitStep(step, below);
        ++steps_before_;
      }
    }
    job_ = nullptr;
  }

  void VisitStep(const WorkflowStep& step, const PlaceCursor& place) {
    const std::string_view uses = step.uses.text();
    const bool github_script = uses.starts_with("actions/github-script@");
    for (const Entry& entry : step.node->entries) {
      if (entry.key->text == "uses" || entry.key->text == "id") continue;
      // `parallel` holds steps of its own.
      const PlaceCursor below =
          entry.key->text == "parallel" ? place : place.Below(entry.key->text);
      if (github_script && entry.key->text == "with") {
        for (const Entry& input : entry.value->entries) {
          javascript_ = input.key->text == "script";
          Visit(*input.value, below);
          javascript_ = false;
        }
      } else {
        Visit(*entry.value, below);
      }
    }
  }

  void Visit(const Node& node, const PlaceCursor& place) {
    if (node.is_string()) {
      VisitText(node, place.place());
      return;
    }
    for (const Node* item : node.items) Visit(*item, place);
    for (const Entry& entry : node.entries) Visit(*entry.value, place.Below(entry.key->text));
  }

  void VisitText(const Node& scalar, const ExpressionPlace* place) {
    if (!HoldsExpression(scalar.text)) {
      // An empty condition is as good as none.
      const bool condition = place != nullptr && place->condition && !Trim(scalar.text).empty();
      if (condition) CheckOne(scalar, place, 0, scalar.text.size(), false);
      return;
    }
    found_.clear();
    const auto error = FindEmbedded(scalar.text, Brackets::kGithub, found_);
    if (place == nullptr) {
      ReportNotAllowed(scalar);
      return;
    }
    for (const Embedded& one : found_) {
      const bool whole = one.begin == 0 && one.end == scalar.text.size();
      const bool text = !place->condition && !(whole && place->structure);
      const Expr* expr = CheckOne(scalar, place, one.inner_begin, one.inner_end, text);
      if (expr != nullptr && (place->script || javascript_)) {
        CheckScript(scalar, *expr, one, place->script);
      }
    }
    if (error) ReportSyntax(scalar, 0, *error);
  }

  // Null when it is no expression.
  const Expr* CheckOne(const Node& scalar, const ExpressionPlace* place, std::size_t begin,
                       std::size_t end, bool becomes_text) {
    const std::string_view text = scalar.text.substr(begin, end - begin);
    const auto [cached, fresh] = parsed_.try_emplace(text);
    if (fresh) cached->second = ParseExpression(text, arena_);
    const ParsedExpression& parsed = cached->second;
    if (parsed.root == nullptr) {
      ReportSyntax(scalar, begin, *parsed.error);
      return nullptr;
    }
    checker_.Check(*parsed.root, {&scalar, begin, text, place, job_, steps_before_, becomes_text});
    return parsed.root;
  }

  void CheckScript(const Node& scalar, const Expr& expr, const Embedded& bracketed, bool shell) {
    const Expr* untrusted = checker_.FindUntrusted(expr);
    if (untrusted == nullptr && !(shell && options_.strict_scripts)) return;
    const std::string_view code =
        untrusted != nullptr ? "script-injection" : "expression-in-script";
    const SourceRange where =
        LocateIn(scalar, bracketed.begin, bracketed.end - bracketed.begin, options_.sources);
    if (diagnostics_.Repeat(code, where)) return;
    Diagnostic diagnostic = At(&scalar, code, {}, "pass it through 'env'");
    diagnostic.where = where;
    if (untrusted != nullptr) {
      const std::string_view written = scalar.text.substr(bracketed.inner_begin + untrusted->begin,
                                                          untrusted->end - untrusted->begin);
      diagnostic.message = fmt::format("whoever writes '{}' writes a part of this script", written);
      diagnostic.notes.push_back(
          "GitHub puts the text into the script before the script is read; a variable of the "
          "environment stays data");
    } else {
      diagnostic.message = "an expression stands in a script";
      diagnostic.notes.push_back(
          "what it gives becomes code; a variable of the environment stays data");
    }
    diagnostics_.Report(std::move(diagnostic));
  }

  void ReportSyntax(const Node& scalar, std::size_t offset, const ExpressionError& error) {
    // A caret needs something to stand below: the end is shown at the last character.
    std::size_t at = offset + error.offset;
    const std::size_t length = error.length == 0 && at > 0 ? 1 : error.length;
    if (error.length == 0 && at > 0) --at;
    const SourceRange where = LocateIn(scalar, at, length, options_.sources);
    if (diagnostics_.Repeat("expression-syntax", where)) return;
    Diagnostic diagnostic = At(&scalar, "expression-syntax", error.message, error.hint);
    diagnostic.where = where;
    diagnostics_.Report(std::move(diagnostic));
  }

  void ReportNotAllowed(const Node& scalar) {
    const std::size_t begin = scalar.text.find("${{");
    const std::size_t end = found_.empty() ? begin + 3 : found_.front().end;
    const SourceRange where = LocateIn(scalar, begin, end - begin, options_.sources);
    if (diagnostics_.Repeat("expression-not-allowed", where)) return;
    Diagnostic diagnostic = At(&scalar, "expression-not-allowed",
                               "GitHub evaluates no expressions here", "write the value itself");
    diagnostic.where = where;
    diagnostics_.Report(std::move(diagnostic));
  }

  const Workflow& workflow_;
  const ExpressionOptions& options_;
  Diagnostics& diagnostics_;
  ExpressionChecker checker_;
  const Job* job_ = nullptr;
  std::size_t steps_before_ = 0;
  bool javascript_ = false;  // in the script of actions/github-script
  std::vector<Embedded> found_;
  // Unrolled files repeat themselves: each text is parsed once.
  Arena arena_;
  std::unordered_map<std::string_view, ParsedExpression> parsed_;
};

}  // namespace

void CheckExpressions(const Workflow& workflow, const ExpressionOptions& options,
                      Diagnostics& diagnostics) {
  Walk(workflow, options, diagnostics).Run();
}

}  // namespace wheelwright
