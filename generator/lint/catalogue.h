// The rules of lint by their codes. docs/lint.md has a row for each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wheelwright {

enum class RuleKind : std::uint8_t {
  kCheck,   // GitHub refuses it, or it cannot do what it says; or is likely a slip
  kPolicy,  // GitHub runs it, and a team may see it otherwise: off where nobody asked for it
  kFile,    // what makes the file unreadable, or is about lint itself: always on
};

struct LintRule {
  std::string_view name;
  RuleKind kind = RuleKind::kCheck;
};

// Sorted by name.
std::span<const LintRule> LintRules();
const LintRule* FindLintRule(std::string_view name);

// What stands for all rules of policy where a rule is named.
inline constexpr std::string_view kPolicyName = "policy";

}  // namespace wheelwright
