// Writes findings as SARIF 2.1.0 for code scanning
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"

namespace wheelwright {

// A log with one run. Columns count characters.
std::string RenderSarif(const Diagnostics& found, const SourceManager& sources,
                        std::string_view version);

}  // namespace wheelwright
