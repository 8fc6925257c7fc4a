// What diagnostics say.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/source.h"

namespace wheelwright {

inline std::string Said(const Diagnostics& diagnostics,
                        const SourceManager& sources = SourceManager()) {
  return Render(diagnostics, sources, ReportFormat::kText, false);
}

}  // namespace wheelwright
