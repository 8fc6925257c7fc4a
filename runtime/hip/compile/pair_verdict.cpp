#include "runtime/hip/compile/pair_verdict.h"

#include <algorithm>
#include <string_view>

namespace wheelwright {
namespace {

bool EndsWithPath(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool Covers(const KnownFailure& row, const HipSource& source, const Pair& pair,
            const CompileOutcome& outcome) {
  return row.source == source.name && !pair.is_host() &&
         (row.targets.empty() ||
          std::ranges::any_of(
              row.targets, [&](const auto& prefix) { return pair.target.starts_with(prefix); })) &&
         (row.with_header.empty() || std::ranges::any_of(outcome.inputs, [&](const auto& path) {
            return EndsWithPath(path, row.with_header);
          }));
}

PairStatus StatusOf(CompileEnd end, bool expected) {
  switch (end) {
    case CompileEnd::kPass:
      return expected ? PairStatus::kUnexpectedPass : PairStatus::kPass;
    case CompileEnd::kError:
      return expected ? PairStatus::kExpectedFail : PairStatus::kFail;
    case CompileEnd::kCrash:
      return expected ? PairStatus::kExpectedFail : PairStatus::kCrash;
    case CompileEnd::kHang:
      return PairStatus::kHang;
    case CompileEnd::kOutOfMemory:
      return PairStatus::kOutOfMemory;
    case CompileEnd::kStopped:
      break;
  }
  return PairStatus::kNotRun;
}

}  // namespace

void Judge(const CompileSettings& settings, const CompileOutcome& outcome, Pair& pair) {
  const HipSource& source = settings.sources[pair.source];
  const auto known = std::ranges::find_if(settings.known_failures, [&](const KnownFailure& row) {
    return Covers(row, source, pair, outcome);
  });
  const bool expected = known != settings.known_failures.end();
  if (expected) pair.issue = known->issue;
  pair.duration = outcome.duration;
  pair.memory = outcome.memory;
  pair.object = outcome.object;
  pair.status = StatusOf(outcome.end, expected);
  if (outcome.end != CompileEnd::kPass && outcome.end != CompileEnd::kStopped) {
    pair.errors = ReadCompilerErrors(outcome.output);
  }
}

}  // namespace wheelwright
