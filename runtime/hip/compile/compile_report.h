// Reports of compiled pairs: for a terminal, a step summary, and programs.
#pragma once

#include <string>
#include <vector>

#include "runtime/hip/compile/compile_pair.h"

namespace wheelwright {

// An error, and the pairs that failed with it.
struct CompileCause {
  ToolError error;
  PairStatus status = PairStatus::kFail;
  std::vector<std::size_t> pairs;  // indices
};

struct CompileReport {
  std::vector<HipSource> sources;
  std::vector<std::string> targets;  // columns of the table; kHostTarget is the last
  std::vector<Pair> pairs;
  std::vector<CompileCause> causes;  // of unexpected failures; the most frequent first
  std::string compiler;
  std::chrono::milliseconds duration{0};

  std::size_t CountOf(PairStatus status) const;
  std::size_t cached() const;
  // Whether all pairs were compiled, and none failed unexpectedly.
  bool good() const;
};

CompileReport MakeCompileReport(const CompileSettings& settings, std::vector<Pair> pairs);

// "fail", "expected fail", "out of memory".
std::string_view StatusName(PairStatus status);

// "53 passed, 3 failed as expected, 4 failed (38 cached) in 31 s".
std::string CompileVerdict(const CompileReport& report);
// A table of sources and targets in Markdown, and the failures.
std::string CompileSummary(const CompileReport& report);
// One object: "good", "compiler", "seconds", "pairs" and "causes".
std::string CompileJson(const CompileReport& report);
// "half_traits.hip on gfx1100 and gfx1101".
std::string WhereOf(const CompileReport& report, const CompileCause& cause);

}  // namespace wheelwright
