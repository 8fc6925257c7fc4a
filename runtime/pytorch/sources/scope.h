// Which combos of the plan a run resolves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// Empty means all of them; of sets, the first.
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
    Texts projects;     // that are built for it, in the order of the plan
  };
  std::vector<Combo> combos;  // each id once
  std::string gfx;            // the folder of the index that `family` has; "" for all families
};

// Reports names that the plan does not have, and a selection without combos.
std::optional<ResolveScope> FindScope(const Plan& plan, const ScopeRequest& request,
                                      Diagnostics& diagnostics);

}  // namespace wheelwright
