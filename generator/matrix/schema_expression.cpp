#include "generator/matrix/schema_expression.h"

#include <string>
#include <utility>

#include "generator/expression/check.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/parse.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

void Report(const Node& text, std::size_t offset, const ExpressionError& error, SourceRange row,
            const SourceManager& sources, Diagnostics& diagnostics) {
  Diagnostic report{.code = "schema-expression",
                    .message = error.message,
                    .where = TextPlaces(sources).Locate(text, offset + error.offset, error.length),
                    .hint = error.hint};
  if (row.known()) report.related.push_back({row, "computed for this"});
  diagnostics.Report(std::move(report));
}

std::optional<ExpressionError> CheckCalls(const Expr& expr) {
  if (expr.kind == ExprKind::kCall) {
    if (auto error = CheckCall(expr)) return error;
  }
  for (const Expr* operand : expr.operands) {
    if (auto error = CheckCalls(*operand)) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SchemaExpression> SchemaExpression::Read(const Node& value,
                                                       const SourceManager& sources, Arena& arena,
                                                       Diagnostics& diagnostics) {
  SchemaExpression read;
  read.text_ = &value;
  std::vector<Embedded> found;
  if (!value.is_string()) return read;
  if (const auto error = FindEmbedded(value.text, Brackets::kTemplate, found)) {
    Report(value, 0, *error, {}, sources, diagnostics);
    return std::nullopt;
  }
  std::size_t at = 0;
  for (const Embedded& one : found) {
    if (one.begin > at) read.pieces_.push_back({value.text.substr(at, one.begin - at)});
    const std::string_view inner =
        value.text.substr(one.inner_begin, one.inner_end - one.inner_begin);
    const ParsedExpression parsed = ParseExpression(inner, arena);
    const auto error = parsed.root == nullptr ? parsed.error : CheckCalls(*parsed.root);
    if (error) {
      Report(value, one.inner_begin, *error, {}, sources, diagnostics);
      return std::nullopt;
    }
    read.pieces_.push_back({{}, parsed.root, one.inner_begin});
    at = one.end;
  }
  if (!found.empty() && at < value.text.size()) read.pieces_.push_back({value.text.substr(at)});
  return read;
}

std::optional<SchemaExpression> SchemaExpression::ReadBare(const Node& value, std::size_t offset,
                                                           const SourceManager& sources,
                                                           Arena& arena, Diagnostics& diagnostics) {
  const ParsedExpression parsed = ParseExpression(value.text.substr(offset), arena);
  const auto error = parsed.root == nullptr ? parsed.error : CheckCalls(*parsed.root);
  if (error) {
    Report(value, offset, *error, {}, sources, diagnostics);
    return std::nullopt;
  }
  SchemaExpression read;
  read.text_ = &value;
  read.pieces_.push_back({{}, parsed.root, offset});
  return read;
}

ExprType SchemaExpression::CheckTypes(TemplateTypes& types) const {
  if (pieces_.empty()) return TypeOfLiteral(*text_);
  if (const Expr* root = whole()) return types.Check(*root, *text_, pieces_[0].offset);
  for (const Piece& piece : pieces_) {
    if (piece.root != nullptr) types.CheckText(*piece.root, *text_, piece.offset);
  }
  return TypeKind::kText;
}

const Node* SchemaExpression::Evaluate(const Scope* scope, SourceRange where,
                                       const SourceManager& sources, Arena& arena,
                                       Diagnostics& diagnostics) const {
  if (pieces_.empty()) return text_;
  std::string joined;
  for (const Piece& piece : pieces_) {
    if (piece.root == nullptr) {
      joined += piece.text;
      continue;
    }
    Evaluated computed = wheelwright::Evaluate(*piece.root, scope, arena);
    if (computed.value != nullptr && pieces_.size() == 1) return computed.value;
    if (computed.value != nullptr && !AppendText(*computed.value, joined)) {
      computed.error = ExpressionError{.offset = piece.root->begin,
                                       .length = piece.root->end - piece.root->begin,
                                       .message = DescribeKind(*computed.value) + " is no text",
                                       .hint = {}};
    }
    if (!computed.error) continue;
    if (!std::exchange(reported_, true)) {
      Report(*text_, piece.offset, *computed.error, where, sources, diagnostics);
    }
    return nullptr;
  }
  Node* node = arena.New<Node>();
  node->kind = NodeKind::kString;
  node->text = arena.Copy(std::string_view(joined));
  node->where = where;
  return node;
}

SourceRange SchemaExpression::Place(const SourceManager& sources) const {
  const Expr* root = whole();
  if (root == nullptr) return text_->where;
  return TextPlaces(sources).Locate(*text_, pieces_[0].offset + root->begin,
                                    root->end - root->begin);
}

SourceRange SchemaExpression::Locate(const Expr& expr, const SourceManager& sources) const {
  for (const Piece& piece : pieces_) {
    if (piece.root != nullptr && piece.root->end >= expr.end) {
      return TextPlaces(sources).Locate(*text_, piece.offset + expr.offset, expr.length);
    }
  }
  return text_->where;
}

}  // namespace wheelwright
