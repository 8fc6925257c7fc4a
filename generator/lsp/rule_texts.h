// The rows of docs/diagnostics.md, for editors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// The address of that page.
inline constexpr std::string_view kRulesPage =
    "https://github.com/ROCm/wheelwright/blob/main/docs/diagnostics.md";

// What a code means and how to mend it, as Markdown; empty if the page has no such code.
std::string TextOfRule(std::string_view code);

// All codes of the page.
std::vector<std::string_view> RuleCodes();

}  // namespace wheelwright
