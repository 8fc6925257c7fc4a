#include "generator/link/expressions.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "generator/link/contexts.h"
#include "generator/link/expression_checker.h"
#include "generator/workflow/report.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

class Walk {
 public:
  Walk(const Workflow& workflow, const ExpressionOptions& options, Diagnostics& diagnostics)
      : workflow_(workflow),
        options_(options),
        places_(options.sources),
        diagnostics_(diagnostics),
        checker_(workflow, options, &diagnostics) {}

  void Run() {
    if (options_.action != nullptr) return RunAction(*options_.action);
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
      // Outputs and similar keys are evaluated after all steps.
      steps_before_ = job.steps.size();
      if (key == "uses") continue;  // reported by the syntax checks
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

  void RunAction(const Node& action) {
    const PlaceCursor root = PlaceCursor::OfAction();
    const Job* steps = &workflow_.jobs.front();
    for (const Entry& entry : action.entries) {
      const std::string_view key = entry.key->text;
      job_ = key == "outputs" ? steps : nullptr;
      steps_before_ = steps->steps.size();
      if (key != "runs") Visit(*entry.value, root.Below(key));
    }
    const PlaceCursor runs = root.Below("runs");
    const Node* all = Find(&action, "runs");
    if (all == nullptr) return;
    job_ = nullptr;
    for (const Entry& entry : all->entries) {
      if (entry.key->text != "steps") Visit(*entry.value, runs.Below(entry.key->text));
    }
    job_ = steps;
    steps_before_ = 0;
    for (const WorkflowStep& step : steps->steps) {
      VisitStep(step, runs.Below("steps"));
      if (step.uses) Visit(*step.uses.value, {});
      ++steps_before_;
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
    const bool condition = place != nullptr && place->condition;
    const GithubText& text = workflow_.Text(scalar.text, condition);
    if (text.expressions.empty() && !text.error) return;
    if (place == nullptr) {
      ReportNotAllowed(scalar, text);
      return;
    }
    // Jobs of a loop repeat their texts: a text without errors is checked once for each kind of
    // place.
    const bool repeats = !javascript_ && !text.depends_on_job;
    const auto bit = std::uint64_t{1} << (place - ExpressionPlaces().data());
    if (repeats && (good_[&text] & bit) != 0) return;
    const std::size_t problems = problems_ + checker_.problems();
    for (const GithubText::Expression& one : text.expressions) {
      if (one.parsed.root == nullptr) {
        ReportSyntax(scalar, one.at.inner_begin, *one.parsed.error);
        continue;
      }
      const bool becomes_text = !condition && !(text.whole && place->structure);
      checker_.Check(*one.parsed.root, {&scalar, one.at.inner_begin, one.text, place, job_,
                                        steps_before_, becomes_text});
      if (place->script || javascript_) {
        CheckScript(scalar, *one.parsed.root, one.at, place->script);
      }
    }
    if (text.error) ReportSyntax(scalar, 0, *text.error);
    if (repeats && problems == problems_ + checker_.problems()) good_[&text] |= bit;
  }

  void CheckScript(const Node& scalar, const Expr& expr, const Embedded& bracketed, bool shell) {
    const Expr* untrusted = checker_.FindUntrusted(expr);
    if (untrusted == nullptr && !(shell && options_.strict_scripts)) return;
    const std::string_view code =
        untrusted != nullptr ? "script-injection" : "expression-in-script";
    ++problems_;
    const SourceRange where =
        places_.Locate(scalar, bracketed.begin, bracketed.end - bracketed.begin);
    if (diagnostics_.Repeat(code, where)) return;
    Diagnostic diagnostic = At(&scalar, code, {}, "pass it through 'env'");
    diagnostic.where = where;
    if (options_.lax && untrusted != nullptr) diagnostic.severity = Severity::kWarning;
    if (untrusted != nullptr) {
      const std::string_view written = scalar.text.substr(bracketed.inner_begin + untrusted->begin,
                                                          untrusted->end - untrusted->begin);
      diagnostic.message =
          fmt::format("whoever controls '{}' controls a part of this script", written);
      diagnostic.notes.push_back(
          "GitHub inserts the text before the script is parsed; an environment variable remains "
          "data");
    } else {
      diagnostic.message = "a script contains an expression";
      diagnostic.notes.push_back("its value becomes code; an environment variable remains data");
    }
    diagnostics_.Report(std::move(diagnostic));
  }

  void ReportSyntax(const Node& scalar, std::size_t offset, const ExpressionError& error) {
    ++problems_;
    // An error at the end is shown at the last character, to have a character above the caret.
    std::size_t at = offset + error.offset;
    const std::size_t length = error.length == 0 && at > 0 ? 1 : error.length;
    if (error.length == 0 && at > 0) --at;
    const SourceRange where = places_.Locate(scalar, at, length);
    if (diagnostics_.Repeat("expression-syntax", where)) return;
    Diagnostic diagnostic = At(&scalar, "expression-syntax", error.message, error.hint);
    diagnostic.where = where;
    diagnostics_.Report(std::move(diagnostic));
  }

  void ReportNotAllowed(const Node& scalar, const GithubText& text) {
    const std::size_t begin = scalar.text.find("${{");
    const std::size_t end = text.expressions.empty() ? begin + 3 : text.expressions[0].at.end;
    const SourceRange where = places_.Locate(scalar, begin, end - begin);
    if (diagnostics_.Repeat("expression-not-allowed", where)) return;
    Diagnostic diagnostic = At(&scalar, "expression-not-allowed",
                               "GitHub evaluates no expressions here", "write the value itself");
    diagnostic.where = where;
    diagnostics_.Report(std::move(diagnostic));
  }

  const Workflow& workflow_;
  const ExpressionOptions& options_;
  TextPlaces places_;
  Diagnostics& diagnostics_;
  ExpressionChecker checker_;
  const Job* job_ = nullptr;
  std::size_t steps_before_ = 0;
  bool javascript_ = false;  // in the script of actions/github-script
  std::size_t problems_ = 0;
  std::unordered_map<const GithubText*, std::uint64_t> good_;  // a bit for each place
};

}  // namespace

void CheckExpressions(const Workflow& workflow, const ExpressionOptions& options,
                      Diagnostics& diagnostics) {
  Walk(workflow, options, diagnostics).Run();
}

}  // namespace wheelwright
