// Parses expressions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/ast.h"

namespace wheelwright {

// An error in an expression, with its place in bytes from the start of the text.
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

// Parses the text between the brackets. Nodes are in `arena`; names may be views into `text`, which
// must live as long. The nesting limit is 50, as in GitHub's parser.
ParsedExpression ParseExpression(std::string_view text, Arena& arena);

// The two kinds of brackets.
enum class Brackets { kGithub /* ${{ }} */, kTemplate /* $[[ ]] */ };

// One bracketed expression inside a text.
struct Embedded {
  std::size_t begin = 0;        // of the opening bracket
  std::size_t end = 0;          // behind the closing bracket
  std::size_t inner_begin = 0;  // of the text between the brackets
  std::size_t inner_end = 0;
};

// Finds all bracketed expressions of one kind. Brackets within strings do not count: `${{ '}}' }}`
// is one expression. An opening bracket without its closing one is an error.
std::optional<ExpressionError> FindEmbedded(std::string_view text, Brackets brackets,
                                            std::vector<Embedded>& found);

}  // namespace wheelwright
