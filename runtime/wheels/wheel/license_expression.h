// License expressions of SPDX, as PEP 639 takes them: their grammar. The identifiers are not
// compared with the list of SPDX, which grows with each of its releases.
// https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// Why it is no expression: "'MIT Apache-2.0' has no operator between two licenses"; "" where it is
// one.
std::string LicenseExpressionProblem(std::string_view text);

}  // namespace wheelwright
