#include "generator/import/matrix_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace wheelwright {
namespace {

// The names in `context.a.b`, or nothing.
std::optional<std::vector<std::string_view>> PathIn(const Expr& expr, std::string_view context) {
  const auto name = PropertyName(expr);
  if (!name) return std::nullopt;
  if (IsContext(*expr.operands[0], context)) return std::vector{*name};
  auto path = PathIn(*expr.operands[0], context);
  if (path) path->push_back(*name);
  return path;
}

class UseReader {
 public:
  UseReader(const Workflow& workflow, JobUses& uses) : workflow_(workflow), uses_(uses) {}

  void Read(const Node& node, std::string_view key) {
    if (node.is_string()) ReadText(node, key);
    for (const Entry& entry : node.entries) Read(*entry.value, entry.key->text);
    for (const Node* item : node.items) Read(*item, {});
  }

 private:
  void ReadText(const Node& scalar, std::string_view key) {
    const bool condition = key == "if";
    const GithubText& text = workflow_.Text(scalar.text, condition);
    if (condition && scalar.text.find("${{") == std::string_view::npos) {
      uses_.bare_conditions.push_back(&scalar);
    }
    for (const GithubText::Expression& one : text.expressions) {
      if (one.parsed.root == nullptr) continue;
      scalar_ = &scalar;
      key_ = key;
      base_ = one.at.inner_begin;
      if (const auto path = PathIn(*one.parsed.root, "matrix"); path && !condition) {
        uses_.matrix.push_back({&scalar, key, one.at.begin, one.at.end, *path, true, text.whole});
      } else {
        Walk(*one.parsed.root);
      }
    }
  }

  void Walk(const Expr& expr) {
    if (auto path = PathIn(expr, "matrix")) {
      uses_.matrix.push_back(
          {scalar_, key_, base_ + expr.begin, base_ + expr.end, std::move(*path), false, false});
      return;
    }
    if (const auto job = PropertyOf(expr, "needs")) {
      uses_.needs.push_back({scalar_, base_ + expr.offset, base_ + expr.offset + expr.length, *job,
                             expr.kind == ExprKind::kIndex});
      return;
    }
    if (IsContext(expr, "matrix")) Refuse("the matrix is read as a whole here");
    if (IsContext(expr, "strategy")) Refuse("the context 'strategy' is read here");
    for (const Expr* operand : expr.operands) Walk(*operand);
  }

  void Refuse(std::string reason) {
    if (uses_.obstacle != nullptr) return;
    uses_.obstacle = scalar_;
    uses_.reason = std::move(reason);
  }

  const Workflow& workflow_;
  JobUses& uses_;
  const Node* scalar_ = nullptr;
  std::string_view key_;
  std::size_t base_ = 0;  // of the expression in the text
};

bool Reads(const Expr& expr, std::string_view job) {
  if (const auto name = PropertyOf(expr, "jobs")) return EqualsIgnoringCase(*name, job);
  return std::ranges::any_of(expr.operands,
                             [&](const Expr* operand) { return Reads(*operand, job); });
}

}  // namespace

JobUses UsesOf(const Workflow& workflow, const Job& job) {
  JobUses uses;
  UseReader reader(workflow, uses);
  for (const Entry& entry : job.node->entries) {
    if (entry.key->text != "strategy") reader.Read(*entry.value, entry.key->text);
  }
  return uses;
}

bool ReadsJob(const Workflow& workflow, std::string_view text, std::string_view job) {
  return std::ranges::any_of(workflow.Text(text).expressions, [&](const auto& one) {
    return one.parsed.root != nullptr && Reads(*one.parsed.root, job);
  });
}

}  // namespace wheelwright
