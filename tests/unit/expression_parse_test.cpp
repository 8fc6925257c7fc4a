#include <catch2/catch.hpp>

#include "generator/expression/parse.h"
#include "generator/expression/values.h"
#include "generator/yaml/node.h"

using namespace wheelwright;

namespace {

// The tree in prefix form, so that grouping can be seen.
std::string Show(const Expr& expr) {
  static constexpr std::string_view kOps[] = {"==", "!=", "<", "<=", ">", ">=", "&&", "||"};
  std::string text;
  switch (expr.kind) {
    case ExprKind::kLiteral:
      if (expr.literal->is_null()) return "null";
      if (expr.literal->kind == NodeKind::kNumber) return FormatNumber(NumberValue(*expr.literal));
      if (expr.literal->is_string()) return "'" + std::string(expr.literal->text) + "'";
      return std::string(expr.literal->text);
    case ExprKind::kName:
      return std::string(expr.name);
    case ExprKind::kProperty:
      return Show(*expr.operands[0]) + "." + std::string(expr.name);
    case ExprKind::kIndex:
      return Show(*expr.operands[0]) + "[" + Show(*expr.operands[1]) + "]";
    case ExprKind::kAll:
      return Show(*expr.operands[0]) + ".*";
    case ExprKind::kCall:
      text = std::string(expr.name);
      break;
    case ExprKind::kNot:
      text = "!";
      break;
    case ExprKind::kBinary:
      text = kOps[static_cast<std::size_t>(expr.op)];
      break;
  }
  text += "(";
  for (const Expr* operand : expr.operands) {
    if (text.back() != '(') text += " ";
    text += Show(*operand);
  }
  return text + ")";
}

// The tree, or the error as a person sees it: what stands at the caret, the message and the hint.
std::string Parse(std::string_view text) {
  Arena arena;
  const ParsedExpression parsed = ParseExpression(text, arena);
  if (!parsed.error) return Show(*parsed.root);
  CHECK(parsed.root == nullptr);
  const ExpressionError& error = *parsed.error;
  CHECK(error.offset + error.length <= text.size());
  return std::to_string(error.offset) + " <" +
         std::string(text.substr(error.offset, error.length)) + "> " + error.message +
         (error.hint.empty() ? "" : "; " + error.hint);
}

std::string Find(std::string_view text, Brackets brackets) {
  std::vector<Embedded> found;
  if (const auto error = FindEmbedded(text, brackets, found)) {
    return std::to_string(error->offset) + " <" +
           std::string(text.substr(error->offset, error->length)) + "> " + error->message + "; " +
           error->hint;
  }
  std::string result;
  for (const Embedded& one : found) {
    CHECK(one.begin + 3 == one.inner_begin);
    CHECK(one.end == one.inner_end + 2);
    result +=
        "<" + std::string(text.substr(one.inner_begin, one.inner_end - one.inner_begin)) + ">";
  }
  return result;
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

}  // namespace

TEST_CASE("expressions are parsed with GitHub's precedence", "[expression]") {
  const Case cases[] = {
      {"a || b && c", "||(a &&(b c))"},
      {"a && b || c", "||(&&(a b) c)"},
      {"a && b && c", "&&(a b c)"},
      {"a == b && c != d", "&&(==(a b) !=(c d))"},
      {"a < b == c", "==(<(a b) c)"},
      {"a == b == c", "==(==(a b) c)"},
      {"a <= b >= c", ">=(<=(a b) c)"},
      {"!a == b", "==(!(a) b)"},
      {"!!a.b", "!(!(a.b))"},
      {"(a || b) && c", "&&(||(a b) c)"},
      {"a > 1", ">(a 1)"},
  };
  for (const Case& one : cases) CHECK(Parse(one.text) == one.expected);
}

TEST_CASE("literals have the forms that GitHub reads", "[expression]") {
  const Case cases[] = {
      {"null", "null"},
      {"true", "true"},
      {"false", "false"},
      {"12", "12"},
      {"-9.7", "-9.7"},
      {".5", "0.5"},
      {"+1.", "1"},
      {"0xff", "255"},
      {"0o17", "15"},
      {"-2.99e-2", "-0.0299"},
      {"1e+3", "1000"},
      {"NaN", "NaN"},
      {"Infinity", "Infinity"},
      {"-Infinity", "-Infinity"},
      {"+Infinity", "Infinity"},
      {"1e999", "Infinity"},
      {"''", "''"},
      {"'it''s'", "'it's'"},
      {"''''", "'''"},
      {"'}}'", "'}}'"},
      {"\t1 \r\n", "1"},
  };
  for (const Case& one : cases) CHECK(Parse(one.text) == one.expected);
}

TEST_CASE("properties, indices, filters and calls", "[expression]") {
  const Case cases[] = {
      {"needs.build-it.outputs.x_1", "needs.build-it.outputs.x_1"},
      {"a['b c']", "a['b c']"},
      {"a[b[0]].c", "a[b[0]].c"},
      {"a.*.name", "a.*.name"},
      {"a[*].name", "a.*.name"},
      {"a.true.null", "a.true.null"},
      {"f()", "f()"},
      {"f(a, 'b', g(1))", "f(a 'b' g(1))"},
      {"fromJSON(x).y[0]", "fromJSON(x).y[0]"},
      {"(a).b", "a.b"},
      {"f( a && b )", "f(&&(a b))"},
  };
  for (const Case& one : cases) {
    const std::string shown = Parse(one.text);
    // Calls print like operators, so a property behind one prints behind its arguments.
    CHECK(shown == one.expected);
  }
}

TEST_CASE("carets of parsed expressions", "[expression]") {
  Arena arena;
  const std::string_view text = "contains(a.bb, 'x') && (c == d[0])";
  const auto at = [&](const Expr& expr) { return text.substr(expr.offset, expr.length); };
  const auto whole = [&](const Expr& expr) {
    return text.substr(expr.begin, expr.end - expr.begin);
  };
  const Expr& root = *ParseExpression(text, arena).root;
  CHECK(at(root) == "&&");
  CHECK(whole(root) == text);
  const Expr& call = *root.operands[0];
  CHECK(at(call) == "contains");
  CHECK(whole(call) == "contains(a.bb, 'x')");
  CHECK(at(*call.operands[0]) == "bb");
  CHECK(whole(*call.operands[0]) == "a.bb");
  const Expr& group = *root.operands[1];
  CHECK(at(group) == "==");
  CHECK(whole(group) == "(c == d[0])");
  CHECK(at(*group.operands[1]) == "0");
  CHECK(whole(*group.operands[1]) == "d[0]");
}

TEST_CASE("slips are named where they are", "[expression]") {
  const Case cases[] = {
      {"", "0 <> expected an expression, found nothing"},
      {"  ", "0 <  > expected an expression, found nothing"},
      {"a = b", "2 <=> expected '==', found '='; write '==' to compare"},
      {"a === b", "2 <===> unexpected '==='; write '=='"},
      {"a !== b", "2 <!==> unexpected '!=='; write '!='"},
      {"a & b", "2 <&> expected '&&', found '&'; write '&&'"},
      {"a | b", "2 <|> expected '||', found '|'; write '||'"},
      {"a == \"text\"", "5 <\"> unexpected '\"'; write strings in single quotes"},
      {"$var", "0 <$> unexpected '$'; names are written without '$'"},
      {"a && ${{ b }}",
       "5 <${{> unexpected '${{'; an expression stands here already: write the name alone"},
      {"a + b", "2 <+> unexpected '+'; expressions cannot calculate"},
      {"a+b", "1 <+> unexpected '+'; expressions cannot calculate"},
      {"1-2", "1 <-> unexpected '-'; expressions cannot calculate"},
      {"a -1", "2 <-1> expected an operator, found '-1'; expressions cannot calculate"},
      {"a * b", "2 <*> expected an operator, found '*'; expressions cannot calculate"},
      {"a / b", "2 </> unexpected '/'; expressions cannot calculate"},
      {"a ? b : c", "2 <?> unexpected '?'; write case(condition, value, otherwise)"},
      {"a and b", "2 <and> expected an operator, found 'and'; write '&&'"},
      {"a OR b", "2 <OR> expected an operator, found 'OR'; write '||'"},
      {"not a", "4 <a> expected an operator, found 'a'; write '!'"},
      {"x in y", "2 <in> expected an operator, found 'in'; write contains(list, item)"},
      {"'it\\'s'", "6 <'> unexpected '''; write '' for a quote inside a string"},
      {"'it\\'s", "5 <s> expected an operator, found 's'; write '' for a quote inside a string"},
      {"a 'b'", "2 <'b'> expected an operator, found the string 'b'"},
      {"f(a b)", "4 <b> expected ',' or ')', found 'b'"},
      {"f(a,", "4 <> expected an expression, found the end"},
      {"f(a,)", "4 <)> expected an expression, found ')'"},
      {"f(, a)", "2 <,> expected an expression, found ','"},
      {"(a, b)", "2 <,> expected ')', found ','"},
      {"(a", "2 <> expected ')', found the end"},
      {"a[0", "3 <> expected ']', found the end"},
      {"a[]", "2 <]> expected an expression, found ']'"},
      {"a)", "1 <)> expected an operator, found ')'"},
      {"a ==", "4 <> expected an expression, found the end"},
      {"&& a", "0 <&&> expected an expression, found '&&'"},
      {"a.", "2 <> expected a property's name, found the end"},
      {"a.0", "2 <0> expected a property's name, found '0'; write ['...'] or [0]"},
      {"a.b'", "3 <'> unexpected '''; write '' for a quote inside a string"},
      {"[1, 2]", "0 <[> expected an expression, found '['; write fromJSON('[...]') for a list"},
      {"{ a }", "0 <{> unexpected '{'; write fromJSON('{...}')"},
      {"'a'.b", "3 <.> unexpected '.'; a literal has no properties"},
      {"'a'[0]", "3 <[> expected an operator, found '['; a literal has no properties"},
      {"true.b", "4 <.> expected an operator, found '.'; a literal has no properties"},
      {"v == 3.13t", "5 <3.13t> '3.13t' is not a number; write strings in single quotes"},
      {"1.2.3", "0 <1.2.3> '1.2.3' is not a number; write strings in single quotes"},
      {"0xzz", "0 <0xzz> '0xzz' is not a number; write strings in single quotes"},
      {"'abc", "0 <'abc> the string is not closed; expected a closing '"},
      {"größe", "2 <ö> unexpected 'ö'"},
      {std::string_view("a \x01", 3), "2 <\x01> unexpected byte 0x01"},
      {"a # b", "2 <#> unexpected '#'; expressions have no comments"},
  };
  for (const Case& one : cases) CHECK(Parse(one.text) == one.expected);
}

TEST_CASE("nesting is bounded as GitHub bounds it", "[expression]") {
  const auto repeat = [](std::string_view text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  const auto refused = [](const std::string& text) {
    return Parse(text).find("nested more than 50 levels deep; GitHub refuses it") !=
           std::string::npos;
  };
  CHECK_FALSE(refused(repeat("(", 49) + "a" + repeat(")", 49)));
  CHECK(refused(repeat("(", 50) + "a" + repeat(")", 50)));
  CHECK(refused(repeat("!", 60) + "a"));
  CHECK(refused("a" + repeat(".b", 60)));
  CHECK(refused("a" + repeat(" == a", 60)));
  CHECK(refused(repeat("f(", 100000)));
  // A chain is one level, however long it is.
  CHECK_FALSE(refused("a" + repeat(" && a", 5000)));
}

TEST_CASE("embedded expressions end at their own bracket", "[expression]") {
  const Case github[] = {
      {"plain", ""},
      {"${{ a }}", "< a >"},
      {"x ${{a}} y ${{ b }}", "<a>< b >"},
      {"${{ '}}' }}", "< '}}' >"},
      {"${{ 'it''s }}' }}!", "< 'it''s }}' >"},
      {"${{ format('{{{0}}}', a) }}", "< format('{{{0}}}', a) >"},
      {"$[[ a ]] ${{ b[0] }}", "< b[0] >"},
      {"${ {a}}", ""},
      {"${{ a }", "0 <${{> '${{' is not closed; expected '}}'"},
      {"${{ a }} ${{", "9 <${{> '${{' is not closed; expected '}}'"},
      {"${{ 'a }}\nb", "4 <'a }}> the string is not closed; expected a closing '"},
  };
  for (const Case& one : github) CHECK(Find(one.text, Brackets::kGithub) == one.expected);
  const Case templates[] = {
      {"$[[ a ]]", "< a >"},
      {"$[[ a[b[0]] ]]", "< a[b[0]] >"},
      {"$[[a[0]]] $[[ b ]]", "<a[0]>< b >"},
      {"$[[ a[']]'] ]]-", "< a[']]'] >"},
      {"${{ a[$[[ b ]]] }}", "< b >"},
      {"if [[ $x ]]", ""},
      {"$[[ a[0 ]]", "0 <$[[> '$[[' is not closed; expected ']]'"},
      {"$[[ a[0", "5 <[> '[' is not closed; expected a ']'"},
      {"$[[ 'x ]]", "4 <'x ]]> the string is not closed; expected a closing '"},
  };
  for (const Case& one : templates) CHECK(Find(one.text, Brackets::kTemplate) == one.expected);
}
