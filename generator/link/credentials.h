// Finds where a workflow assumes an AWS role: inputs of actions, environment variables, command
// lines.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/characters.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// A character of names in GitHub's contexts and most other identifiers.
inline bool IsNameCharacter(char c) { return IsWordCharacter(c) || c == '-'; }

// Whether an action's input or an environment variable is a role to assume: `role-to-assume` and
// its relatives, AWS_ROLE_ARN, which the SDKs read.
bool TakesRole(std::string_view name);

// Whether a job can authenticate to a cloud: it may request an OIDC token, or assumes a role.
bool MayAssumeRole(const Workflow& workflow, const Job& job);

// A role that a script computes: `--role-arn "$ROLE"`, `AWS_ROLE_ARN=$(cat role)`.
struct ComputedRole {
  std::size_t offset = 0;  // of the value, in the script
  std::size_t length = 0;
  std::string_view begins;  // the literal text before the computed part
};
void FindComputedRoles(std::string_view script, std::vector<ComputedRole>& roles);

}  // namespace wheelwright
