#include "generator/expression/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"
#include "generator/expression/functions.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 12> kContexts = {"github", "needs",   "inputs",   "matrix",
                                                        "env",    "secrets", "vars",     "steps",
                                                        "runner", "job",     "strategy", "jobs"};

}  // namespace

ExpressionError UnknownName(const Expr& name, std::span<const std::string_view> visible) {
  ExpressionError error{name.offset, name.length, {}, {}};
  if (std::find(kContexts.begin(), kContexts.end(), name.name) != kContexts.end()) {
    error.message = fmt::format("'{}' is not known while files are generated", name.name);
    error.hint = "write ${{ }} for what GitHub knows";
    return error;
  }
  error.message = fmt::format("nothing is called '{}' here", name.name);
  error.hint = DidYouMean(name.name, visible, "known here:");
  for (const std::string_view literal : {"true", "false", "null"}) {
    if (EqualsIgnoringCase(name.name, literal)) error.hint = fmt::format("write '{}'", literal);
  }
  return error;
}

std::optional<ExpressionError> CheckCall(const Expr& call) {
  const auto fail = [&](std::string message, std::string hint) {
    return ExpressionError{call.offset, call.length, std::move(message), std::move(hint)};
  };
  const Function* function = FindFunction(TemplateFunctions(), call.name);
  if (function == nullptr && FindFunction(GithubFunctions(), call.name) != nullptr) {
    return fail(fmt::format("'{}' is not known while files are generated", call.name),
                "write ${{ }} for what GitHub computes");
  }
  if (function == nullptr) {
    std::vector<std::string_view> names;
    for (const Function& one : TemplateFunctions()) names.push_back(one.name);
    return fail(fmt::format("no function is called '{}'", call.name), DidYouMean(call.name, names));
  }
  const std::size_t count = call.operands.size();
  if (count < function->min_arguments || count > function->max_arguments) {
    return fail(fmt::format("{} arguments for {}(): {} given",
                            count < function->min_arguments ? "too few" : "too many",
                            function->name, count),
                fmt::format("write {}", function->usage));
  }
  return std::nullopt;
}

}  // namespace wheelwright
