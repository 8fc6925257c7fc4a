#include "generator/expression/lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "generator/expression/values.h"

namespace wheelwright {
namespace {

constexpr std::string_view kQuotesHint = "write strings in single quotes";
constexpr std::string_view kArithmeticHint = "expressions cannot calculate";

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The length of the blank at that offset, or 0. As in the runner, a no-break space, common in
// copied text, is a blank too.
std::size_t BlankAt(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  return IsBlank(text[at]) ? 1 : text.substr(at, 2) == "\xC2\xA0" ? 2 : 0;
}
bool StartsName(char c) { return IsLetter(c) || c == '_'; }
bool ContinuesName(char c) { return StartsName(c) || IsDigit(c) || c == '-'; }

// Ends a word.
bool IsBoundary(std::string_view text, std::size_t at) {
  return BlankAt(text, at) != 0 ||
         std::string_view("()[],.!<>=&|").find(text[at]) != std::string_view::npos;
}

// A dot behind it begins a property, not a number.
bool EndsOperand(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kCloseParen ||
         kind == TokenKind::kCloseBracket || kind == TokenKind::kStar;
}

// The probable meaning of a character that expressions do not have.
std::string_view HintFor(char c) {
  switch (c) {
    case '"':
      return kQuotesHint;
    case '\'':
      return "write '' for a quote inside a string";
    case '=':
      return "write '==' to compare";
    case '&':
      return "write '&&'";
    case '|':
      return "write '||'";
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return kArithmeticHint;
    case '$':
      return "names are written without '$'";
    case '?':
    case ':':
      return "write case(condition, value, otherwise)";
    case '{':
    case '}':
      return "write fromJSON('{...}')";
    case '.':
      return "a literal has no properties";
    case '#':
      return "expressions have no comments";
    default:
      return {};
  }
}

std::size_t CharacterLength(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && length < 4 && (text[length] & 0xC0) == 0x80) ++length;
  return length;
}

}  // namespace

Token Lexer::Next() {
  while (const std::size_t blank = BlankAt(text_, at_)) at_ += blank;
  if (at_ == text_.size()) return Make(TokenKind::kEnd, 0);
  const char c = text_[at_];
  if (StartsName(c)) return Name();
  switch (c) {
    case '(':
      return Make(TokenKind::kOpenParen, 1);
    case ')':
      return Make(TokenKind::kCloseParen, 1);
    case '[':
      return Make(TokenKind::kOpenBracket, 1);
    case ']':
      return Make(TokenKind::kCloseBracket, 1);
    case ',':
      return Make(TokenKind::kComma, 1);
    case '*':
      return Make(TokenKind::kStar, 1);
    case '.':
      return EndsOperand(previous_) ? Make(TokenKind::kDot, 1) : Number();
    case '!':
      return Operator(TokenKind::kNot, TokenKind::kNotEqual);
    case '<':
      return Operator(TokenKind::kLess, TokenKind::kLessEqual);
    case '>':
      return Operator(TokenKind::kGreater, TokenKind::kGreaterEqual);
    case '=':
      return Doubled('=', TokenKind::kEqual);
    case '&':
      return Doubled('&', TokenKind::kAnd);
    case '|':
      return Doubled('|', TokenKind::kOr);
    case '\'':
      return String();
    default:
      return IsDigit(c) || c == '-' || c == '+' ? Number() : Unexpected(1);
  }
}

Token Lexer::Make(TokenKind kind, std::size_t length) {
  Token token;
  token.kind = kind;
  token.offset = static_cast<std::uint32_t>(at_);
  token.length = static_cast<std::uint32_t>(length);
  at_ += length;
  previous_ = kind;
  return token;
}

Token Lexer::Operator(TokenKind kind, TokenKind with_equal_sign) {
  if (At(at_ + 1) != '=') return Make(kind, 1);
  if (At(at_ + 2) == '=')
    return Wrong(3, fmt::format("unexpected '{}=='", text_[at_]),
                 fmt::format("write '{}='", text_[at_]));
  return Make(with_equal_sign, 2);
}

Token Lexer::Doubled(char sign, TokenKind kind) {
  if (At(at_ + 1) != sign) {
    return Wrong(1, fmt::format("expected '{0}{0}', found '{0}'", sign),
                 std::string(HintFor(sign)));
  }
  if (sign == '=' && At(at_ + 2) == '=') return Wrong(3, "unexpected '==='", "write '=='");
  return Make(kind, 2);
}

Token Lexer::Number() {
  const std::size_t end = WordEnd(at_, /*dots=*/true);
  const std::string_view word = text_.substr(at_, end - at_);
  if (const std::optional<double> value = ParseNumber(word)) {
    Token token = Make(TokenKind::kNumber, word.size());
    token.number = *value;
    return token;
  }
  // A lone sign, or one within the word, is arithmetic.
  if (word.size() == 1) return Unexpected(1);
  const std::size_t sign = word.find_first_of("+-*/%\"", 1);
  if (sign != std::string_view::npos) {
    at_ += sign;
    return Unexpected(1);
  }
  if (!IsDigit(word[0]) && !IsDigit(word[1]) && word[1] != '.') return Unexpected(1);
  return Wrong(word.size(), fmt::format("'{}' is not a number", word), std::string(kQuotesHint));
}

Token Lexer::String() {
  bool escaped = false;
  for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
    if (text_[end] != '\'') continue;
    if (At(end + 1) != '\'') {
      Token token = Make(TokenKind::kString, end + 1 - at_);
      token.escaped = escaped;
      return token;
    }
    escaped = true;
    ++end;
  }
  const std::size_t line = std::min(text_.find('\n', at_), text_.size());
  return Wrong(line - at_, "the string is not closed", "expected a closing '");
}

Token Lexer::Name() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && ContinuesName(text_[end])) ++end;
  if (end == text_.size() || IsBoundary(text_, end)) return Make(TokenKind::kName, end - at_);
  at_ = end;
  previous_ = TokenKind::kName;
  return Unexpected(1);
}

Token Lexer::Wrong(std::size_t length, std::string message, std::string hint) {
  error_ = {at_, length, std::move(message), std::move(hint)};
  return Make(TokenKind::kWrong, length);
}

Token Lexer::Unexpected(std::size_t length) {
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("${{") || rest.starts_with("$[[")) {
    return Wrong(3, fmt::format("unexpected '{}'", rest.substr(0, 3)),
                 "an expression stands here already: write the name alone");
  }
  if (length == 1) length = CharacterLength(rest);
  const auto byte = static_cast<unsigned char>(rest[0]);
  const bool visible = length > 1 || (byte > ' ' && byte < 0x7F);
  std::string message = visible ? fmt::format("unexpected '{}'", rest.substr(0, length))
                                : fmt::format("unexpected byte 0x{:02x}", byte);
  return Wrong(length, std::move(message), std::string(HintFor(rest[0])));
}

std::size_t Lexer::WordEnd(std::size_t from, bool dots) const {
  std::size_t end = from + 1;
  while (end < text_.size() && (!IsBoundary(text_, end) || (dots && text_[end] == '.'))) ++end;
  return end;
}

}  // namespace wheelwright
