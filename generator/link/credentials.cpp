#include "generator/link/credentials.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace wheelwright {
namespace {

// Inputs of actions that assume roles, and variables of the SDKs:
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-assume-role-credentials.html
constexpr std::array<std::string_view, 6> kRoleNames{
    "role-to-assume", "role_to_assume", "role-arn", "role_arn", "aws_role_arn", "assume-role-arn"};

// Words before a role in a script.
constexpr std::array<std::string_view, 4> kWords{"role-arn", "role_arn", "rolearn",
                                                 "role-to-assume"};

constexpr std::string_view kComputed = "$`%*?{\\";

}  // namespace

bool TakesRole(std::string_view name) {
  return std::ranges::any_of(kRoleNames,
                             [&](std::string_view one) { return EqualsIgnoringCase(name, one); });
}

bool MayAssumeRole(const Workflow& workflow, const Job& job) {
  const auto takes = [](const Field& table) {
    return table.value != nullptr && table.value->is_mapping() &&
           std::ranges::any_of(table.value->entries,
                               [](const Entry& entry) { return TakesRole(entry.key->text); });
  };
  const Field& block = job.permissions ? job.permissions : workflow.permissions;
  if (block && (block.value->text == "write-all" ||
                FindText(block.value, "id-token") == std::string_view("write"))) {
    return true;
  }
  return takes(job.env) || takes(workflow.env) ||
         std::ranges::any_of(job.steps, [&](const WorkflowStep& step) {
           return takes(step.with) || takes(step.env);
         });
}

void FindComputedRoles(std::string_view script, std::vector<ComputedRole>& roles) {
  for (std::size_t at = 0; at < script.size(); ++at) {
    if ((script[at] | 0x20) != 'r') continue;  // all of them begin with r
    const auto word = std::ranges::find_if(kWords, [&](std::string_view one) {
      return EqualsIgnoringCase(script.substr(at, one.size()), one);
    });
    if (word == kWords.end()) continue;
    std::size_t begin = at + word->size();
    at = begin - 1;
    // Skip longer names and reads of the variable.
    if (begin < script.size() && IsNameCharacter(script[begin])) continue;
    begin = std::min(script.find_first_not_of(" \t=:\"'\\\r\n", begin), script.size());
    const std::size_t end = std::min(script.find_first_of(" \t\n\"';|&)", begin), script.size());
    const std::string_view value = script.substr(begin, end - begin);
    std::size_t computed = value.find_first_of(kComputed);
    // In code of a program, an argument that is no literal is a variable.
    if (*word == "rolearn" && !value.empty() && !value.starts_with("arn:")) computed = 0;
    if (computed == std::string_view::npos) continue;
    roles.push_back({begin, value.size(), value.substr(0, computed)});
  }
}

}  // namespace wheelwright
