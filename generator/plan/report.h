// What `wheelwright plan` prints: every combo, in or out, why, and how much of GitHub's limits is
// used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/matrix/combos.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// What a generated file uses of the limits, as measured by the link checks.
struct WorkflowUsage {
  std::string file;  // "release_linux_pytorch_wheels_gfx1151.yml"
  std::size_t jobs = 0;
  std::size_t bytes = 0;
  std::size_t needs_edges = 0;
  std::size_t run_jobs = 0;  // of a run: with every workflow that it calls
  std::size_t run_edges = 0;
  std::size_t reusable_files = 0;  // different workflows that it reaches
  std::size_t reusable_levels = 0;
  std::size_t dispatch_inputs = 0;
  std::size_t expression_bytes = 0;  // the longest scalar with an expression

  // The gfx builds whose combos are jobs of the file (MatrixContext::FindBuild); none: no combo is.
  std::vector<const GfxBuild*> builds;
};

enum class PlanFormat : std::uint8_t { kTable, kJson, kMarkdown };

struct PlanOptions {
  PlanFormat format = PlanFormat::kTable;
  // Only these files and the combos in them: a glob for the file's name, with or without ".yml".
  // Empty: all.
  std::string_view workflow;
  // The limits of each file instead of the fullest.
  bool all_files = false;
  // Each combo on a line, in or out, instead of a family's in one.
  bool each_combo = false;
  bool color = false;  // of the table
};

// Combos of one gfx build that are alike: a line of the table.
struct PlanRow {
  std::string_view gfx;
  std::string python;      // "3.10-3.13", or "-"
  std::string torch;       // "2.7 2.8 nightly", or "-"
  std::string runner;      // "linux-gfx1151-gpu-rocm", or "-"
  std::string promotes;    // "when tests pass", "never: no runner, no bypass", or why it is out
  bool continued = false;  // the line above is of the same build
  bool dead_end = false;
  bool out = false;
  SourceRange where;  // the row of the matrix
};

// A rule that takes combos of some builds out.
struct PlanExclusion {
  const OutReason* reason = nullptr;
  std::string_view gfx;
  std::string_view platform;
  std::string python, torch;
  std::size_t combos = 0;
};

// A build whose wheels no event promotes, and what would mend it.
struct PlanDeadEnd {
  std::string_view gfx;
  std::string_view platform;
  std::size_t combos = 0;
  std::string cause;  // "no runner, no bypass"
  std::string mend;   // "give gfx1150 (matrix/families.yml:72) a test_runs_on or ..."
};

struct PlanPart {
  const ComboSet* set = nullptr;
  const ComboPlatform* platform = nullptr;
  std::vector<PlanRow> rows;
  std::vector<const GfxBuild*> builds;  // those that are shown
  std::vector<PlanExclusion> exclusions;
  std::vector<PlanDeadEnd> dead_ends;
  std::vector<std::string_view> absent;  // families without a row for the platform
};

// What a release type leaves out.
struct PlanReleaseExclude {
  std::string_view release_type;
  std::string what;  // "torch nightly"
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
  std::vector<PlanReleaseExclude> release_excludes;
  std::vector<PlanLimit> limits;            // empty without files
  std::vector<const WorkflowUsage*> files;  // those that the filter takes
  std::size_t combos = 0;                   // in
  std::size_t out = 0;
  std::size_t jobs = 0;
  std::size_t needs_edges = 0;  // of the file that has most
};

// `files` may be empty, then nothing is said of limits. With a filter that takes no file, `files`
// of the report is empty and so is all else.
PlanReport MakeReport(const Matrix& matrix, const Combos& combos,
                      std::span<const WorkflowUsage> files, const PlanOptions& options,
                      const SourceManager& sources);

// The report as text, ended by a line feed.
std::string RenderReport(const PlanReport& report, const Combos& combos, const PlanOptions& options,
                         const SourceManager& sources);

// "ROCm/TheRock#1926" for the link of an issue or a pull request, else the link itself.
std::string ShortIssue(std::string_view link);

}  // namespace wheelwright
