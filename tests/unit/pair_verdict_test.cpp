// The outcome of a compile and the failures that are known give the status of a pair.
#include "runtime/hip/compile/pair_verdict.h"

#include <catch2/catch.hpp>

namespace wheelwright {
namespace {

PairStatus StatusOf(CompileEnd end, const std::string& target = "gfx942",
                    const KnownFailure& known = {}) {
  CompileSettings settings{.known_failures = {known}};
  settings.sources.push_back({.name = "a.hip", .path = "/a.hip", .guards = {}});
  Pair pair{.target = target};
  Judge(settings, {.end = end, .output = "a.hip:1:2: error: bad\n", .inputs = {"/x/hip/fp8.h"}},
        pair);
  CHECK(pair.errors.empty() == (end == CompileEnd::kPass || end == CompileEnd::kStopped));
  CHECK(pair.issue.empty() == (pair.target == kHostTarget || known.issue.empty() ||
                               (pair.status == PairStatus::kFail && end == CompileEnd::kError)));
  return pair.status;
}

TEST_CASE("how a compile ended is the status of its pair", "[hip]") {
  CHECK(StatusOf(CompileEnd::kPass) == PairStatus::kPass);
  CHECK(StatusOf(CompileEnd::kError) == PairStatus::kFail);
  CHECK(StatusOf(CompileEnd::kCrash) == PairStatus::kCrash);
  CHECK(StatusOf(CompileEnd::kHang) == PairStatus::kHang);
  CHECK(StatusOf(CompileEnd::kOutOfMemory) == PairStatus::kOutOfMemory);
  CHECK(StatusOf(CompileEnd::kStopped) == PairStatus::kNotRun);
}

TEST_CASE("a known failure excuses errors and crashes", "[hip]") {
  const KnownFailure known{.source = "a.hip", .targets = {}, .with_header = {}, .issue = "#1"};
  CHECK(StatusOf(CompileEnd::kError, "gfx942", known) == PairStatus::kExpectedFail);
  CHECK(StatusOf(CompileEnd::kCrash, "gfx942", known) == PairStatus::kExpectedFail);
  CHECK(StatusOf(CompileEnd::kHang, "gfx942", known) == PairStatus::kHang);
  CHECK(StatusOf(CompileEnd::kPass, "gfx942", known) == PairStatus::kUnexpectedPass);
  CHECK(StatusOf(CompileEnd::kError, "host", known) == PairStatus::kFail);
}

TEST_CASE("a known failure counts for its targets and with its header", "[hip]") {
  KnownFailure known{.source = "a.hip", .targets = {"gfx94"}, .with_header = {}, .issue = "#1"};
  CHECK(StatusOf(CompileEnd::kError, "gfx942", known) == PairStatus::kExpectedFail);
  CHECK(StatusOf(CompileEnd::kError, "gfx1100", known) == PairStatus::kFail);
  known.with_header = "hip/fp8.h";
  CHECK(StatusOf(CompileEnd::kError, "gfx942", known) == PairStatus::kExpectedFail);
  known.with_header = "ip/fp8.h";
  CHECK(StatusOf(CompileEnd::kError, "gfx942", known) == PairStatus::kFail);
}

}  // namespace
}  // namespace wheelwright
