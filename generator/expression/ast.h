// Expressions, in GitHub's grammar
// (https://docs.github.com/actions/reference/workflows-and-actions/expressions).
//
// One language in two kinds of brackets: GitHub evaluates `${{ }}` and this program checks it; this
// program evaluates `$[[ ]]`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wheelwright {

struct Node;

enum class ExprKind : std::uint8_t {
  kLiteral,   // 'text', 1.5, true, null
  kName,      // a context or variable: github, needs, host
  kProperty,  // operand.name
  kIndex,     // operand[operand]
  kAll,       // operand.*
  kCall,      // name(operands...)
  kNot,       // !operand
  kBinary,    // operand op operand; `&&` and `||` hold all operands of a chain: a && b && c
};

enum class BinaryOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr
};

struct Expr {
  ExprKind kind;
  BinaryOp op = BinaryOp::kAnd;
  // Bytes from the start of the parsed text. For kProperty it covers the property's name alone, for
  // kCall the function's name, for kBinary the (first) operator, for kIndex the text in the
  // brackets. Messages put carets there.
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  // The whole expression with operands and enclosing parentheses.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view name;          // of a kName, kProperty or kCall
  const Node* literal = nullptr;  // of a kLiteral
  std::span<const Expr* const> operands;
};

// The property's name in `object.name` or `object['name']`; nothing for other expressions.
std::optional<std::string_view> PropertyName(const Expr& expr);

// Whether it is just the name of this context or variable; ignores case.
bool IsContext(const Expr& expr, std::string_view context);

// The property's name in `context.name` or `context['name']`.
std::optional<std::string_view> PropertyOf(const Expr& expr, std::string_view context);

}  // namespace wheelwright
