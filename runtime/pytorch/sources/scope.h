// Selects the combos of the plan that a run resolves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// Empty means all; for `set` the first.
struct ScopeRequest {
  std::string_view set;
  std::string_view platform;
  std::string_view family;  // a key, an artifact group, or a group of families
  std::string_view release_type;
};

struct ResolveScope {
  struct Combo {
    std::string id;     // "py312_torch210"
    std::string torch;  // the ref
    Texts projects;     // built for it, in the order of the plan
  };
  std::vector<Combo> combos;  // each id once
  std::string gfx;            // the folder of `family` in the index; "" for all families
};

// Reports unknown names, and a selection without combos.
std::optional<ResolveScope> FindScope(const Plan& plan, const ScopeRequest& request,
                                      Diagnostics& diagnostics);

}  // namespace wheelwright
