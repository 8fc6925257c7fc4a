// The matrix for people: as a page for browsers, and as Markdown for a step summary.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "generator/expression/json_writer.h"
#include "generator/graph/jobs.h"
#include "generator/graph/matrix_change.h"
#include "generator/graph/run_time.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/context.h"
#include "generator/matrix/load.h"
#include "generator/plan/report.h"

namespace wheelwright {

struct PageInput {
  const Matrix& matrix;
  const PlanReport& report;  // decides which cells are shown
  const GraphSet& set;
  const std::vector<const WorkflowGraph*>& graphs;  // those that are shown
  const SourceManager& sources;
  const MatrixContext& context;  // knows which row a job comes of
  // What a file of the project is appended to for its page: "https://github.com/o/n/blob/HEAD/";
  // empty: no links.
  std::string source_url;
  MeasuredMinutes minutes;
  // The state that the matrix is compared with, and what it is called; null: none.
  const MatrixState* before = nullptr;
  std::string against;
};

// What is different from PageInput::before, as a table of markup; "" where nothing is compared.
std::string MakeChangeSection(const PageInput& input, const std::vector<Grid>& grids);
// Attributes with what a cell was there, if that is something else.
std::string ChangeData(const PageInput& input, const Grid& grid, const GridRow& row,
                       std::size_t column);

// One HTML document that needs nothing else: styles, script, data and graphs are inside, and its
// Content-Security-Policy allows nothing but these. Tables are plain markup and stand there without
// the script, which adds filters, the grid's keys, details and the choice of a graph.
std::string MakePage(const PageInput& input);

// The section of the page with the job graphs. Each graph stands in a <template>, equal ones once.
// Also writes which of them show a workflow: the key `graphs` of the object that is open, in the
// order of PageInput::graphs.
std::string MakeGraphSection(const PageInput& input, JsonWriter& facts);

// A table for each set, what its signs mean, why combos are out, and the workflows' calls as a
// Mermaid diagram.
std::string MakeSummary(const PageInput& input);

}  // namespace wheelwright
