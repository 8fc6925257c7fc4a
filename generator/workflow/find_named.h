// Finds inputs, secrets and outputs by name, ignoring case as GitHub does.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wheelwright {

// Null when there is none.
template <typename Named>
const Named* FindNamed(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::ranges::find_if(
      all, [&](const Named& one) { return EqualsIgnoringCase(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace wheelwright
