// What `wheelwright plan` prints: every cell, in or out, why, and how much of GitHub's limits is
// used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "generator/matrix/acknowledged.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// What a generated file uses of the limits, as measured by the link checks.
struct WorkflowUsage {
  std::string file;  // "release_linux_packages_alpha.yml"
  std::size_t jobs = 0;
  std::size_t bytes = 0;
  std::size_t needs_edges = 0;
  std::size_t run_jobs = 0;  // of a run: with every workflow that it calls
  std::size_t run_edges = 0;
  std::size_t reusable_files = 0;  // different workflows that it reaches
  std::size_t reusable_levels = 0;
  std::size_t dispatch_inputs = 0;
  std::size_t expression_bytes = 0;  // the longest scalar with an expression

  // The branches whose cells are jobs of the file (MatrixContext::FindBranch); none: no cell is.
  std::vector<const CellBranch*> branches;
  // The cells that jobs of the file are for, as templates see them, each once.
  std::vector<std::pair<const CellBranch*, const Node*>> cells;
};

enum class PlanFormat : std::uint8_t { kTable, kJson, kMarkdown };

struct PlanOptions {
  PlanFormat format = PlanFormat::kTable;
  // Only these files and the cells in them: a glob for the file's name, with or without ".yml".
  // Empty: all.
  std::string_view workflow;
  // The limits of each file instead of the fullest.
  bool all_files = false;
  // Each cell on a line, in or out, instead of those that are alike in one.
  bool each_cell = false;
  bool color = false;     // of the table
  std::size_t width = 0;  // of its lines, in characters; 0: any
};

// Cells of one branch that are alike: a line of the table.
struct PlanRow {
  std::string_view name;            // of the value of the last nested axis; "" where none is nested
  std::vector<std::string> values;  // by axis of the cells: "3.10-3.13", or "-"
  std::vector<std::string> columns;  // by ViewSchema::columns: "ubuntu-24.04", or "-"
  std::string says;                  // "when tests pass", or why it is out
  bool continued = false;            // the line above is of the same branch
  bool dead_end = false;
  bool out = false;
  SourceRange where;  // the row of the matrix
};

// A rule and the cells of a branch that it takes out, or changes.
struct PlanRuling {
  OutReason reason;
  std::string name;                 // as in PlanRow; "NAME (alpha)" where it takes a member out
  std::vector<std::string> values;  // likewise
  std::size_t cells = 0;
  std::string what;  // of an include: the columns that it sets, "tests: false"
};

// Cells in a state that is a dead end, and what would mend it.
struct PlanDeadEnd {
  std::string_view name;
  std::size_t cells = 0;
  std::string says;  // "never: no runner, no bypass"
  std::string mend;  // "give alpha a test_runs_on or ..."
  SourceRange where;
};

// The cells that share the values of all nested axes but the last.
struct PlanPart {
  const CellSet* set = nullptr;
  std::vector<const AxisValue*> values;  // of those axes
  std::vector<PlanRow> rows;
  std::vector<const CellBranch*> branches;  // those that are shown
  std::vector<PlanRuling> exclusions;
  std::vector<PlanRuling> changes;
  std::vector<PlanDeadEnd> dead_ends;
  std::vector<std::string_view> absent;  // values whose row is not there

  // The value that a line is for: of the last nested axis; null where none is nested.
  const AxisValue* ValueOf(const CellBranch& branch) const;
};

// What a taker of cells leaves out.
struct PlanTakerExclude {
  const SetSchema* kind = nullptr;
  std::string_view taker;
  std::string what;  // "compiler gcc-15"
  std::string_view why;
  SourceRange where;
};

// How much of a limit is used, by the file that uses most.
struct PlanLimit {
  std::string_view name;   // "workflow_bytes"
  std::string_view title;  // "file size"
  std::size_t used = 0;
  std::size_t limit = 0;
  bool bytes = false;
  std::string_view file;
  bool full = false;  // beyond warn_at_percent
};

struct PlanReport {
  std::vector<PlanPart> parts;
  std::vector<Acknowledgement> acknowledged;
  std::vector<PlanTakerExclude> taker_excludes;
  std::vector<PlanLimit> limits;            // empty without files
  std::vector<const WorkflowUsage*> files;  // those that the filter takes
  std::size_t cells = 0;                    // in
  std::size_t out = 0;
  std::size_t jobs = 0;
  std::size_t needs_edges = 0;  // of the file that has most
};

// `files` may be empty, then nothing is said of limits. With a filter that takes no file, `files`
// of the report is empty and so is all else.
PlanReport MakeReport(const Matrix& matrix, const Cells& cells,
                      std::span<const WorkflowUsage> files, const PlanOptions& options);

// The report as text, ended by a line feed.
std::string RenderReport(const PlanReport& report, const Schema& schema, const PlanOptions& options,
                         const SourceManager& sources);

// "owner/name#1926" for the link of an issue or a pull request, else the link itself.
std::string ShortIssue(std::string_view link);

}  // namespace wheelwright
