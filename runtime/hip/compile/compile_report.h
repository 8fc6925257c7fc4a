// What compiled and what did not, for a terminal, for the page of a run, and for programs.
#pragma once

#include <string>
#include <vector>

#include "runtime/hip/compile/compile_pairs.h"

namespace wheelwright {

// Pairs that failed for one reason.
struct CompileCause {
  CompilerError error;
  PairStatus status = PairStatus::kFail;
  std::vector<std::size_t> pairs;  // indices
};

struct CompileReport {
  std::vector<HipSource> sources;
  std::vector<std::string> targets;  // in the order of the table; "host" is the last
  std::vector<Pair> pairs;
  std::vector<CompileCause> causes;  // of unexpected failures, those of most pairs first
  std::string compiler;
  std::chrono::milliseconds duration{0};

  std::size_t CountOf(PairStatus status) const;
  std::size_t cached() const;
  // Whether nothing failed that was not expected to, and all was compiled.
  bool good() const;
};

CompileReport MakeCompileReport(const CompileSettings& settings, std::vector<Pair> pairs);

// "fail", "expected fail", "out of memory".
std::string_view StatusName(PairStatus status);

// "53 passed, 3 failed as expected, 4 failed (38 cached) in 31 s".
std::string CompileVerdict(const CompileReport& report);
// Sources against targets, in Markdown, with what failed and why.
std::string CompileSummary(const CompileReport& report);
// One object: "good", "compiler", "seconds", "pairs" and "causes".
std::string CompileJson(const CompileReport& report);
// "half_traits.hip on gfx1100 and gfx1101".
std::string WhereOf(const CompileReport& report, const CompileCause& cause);

}  // namespace wheelwright
