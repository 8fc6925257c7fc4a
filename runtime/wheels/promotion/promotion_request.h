// The inputs of a promotion: results of build and tests, and the wheels.
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

// Reads {FILE: SHA256}. Reports invalid names and sums, wheels for another platform, and an empty
// list. Sorted in the order of promotion: each wheel after its dependencies, so that an installer
// never sees a wheel without them.
std::optional<std::vector<TestedWheel>> ReadTestedWheels(std::string_view json,
                                                         std::string_view platform,
                                                         Diagnostics& diagnostics);

// The SHA-256 of their manifest in lower case; "" when not given. Reports an invalid one.
std::string ReadManifestSum(std::string_view text, Diagnostics& diagnostics);

// Test jobs ("" if there is only one) with their results: success, failure, cancelled or skipped.
using JobResults = std::vector<std::pair<std::string, std::string>>;

// Reads "NAME=RESULT NAME=RESULT", one RESULT, or {"NAME": "RESULT"}. Empty text: no tests.
std::optional<JobResults> ReadTestResults(std::string_view text, Diagnostics& diagnostics);

// The worst of the results; "skipped" when there are none.
std::string WorstResult(const JobResults& results);

struct PromotionVerdict {
  bool promote = false;
  std::string why;
  std::optional<std::size_t> row;  // of the policy; nothing when no row decided
};

// The decision of the policy. Failed builds are never promoted, even if the policy says so.
PromotionVerdict Judge(std::span<const PromotionRow> policy, const PromotionCase& asked);

// The policy as a Markdown table in which the deciding row is marked.
std::string PolicyTable(std::span<const PromotionRow> policy, const PromotionVerdict& verdict);

}  // namespace wheelwright
