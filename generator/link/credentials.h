// Where a workflow takes a role of AWS, by whatever way: the inputs of actions, the variables that
// its tools read, and their command lines.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "generator/workflow/model.h"

namespace wheelwright {

// Whether an input of an action or a variable of the environment is the role to be assumed:
// `role-to-assume` and its relatives, AWS_ROLE_ARN, which the SDKs read.
bool TakesRole(std::string_view name);

// Whether a job can become somebody at a cloud: it may ask GitHub for an identity token, or takes a
// role.
bool MayAssumeRole(const Workflow& workflow, const Job& job);

// A role that a script computes: `--role-arn "$ROLE"`, `AWS_ROLE_ARN=$(cat role)`.
struct ComputedRole {
  std::size_t offset = 0;  // of the value, in the script
  std::size_t length = 0;
  std::string_view begins;  // what stands written before the computed part
};
void FindComputedRoles(std::string_view script, std::vector<ComputedRole>& roles);

}  // namespace wheelwright
