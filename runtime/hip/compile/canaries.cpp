#include "runtime/hip/compile/canaries.h"

#include <algorithm>

#include "base/text.h"

namespace wheelwright {

std::string HeadComment(std::string_view source, std::string_view word) {
  std::string text;
  bool inside = false;
  for (const std::string_view line : Split(source, '\n')) {
    if (!line.starts_with("//")) break;
    std::string_view rest = Trim(line.substr(2));
    const std::size_t colon = rest.find(": ");
    const bool begins = colon != std::string_view::npos &&
                        (rest.starts_with("Guards: ") || rest.starts_with("Since: "));
    if (begins) {
      inside = rest.substr(0, colon) == word;
      rest = rest.substr(colon + 2);
    }
    if (!inside) continue;
    if (!text.empty()) text += ' ';
    text += rest;
  }
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string Canary::Guards() const { return HeadComment(text, "Guards"); }

std::string Canary::Since() const { return HeadComment(text, "Since"); }

const Canary* FindCanary(std::string_view name) {
  const auto found = std::ranges::find_if(Canaries(), [&](const Canary& canary) {
    return canary.name == name ||
           (canary.name.starts_with(name) && canary.name.substr(name.size()) == ".hip");
  });
  return found == Canaries().end() ? nullptr : &*found;
}

}  // namespace wheelwright
