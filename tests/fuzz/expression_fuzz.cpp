// Any text is parsed and, if it is an expression, evaluated within bounds. Carets point into the
// text, and brackets are found in order.
#include <cstdint>
#include <string_view>
#include <vector>

#include "generator/expression/evaluate.h"
#include "generator/expression/json.h"
#include "generator/expression/parse.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

void RequireInside(const ExpressionError& error, std::string_view text) {
  Require(error.offset <= text.size() && error.length <= text.size() - error.offset,
          "a caret stands outside of the text");
  Require(!error.message.empty(), "an error without a message");
}

void RequireInside(const Expr& expr, std::uint32_t begin, std::uint32_t end) {
  Require(expr.begin >= begin && expr.end <= end && expr.begin <= expr.offset &&
              expr.offset + expr.length <= expr.end,
          "an expression outside of the one around it");
  for (const Expr* operand : expr.operands) RequireInside(*operand, begin, end);
}

void RunExpression(std::string_view text, const Scope* scope) {
  Arena arena;
  const ParsedExpression parsed = ParseExpression(text, arena);
  Require((parsed.root == nullptr) == parsed.error.has_value(), "neither parsed nor refused");
  if (parsed.error) {
    RequireInside(*parsed.error, text);
    return;
  }
  RequireInside(*parsed.root, 0, static_cast<std::uint32_t>(text.size()));
  const Evaluated result = Evaluate(*parsed.root, scope, arena);
  Require((result.value == nullptr) == result.error.has_value(), "neither a value nor an error");
  if (result.error) RequireInside(*result.error, text);
}

const Fuzzer kExpression("expression", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Arena arena;
  const Node* value = FromJson(R"({"id": "gfx94x", "list": [1, "a", {"id": "b"}], "none": null,
                                   "flag": true, "deep": {"x": [[1], [2, 3]]}})",
                               arena)
                          .value;
  const Scope family{nullptr, "family", value};
  const Scope a{&family, "a", value};

  RunExpression(text, &a);
  for (const Brackets brackets : {Brackets::kGithub, Brackets::kTemplate}) {
    std::vector<Embedded> found;
    if (const auto error = FindEmbedded(text, brackets, found)) RequireInside(*error, text);
    std::size_t behind = 0;
    for (const Embedded& one : found) {
      Require(one.begin >= behind && one.inner_begin == one.begin + 3 &&
                  one.inner_begin <= one.inner_end && one.end == one.inner_end + 2 &&
                  one.end <= text.size(),
              "brackets out of order");
      behind = one.end;
      RunExpression(text.substr(one.inner_begin, one.inner_end - one.inner_begin), &a);
    }
  }
});

}  // namespace
}  // namespace wheelwright
