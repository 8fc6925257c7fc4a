// Reports of a check of a release: as text, step summary and JSON.
#pragma once

#include <string>

#include "runtime/wheels/release/release_check.h"

namespace wheelwright {

// "gfx94X-dcgpu, ROCm 7.12.0 (nightly): whole, 43 of 43 members".
std::string ReleaseVerdict(const ReleaseSet& set, const ReleaseCheck& check);
// A table with a line for each combo and for the packages of ROCm.
std::string ReleaseTable(const ReleaseSet& set, const ReleaseCheck& check);
// The verdict, table and findings in Markdown.
std::string ReleaseSummary(const ReleaseSet& set, const ReleaseCheck& check);
// One object: "whole", "members" with their files, and "findings".
std::string ReleaseJson(const ReleaseSet& set, const ReleaseCheck& check);

}  // namespace wheelwright
