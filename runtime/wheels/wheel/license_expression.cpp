#include "runtime/wheels/wheel/license_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

bool IsOperator(std::string_view word) {
  return EqualsAnyIgnoringCase(word, {"AND", "OR", "WITH"});
}

// A `+` may follow: any later version.
bool IsIdentifier(std::string_view word) {
  if (word.ends_with('+')) word.remove_suffix(1);
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return IsLetterOrDigit(c) || c == '-' || c == '.';
  });
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(" \t\n"); at < text.size();
       at = text.find_first_not_of(" \t\n", at)) {
    const bool bracket = text[at] == '(' || text[at] == ')';
    const std::size_t end =
        bracket ? at + 1 : std::min(text.find_first_of(" \t\n()", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

std::string LicenseExpressionProblem(std::string_view text) {
  std::size_t open = 0;
  bool want_license = true;
  std::string_view before;  // the last word
  for (const std::string_view word : Words(text)) {
    if (word == "(") {
      if (!want_license || EqualsIgnoringCase(before, "WITH"))
        return "a bracket stands where none can";
      ++open;
    } else if (word == ")") {
      if (want_license || open == 0) return "a bracket stands where none can";
      --open;
    } else if (IsOperator(word)) {
      if (want_license) return fmt::format("no license stands before {}", word);
      if (EqualsIgnoringCase(word, "WITH") && before == ")") return "WITH stands behind a bracket";
      want_license = true;
    } else if (!want_license) {
      return fmt::format("AND, OR or WITH is missing before {}", Quoted(word));
    } else if (!IsIdentifier(word)) {
      return fmt::format("{} is no identifier", Quoted(word));
    } else {
      want_license = false;
    }
    before = word;
  }
  if (open > 0) return "a bracket is not closed";
  if (before.empty()) return "it is empty";
  return want_license ? fmt::format("nothing stands behind {}", before) : std::string();
}

}  // namespace wheelwright
