// The inputs of a promotion: how the build and the tests went, and which wheels it is about.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "selection/promotion.h"

namespace wheelwright {

struct TestedWheel {
  std::string file;
  std::string sha256;  // hexadecimal, lower case
};

// Reads {FILE: SHA256}. Reports what is no wheel or no sum, a wheel for another platform, and a
// list of none. The order is that in which the wheels are put in place: each after those that it
// depends on, so that an installer never sees one without what it asks for.
std::optional<std::vector<TestedWheel>> ReadTestedWheels(std::string_view json,
                                                         std::string_view platform,
                                                         Diagnostics& diagnostics);

// The SHA-256 of their manifest, in lower case; "" when it is not given. Reports what is none.
std::string ReadManifestSum(std::string_view text, Diagnostics& diagnostics);

// A job that tested them, or "" when there was only one, and its result: success, failure,
// cancelled or skipped.
using JobResults = std::vector<std::pair<std::string, std::string>>;

// Reads "NAME=RESULT NAME=RESULT", one RESULT, or {"NAME": "RESULT"}; nothing is no test.
std::optional<JobResults> ReadTestResults(std::string_view text, Diagnostics& diagnostics);

// One result for all of them, the worst; "skipped" when there is none.
std::string Together(const JobResults& results);

struct PromotionVerdict {
  bool promote = false;
  std::string why;
  std::optional<std::size_t> row;  // of the policy; nothing when no row decided
};

// What the policy says. What was not built successfully is never promoted, whatever it says.
PromotionVerdict Judge(std::span<const PromotionRow> policy, const PromotionCase& asked);

// The policy as a table in Markdown, with the row that decided marked.
std::string PolicyTable(std::span<const PromotionRow> policy, const PromotionVerdict& verdict);

}  // namespace wheelwright
