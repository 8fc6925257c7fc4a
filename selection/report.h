// Reports of selections as text, step summary and JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "selection/release.h"
#include "selection/select.h"

namespace wheelwright {

// In lines of at most `width` characters, if it is not 0.
std::string SelectionAsText(const Selection& selection, std::size_t width = 0);
std::string SelectionAsText(const ReleaseSelection& selection, std::size_t width = 0);

// For $GITHUB_STEP_SUMMARY: a table of families, in or out, with the rule that decided. Escapes
// untrusted text.
std::string SelectionAsMarkdown(const Selection& selection);
std::string SelectionAsMarkdown(const ReleaseSelection& selection);

nlohmann::ordered_json SelectionAsJson(const Selection& selection);
nlohmann::ordered_json SelectionAsJson(const ReleaseSelection& selection);

}  // namespace wheelwright
