// The rules of lint by code. docs/lint.md has a row for each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/diagnostic.h"

namespace wheelwright {

enum class RuleKind : std::uint8_t {
  kCheck,   // GitHub refuses it, it cannot work, or it is likely a mistake
  kPolicy,  // a matter of policy: off by default
  kFile,    // the file is unreadable, or about lint itself: always on
};

struct LintRule {
  std::string_view name;
  RuleKind kind = RuleKind::kCheck;
};

// Sorted by name.
std::span<const LintRule> LintRules();
const LintRule* FindLintRule(std::string_view name);

// The name for all rules of policy.
inline constexpr std::string_view kPolicyName = "policy";

// Whether GitHub would end a run with zero jobs for it; and limits that are close.
bool EndsAtStartup(const Diagnostic& diagnostic);

}  // namespace wheelwright
