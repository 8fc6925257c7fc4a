// Texts of matrix/schema.yml that are computed: with `$[[ ]]`, in the language of templates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/expression/ast.h"
#include "generator/expression/scope.h"
#include "generator/expression/template_types.h"
#include "generator/yaml/node.h"

namespace wheelwright {

class SchemaExpression {
 public:
  // `value` is a scalar of the schema; one without `$[[ ]]` stands for itself. Reports what cannot
  // be parsed, and gives nothing then. Code: schema-expression.
  static std::optional<SchemaExpression> Read(const Node& value, const SourceManager& sources,
                                              Arena& arena, Diagnostics& diagnostics);
  // The text from `offset` on is an expression, without brackets.
  static std::optional<SchemaExpression> ReadBare(const Node& value, std::size_t offset,
                                                  const SourceManager& sources, Arena& arena,
                                                  Diagnostics& diagnostics);

  // The value for the names of a scope: the very node where the text is one expression and nothing
  // else, else a text, whose place is `where`. Null after an error, which is reported once, and
  // says that `row` was computed.
  const Node* Evaluate(const Scope* scope, SourceRange where, const SourceManager& sources,
                       Arena& arena, Diagnostics& diagnostics) const;

  // Its type, after a report of what is wrong whatever the values are.
  ExprType CheckTypes(TemplateTypes& types) const;

  // The expression that is all of it, or null.
  const Expr* whole() const { return pieces_.size() == 1 ? pieces_[0].root : nullptr; }

  // Calls visit(expression) for each expression that it is made of.
  template <typename Visit>
  void ForEachExpression(const Visit& visit) const {
    for (const Piece& piece : pieces_) {
      if (piece.root != nullptr) visit(*piece.root);
    }
  }

  // Calls visit(name, property) for each name that is used; `property` is that in `name.property`,
  // or nothing.
  template <typename Visit>
  void ForEachName(const Visit& visit) const {
    for (const Piece& piece : pieces_) {
      if (piece.root != nullptr) VisitNames(*piece.root, visit);
    }
  }

  // Where all of it stands, and where an expression of the text does.
  SourceRange Place(const SourceManager& sources) const;
  SourceRange Locate(const Expr& expr, const SourceManager& sources) const;
  const Node& text() const { return *text_; }

 private:
  // Text, or an expression.
  struct Piece {
    std::string_view text;
    const Expr* root = nullptr;
    std::size_t offset = 0;  // of the expression, in the text
  };

  template <typename Visit>
  static void VisitNames(const Expr& expr, const Visit& visit) {
    const bool is_step = expr.kind == ExprKind::kProperty || expr.kind == ExprKind::kIndex;
    if (expr.kind == ExprKind::kName) visit(expr, std::optional<std::string_view>());
    if (is_step && expr.operands[0]->kind == ExprKind::kName) {
      visit(*expr.operands[0], PropertyName(expr));
      for (const Expr* operand : expr.operands.subspan(1)) VisitNames(*operand, visit);
    } else {
      for (const Expr* operand : expr.operands) VisitNames(*operand, visit);
    }
  }

  const Node* text_ = nullptr;
  std::vector<Piece> pieces_;
  mutable bool reported_ = false;
};

}  // namespace wheelwright
