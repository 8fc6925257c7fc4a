// What a job's token may do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

enum class Access : std::uint8_t { kNone, kRead, kWrite };

// "none", "read", "write".
std::string_view NameOf(Access access);
std::optional<Access> ParseAccess(std::string_view text);

// Names of all scopes, sorted
// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#permissions).
inline constexpr std::array<std::string_view, 20> kPermissionScopes = {"actions",
                                                                       "artifact-metadata",
                                                                       "attestations",
                                                                       "checks",
                                                                       "code-quality",
                                                                       "contents",
                                                                       "copilot-requests",
                                                                       "deployments",
                                                                       "discussions",
                                                                       "drives",
                                                                       "id-token",
                                                                       "issues",
                                                                       "models",
                                                                       "packages",
                                                                       "pages",
                                                                       "pull-requests",
                                                                       "repository-projects",
                                                                       "security-events",
                                                                       "statuses",
                                                                       "vulnerability-alerts"};

// Position in kPermissionScopes, or nothing.
std::optional<std::size_t> FindPermissionScope(std::string_view name);

// Whether GitHub has this level for this scope: `id-token` and `copilot-requests` have no read,
// `models` no write.
bool IsLegalAccess(std::size_t scope, Access access);

using Permissions = std::array<Access, kPermissionScopes.size()>;

// Reads the value of `permissions`: a mapping (other scopes get none), `read-all` or `write-all`.
// Invalid values count as none; the syntax checks report them.
Permissions ReadPermissions(const Node& value);

}  // namespace wheelwright
