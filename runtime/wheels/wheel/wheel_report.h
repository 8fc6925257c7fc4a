// Reports of a check of wheels: as text, step summary and JSON.
#pragma once

#include <string>
#include <string_view>

#include "runtime/wheels/wheel/wheel_check.h"

namespace wheelwright {

// A table with a line for each wheel. Empty when there are none.
std::string WheelTable(const WheelCheckReport& report);
// All findings, as rendered by Render().
std::string WheelFindingsText(const WheelCheckReport& report, const SourceManager& sources,
                              ReportFormat format, bool color);
// Findings as an indented code block in Markdown, which no text can end.
std::string FindingsBlock(std::string_view text);
// "5 wheels: 2 errors, 1 warning".
std::string WheelVerdict(const WheelCheckReport& report);
// A table and the findings in Markdown.
std::string WheelSummary(const WheelCheckReport& report, const SourceManager& sources);
// One object: "good", "wheels" with "findings" each, and "findings" about all of them together.
std::string WheelJson(const WheelCheckReport& report, const SourceManager& sources);

}  // namespace wheelwright
