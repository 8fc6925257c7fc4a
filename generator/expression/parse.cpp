#include "generator/expression/parse.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"
#include "generator/expression/lexer.h"
#include "generator/yaml/node.h"

namespace wheelwright {
namespace {

// ExpressionConstants.MaxDepth of GitHub's runner.
constexpr int kMaxNesting = 50;

class Parser {
 public:
  Parser(std::string_view text, Arena& arena) : text_(text), arena_(arena), lexer_(text) {}

  ParsedExpression Parse() {
    Advance();
    if (token_.kind == TokenKind::kEnd) {
      return {nullptr,
              ExpressionError{0, text_.size(), "expected an expression, found nothing", ""}};
    }
    const Expr* root = Expression();
    if (root != nullptr && token_.kind != TokenKind::kEnd) {
      FailBehindOperand("an operator");
      root = nullptr;
    }
    if (root == nullptr) return {nullptr, std::move(error_)};
    return {root, std::nullopt};
  }

 private:
  // Counts a level of nesting during its lifetime.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {}
    ~Level() { parser_.depth_ -= levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    bool Enter() {
      ++levels_;
      if (++parser_.depth_ <= kMaxNesting) return true;
      parser_.Fail(parser_.token_, fmt::format("nested more than {} levels deep", kMaxNesting),
                   "GitHub refuses it");
      return false;
    }

   private:
    Parser& parser_;
    int levels_ = 0;
  };

  const Expr* Expression() {
    Level level(*this);
    if (!level.Enter()) return nullptr;
    return Chain(TokenKind::kOr, BinaryOp::kOr, [this] {
      return Chain(TokenKind::kAnd, BinaryOp::kAnd, [this] { return Equality(); });
    });
  }

  // operand, or operand && operand && operand.
  template <typename Operand>
  const Expr* Chain(TokenKind separator, BinaryOp op, const Operand& operand) {
    const Expr* first = operand();
    if (first == nullptr || token_.kind != separator) return first;
    Level level(*this);
    if (!level.Enter()) return nullptr;
    Expr* chain = New(ExprKind::kBinary, token_);
    chain->op = op;
    const std::size_t mark = pending_.size();
    pending_.push_back(first);
    while (token_.kind == separator) {
      Advance();
      const Expr* next = operand();
      if (next == nullptr) return nullptr;
      pending_.push_back(next);
    }
    TakeOperands(*chain, mark);
    return chain;
  }

  const Expr* Equality() {
    return LeftToRight(&Parser::EqualityOp, [this] {
      return LeftToRight(&Parser::ComparisonOp, [this] { return Unary(); });
    });
  }

  template <typename Operand>
  const Expr* LeftToRight(std::optional<BinaryOp> (Parser::*op_of)() const,
                          const Operand& operand) {
    const Expr* left = operand();
    Level level(*this);
    while (left != nullptr) {
      const std::optional<BinaryOp> op = (this->*op_of)();
      if (!op) return left;
      if (!level.Enter()) return nullptr;
      Expr* binary = New(ExprKind::kBinary, token_);
      binary->op = *op;
      Advance();
      const Expr* right = operand();
      if (right == nullptr) return nullptr;
      SetOperands(*binary, {left, right});
      left = binary;
    }
    return nullptr;
  }

  std::optional<BinaryOp> EqualityOp() const {
    if (token_.kind == TokenKind::kEqual) return BinaryOp::kEqual;
    if (token_.kind == TokenKind::kNotEqual) return BinaryOp::kNotEqual;
    return std::nullopt;
  }

  std::optional<BinaryOp> ComparisonOp() const {
    switch (token_.kind) {
      case TokenKind::kLess:
        return BinaryOp::kLess;
      case TokenKind::kLessEqual:
        return BinaryOp::kLessEqual;
      case TokenKind::kGreater:
        return BinaryOp::kGreater;
      case TokenKind::kGreaterEqual:
        return BinaryOp::kGreaterEqual;
      default:
        return std::nullopt;
    }
  }

  const Expr* Unary() {
    if (token_.kind != TokenKind::kNot) return Postfix();
    Level level(*this);
    if (!level.Enter()) return nullptr;
    Expr* negation = New(ExprKind::kNot, token_);
    Advance();
    const Expr* operand = Unary();
    if (operand == nullptr) return nullptr;
    SetOperands(*negation, {operand});
    negation->begin = negation->offset;
    return negation;
  }

  // operand.name, operand.*, operand[index].
  const Expr* Postfix() {
    const Expr* operand = Primary();
    Level level(*this);
    while (operand != nullptr && operand->kind != ExprKind::kLiteral) {
      const bool dot = token_.kind == TokenKind::kDot;
      if (!dot && token_.kind != TokenKind::kOpenBracket) return operand;
      if (!level.Enter()) return nullptr;
      Advance();
      operand = dot ? Property(operand) : Index(operand);
    }
    return operand;
  }

  const Expr* Property(const Expr* operand) {
    const bool all = token_.kind == TokenKind::kStar;
    if (!all && token_.kind != TokenKind::kName) {
      Expect("a property's name", token_.kind == TokenKind::kNumber ? "write ['...'] or [0]" : "");
      return nullptr;
    }
    Expr* property = New(all ? ExprKind::kAll : ExprKind::kProperty, token_);
    if (!all) property->name = TextOf(token_);
    SetOperands(*property, {operand});
    property->end = token_.end();
    Advance();
    return property;
  }

  const Expr* Index(const Expr* operand) {
    Expr* access = New(ExprKind::kIndex, token_);
    if (token_.kind == TokenKind::kStar) {
      access->kind = ExprKind::kAll;
      SetOperands(*access, {operand});
      Advance();
    } else {
      const Expr* index = Expression();
      if (index == nullptr) return nullptr;
      SetOperands(*access, {operand, index});
      access->length = index->end - access->offset;
    }
    if (token_.kind != TokenKind::kCloseBracket) {
      FailBehindOperand("']'");
      return nullptr;
    }
    access->end = token_.end();
    Advance();
    return access;
  }

  const Expr* Primary() {
    switch (token_.kind) {
      case TokenKind::kName:
        return NameOrCall();
      case TokenKind::kNumber:
        return Literal(MakeNumber(arena_, token_.number));
      case TokenKind::kString:
        return Literal(StringNode());
      case TokenKind::kOpenParen:
        return Group();
      case TokenKind::kOpenBracket:
        Expect("an expression", "write fromJSON('[...]') for a list");
        return nullptr;
      default:
        Expect("an expression", "");
        return nullptr;
    }
  }

  const Expr* Group() {
    const std::uint32_t begin = token_.offset;
    Advance();
    const Expr* inner = Expression();
    if (inner == nullptr) return nullptr;
    if (token_.kind != TokenKind::kCloseParen) {
      FailBehindOperand("')'");
      return nullptr;
    }
    Expr* group = arena_.New<Expr>(*inner);
    group->begin = begin;
    group->end = token_.end();
    Advance();
    return group;
  }

  const Expr* NameOrCall() {
    const Token name = token_;
    const std::string_view text = TextOf(name);
    if (text == "true" || text == "false") {
      Node node;
      node.kind = NodeKind::kBoolean;
      node.text = text;
      return Literal(arena_.New<Node>(node));
    }
    if (text == "null") return Literal(arena_.New<Node>());
    if (text == "NaN") return Literal(MakeNumber(arena_, std::numeric_limits<double>::quiet_NaN()));
    if (text == "Infinity") {
      return Literal(MakeNumber(arena_, std::numeric_limits<double>::infinity()));
    }
    Advance();
    Expr* expr = New(ExprKind::kName, name);
    expr->name = text;
    if (token_.kind != TokenKind::kOpenParen) return expr;
    expr->kind = ExprKind::kCall;
    return Arguments(expr) ? expr : nullptr;
  }

  bool Arguments(Expr* call) {
    Advance();
    const std::size_t mark = pending_.size();
    while (token_.kind != TokenKind::kCloseParen || pending_.size() > mark) {
      const Expr* argument = Expression();
      if (argument == nullptr) return false;
      pending_.push_back(argument);
      if (token_.kind == TokenKind::kCloseParen) break;
      if (token_.kind != TokenKind::kComma) {
        FailBehindOperand("',' or ')'");
        return false;
      }
      Advance();
    }
    call->operands = arena_.Copy(std::span<const Expr* const>(pending_).subspan(mark));
    pending_.resize(mark);
    call->end = token_.end();
    Advance();
    return true;
  }

  const Expr* Literal(const Node* value) {
    Expr* literal = New(ExprKind::kLiteral, token_);
    literal->literal = value;
    Advance();
    return literal;
  }

  const Node* StringNode() {
    Node node;
    node.kind = NodeKind::kString;
    node.style = NodeStyle::kQuoted;
    node.text = text_.substr(token_.offset + 1, token_.length - 2);
    if (token_.escaped) {
      std::string plain;
      for (std::size_t i = 0; i < node.text.size(); ++i) {
        plain += node.text[i];
        if (node.text[i] == '\'') ++i;
      }
      node.text = arena_.Copy(plain);
    }
    return arena_.New<Node>(node);
  }

  Expr* New(ExprKind kind, const Token& token) {
    Expr* expr = arena_.New<Expr>();
    expr->kind = kind;
    expr->offset = expr->begin = token.offset;
    expr->length = token.length;
    expr->end = token.end();
    return expr;
  }

  template <std::size_t kCount>
  void SetOperands(Expr& expr, const Expr* const (&operands)[kCount]) {
    expr.operands = arena_.Copy(std::span<const Expr* const>(operands));
    expr.begin = operands[0]->begin;
    expr.end = operands[kCount - 1]->end;
  }

  void TakeOperands(Expr& expr, std::size_t mark) {
    expr.operands = arena_.Copy(std::span<const Expr* const>(pending_).subspan(mark));
    pending_.resize(mark);
    expr.begin = expr.operands.front()->begin;
    expr.end = expr.operands.back()->end;
  }

  void Advance() {
    before_ = token_;
    token_ = lexer_.Next();
  }

  std::string_view TextOf(const Token& token) const {
    return text_.substr(token.offset, token.length);
  }

  // Only the first error is reported.
  void Fail(const Token& token, std::string message, std::string hint) {
    if (error_) return;
    error_ = ExpressionError{token.offset, token.length, std::move(message), std::move(hint)};
  }

  void Expect(std::string_view expected, std::string_view hint) {
    if (token_.kind == TokenKind::kWrong) {
      if (!error_) error_ = lexer_.error();
    } else if (token_.kind == TokenKind::kEnd) {
      Token end;
      end.offset = before_.end();
      Fail(end, fmt::format("expected {}, found the end", expected), std::string(hint));
    } else {
      Fail(token_, fmt::format("expected {}, found {}", expected, Quoted(token_)),
           std::string(hint));
    }
  }

  // The token behind a complete operand does not continue it.
  void FailBehindOperand(std::string_view expected) {
    std::string_view hint;
    const std::string_view word = TextOf(token_);
    if (token_.kind == TokenKind::kName) {
      if (EqualsIgnoringCase(word, "and")) hint = "write '&&'";
      if (EqualsIgnoringCase(word, "or")) hint = "write '||'";
      if (EqualsIgnoringCase(word, "in")) hint = "write contains(list, item)";
      if (EqualsIgnoringCase(TextOf(before_), "not")) hint = "write '!'";
      if (TextOf(before_).ends_with("\\'")) hint = "write '' for a quote inside a string";
    } else if (token_.kind == TokenKind::kNumber && (word[0] == '+' || word[0] == '-')) {
      hint = "expressions cannot calculate";
    } else if (token_.kind == TokenKind::kStar) {
      hint = "expressions cannot calculate";
    } else if (token_.kind == TokenKind::kOpenBracket || TextOf(token_).starts_with('.')) {
      hint = "a literal has no properties";
    }
    Expect(expected, hint);
  }

  std::string Quoted(const Token& token) const {
    if (token.kind == TokenKind::kString) return fmt::format("the string {}", TextOf(token));
    return fmt::format("'{}'", TextOf(token));
  }

  std::string_view text_;
  Arena& arena_;
  Lexer lexer_;
  Token token_;
  Token before_;
  int depth_ = 0;
  std::vector<const Expr*> pending_;  // operands of the calls and chains that are being read
  std::optional<ExpressionError> error_;
};

}  // namespace

ParsedExpression ParseExpression(std::string_view text, Arena& arena) {
  return Parser(text, arena).Parse();
}

}  // namespace wheelwright
