// Finds what expressions read of a context without parsing them, for questions where a false find
// does no harm.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text.h"

namespace wheelwright {

inline bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// `context` is in lower case and has two letters at least. Calls visit(name) for every
// `context.name` and `context['name']` in an expression, and visit("") where the context is used
// otherwise: `context.*`, `context[i]`, toJSON(context). Case is ignored; a property of another
// name's, as in github.event.inputs, counts as well.
template <typename Visit>
void VisitReferences(std::string_view expression, std::string_view context, const Visit& visit) {
  // Of an ASCII letter, `| 0x20` gives the lower case. Two letters tell nearly all places apart.
  for (std::size_t at = 0; at + context.size() <= expression.size(); ++at) {
    if ((expression[at] | 0x20) != context[0] || (expression[at + 1] | 0x20) != context[1]) {
      continue;
    }
    if (!EqualsIgnoringCase(expression.substr(at, context.size()), context)) continue;
    if (at > 0 && IsNameCharacter(expression[at - 1])) continue;
    std::size_t next = at + context.size();
    if (next < expression.size() && IsNameCharacter(expression[next])) continue;
    const auto skip_blanks = [&] {
      while (next < expression.size() && (expression[next] == ' ' || expression[next] == '\n'))
        ++next;
    };
    skip_blanks();
    std::string_view name;
    if (next < expression.size() && expression[next] == '.') {
      ++next;
      skip_blanks();
      std::size_t end = next;
      while (end < expression.size() && IsNameCharacter(expression[end])) ++end;
      name = expression.substr(next, end - next);
    } else if (next < expression.size() && expression[next] == '[') {
      ++next;
      skip_blanks();
      if (next < expression.size() && expression[next] == '\'') {
        const std::size_t end = expression.find('\'', next + 1);
        std::size_t close = end == std::string_view::npos ? end : end + 1;
        while (close < expression.size() && expression[close] == ' ') ++close;
        // Otherwise the text only begins a longer expression.
        if (close < expression.size() && expression[close] == ']') {
          name = expression.substr(next + 1, end - next - 1);
        }
      }
    }
    visit(name);
    at += context.size() - 1;
  }
}

}  // namespace wheelwright
