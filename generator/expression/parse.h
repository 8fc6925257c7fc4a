// Text to expression tree.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/ast.h"

namespace wheelwright {

// What is wrong with an expression and where, in bytes from the start of the text that was given.
struct ExpressionError {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string message;  // "expected ')', found ','"
  std::string hint;     // "write strings in single quotes"; may be empty
};

struct ParsedExpression {
  const Expr* root = nullptr;  // null when there is an error
  std::optional<ExpressionError> error;
};

// Parses the text between the brackets. Nodes and names live in `arena`; names that need no
// unescaping are views into `text`, which must live as long. Nesting is bounded at 50, as GitHub's
// parser does.
ParsedExpression ParseExpression(std::string_view text, Arena& arena);

// The two kinds of brackets.
enum class Brackets { kGithub /* ${{ }} */, kTemplate /* $[[ ]] */ };

// One bracketed expression inside a text.
struct Embedded {
  std::size_t begin = 0;        // of the opening bracket
  std::size_t end = 0;          // behind the closing bracket
  std::size_t inner_begin = 0;  // of what is between the brackets
  std::size_t inner_end = 0;
};

// Finds every bracketed expression of one kind. Strings inside are understood: `${{ '}}' }}` is one
// expression. An opening bracket that is never closed is an error.
std::optional<ExpressionError> FindEmbedded(std::string_view text, Brackets brackets,
                                            std::vector<Embedded>& found);

}  // namespace wheelwright
