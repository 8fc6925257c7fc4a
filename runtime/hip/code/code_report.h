// Reports of the GPU code in wheels: for a terminal, a step summary, and programs.
#pragma once

#include <string>
#include <vector>

#include "runtime/hip/code/code_check.h"
#include "runtime/hip/code/wheel_code.h"

namespace wheelwright {

struct CodeReport {
  std::vector<WheelCode> wheels;
  std::vector<GfxTarget> asked;
  std::vector<Diagnostics> findings;  // of each wheel
  Diagnostics together;

  std::size_t errors() const;
  std::size_t warnings() const;
};

CodeReport MakeCodeReport(std::vector<WheelCode> wheels, const CodeExpectations& expected);

// For each wheel its targets and sizes, then its files and their targets.
std::string CodeTable(const CodeReport& report);
std::string CodeFindingsText(const CodeReport& report, ReportFormat format, bool color);
// "2 wheels with code for gfx1100 and gfx1101: good".
std::string CodeVerdict(const CodeReport& report);
// In Markdown, with a bar for each target.
std::string CodeSummary(const CodeReport& report);
// One object: "good", "asked", "wheels" with "targets", "objects" and "findings" each, "findings".
std::string CodeJson(const CodeReport& report);

}  // namespace wheelwright
