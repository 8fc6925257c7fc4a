// The tokens of an expression, for parse.cpp. Others use IsDigit() only.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/characters.h"
#include "generator/expression/parse.h"

namespace wheelwright {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWrong,  // Lexer::error() says why
  kName,
  kNumber,
  kString,
  kOpenParen,
  kCloseParen,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  kStar,
  kNot,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  double number = 0;     // of a kNumber
  bool escaped = false;  // a kString that holds ''

  std::uint32_t end() const { return offset + length; }
};

// Returns one token after the other in a single pass. As in GitHub's lexer, a token ends at a
// boundary character: `a-b` is one name, and `1-2` is one malformed number.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token Next();
  const ExpressionError& error() const { return error_; }

 private:
  Token Make(TokenKind kind, std::size_t length);
  Token Operator(TokenKind kind, TokenKind with_equal_sign);
  Token Doubled(char sign, TokenKind kind);
  Token Number();
  Token String();
  Token Name();
  Token Wrong(std::size_t length, std::string message, std::string hint);
  Token Unexpected(std::size_t length);
  std::size_t WordEnd(std::size_t from, bool dots) const;
  char At(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
  TokenKind previous_ = TokenKind::kEnd;
  ExpressionError error_;
};

}  // namespace wheelwright
