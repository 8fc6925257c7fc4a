// Reports of a check of wheels: for a terminal, a step summary, and programs.
#pragma once

#include <string>
#include <string_view>

#include "runtime/wheels/wheel/wheel_check.h"

namespace wheelwright {

// A line for each wheel, below a headline. Empty when there is no wheel.
std::string WheelTable(const WheelCheckReport& report);
// All findings, as Render() does.
std::string WheelFindingsText(const WheelCheckReport& report, const SourceManager& sources,
                              ReportFormat format, bool color);
// Findings as a block of code in Markdown: indented, because no text can end such a block.
std::string FindingsBlock(std::string_view text);
// "5 wheels: 2 errors, 1 warning".
std::string WheelVerdict(const WheelCheckReport& report);
// A table and the findings in Markdown.
std::string WheelSummary(const WheelCheckReport& report, const SourceManager& sources);
// One object: "good", "wheels" with "findings" each, and "findings" about all of them together.
std::string WheelJson(const WheelCheckReport& report, const SourceManager& sources);

}  // namespace wheelwright
