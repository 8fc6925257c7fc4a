#pragma once

#include <cstdint>
#include <string>

#include "cli/environment.h"
#include "generator/commands/project_run.h"
#include "generator/graph/jobs.h"

namespace wheelwright {

enum class GraphFormat : std::uint8_t { kMermaid, kDot, kSvg, kHtml, kMarkdown };

struct GraphOptions {
  CommonOptions common;
  GraphFormat format = GraphFormat::kMermaid;
  std::string workflow;  // a glob; empty: all
  DrawOptions draw;
  std::string minutes;  // a file with measured minutes of jobs; may be empty
  std::string against;  // a folder or a revision to compare the matrix with; empty: none
  std::string out;      // a file; empty: stdout
};

// Prints or writes the job graphs, or the matrix as a page.
int Graph(const GraphOptions& options, Environment& environment);

}  // namespace wheelwright
