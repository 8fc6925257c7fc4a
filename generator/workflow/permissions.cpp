#include "generator/workflow/permissions.h"

#include <algorithm>

namespace wheelwright {

std::string_view NameOf(Access access) {
  switch (access) {
    case Access::kNone:
      break;
    case Access::kRead:
      return "read";
    case Access::kWrite:
      return "write";
  }
  return "none";
}

std::optional<Access> ParseAccess(std::string_view text) {
  for (const Access access : {Access::kNone, Access::kRead, Access::kWrite}) {
    if (NameOf(access) == text) return access;
  }
  return std::nullopt;
}

std::optional<std::size_t> FindPermissionScope(std::string_view name) {
  const auto at = std::lower_bound(kPermissionScopes.begin(), kPermissionScopes.end(), name);
  if (at == kPermissionScopes.end() || *at != name) return std::nullopt;
  return static_cast<std::size_t>(at - kPermissionScopes.begin());
}

bool IsLegalAccess(std::size_t scope, Access access) {
  const std::string_view name = kPermissionScopes[scope];
  if (name == "id-token" || name == "copilot-requests") return access != Access::kRead;
  if (name == "models" || name == "vulnerability-alerts") return access != Access::kWrite;
  return true;
}

Permissions ReadPermissions(const Node& value) {
  Permissions permissions{};
  if (value.is_mapping()) {
    for (const Entry& entry : value.entries) {
      const std::optional<std::size_t> scope = FindPermissionScope(entry.key->text);
      if (scope) permissions[*scope] = ParseAccess(entry.value->text).value_or(Access::kNone);
    }
    return permissions;
  }
  const Access all = value.text == "write-all"  ? Access::kWrite
                     : value.text == "read-all" ? Access::kRead
                                                : Access::kNone;
  if (all == Access::kNone) return permissions;
  for (std::size_t scope = 0; scope < permissions.size(); ++scope) {
    if (IsLegalAccess(scope, all)) {
      permissions[scope] = all;
    } else if (all == Access::kWrite) {
      permissions[scope] = Access::kRead;
    }
  }
  return permissions;
}

}  // namespace wheelwright
