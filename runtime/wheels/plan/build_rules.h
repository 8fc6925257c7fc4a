// The tables of plan.json for building and testing wheels: matrix/build.yml, compiled.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/wheels/version/package_version.h"
#include "selection/json_cursor.h"
#include "selection/plan_file.h"

namespace wheelwright {

// An optional feature of torch. Lists that are missing in the matrix are empty and match
// everything.
struct TorchFeature {
  struct Except {
    Texts targets;
    std::string before;  // a version of PyTorch, "2.11"; "": in all versions
  };

  std::string name;
  Texts variables;  // of the build: ON or OFF each
  Texts platforms;
  Texts torch;    // versions, "2.9"
  Texts targets;  // how they begin
  std::string needs;
  std::vector<Except> except;
  std::string why;
};

// Levels of tests; each includes those before it.
inline constexpr std::array<std::string_view, 3> kTestLevels{"rocm", "smoke", "full"};

struct TestLevel {
  std::string name;  // of kTestLevels
  std::size_t minutes = 0;
  Texts packages;  // as pip takes them
  Texts files;     // of PyTorch's test folder
};

struct TestSkip {
  Texts torch;
  Texts targets;  // how they begin
  Texts platforms;
  Texts files;  // of PyTorch's test folder
  Texts tests;  // names, with `*` for any text
  std::string why;
  std::string issue;
};

// A HIP source that is known not to compile.
struct HipKnownFailure {
  std::string source;
  Texts targets;  // how they begin; empty: all
  Texts platforms;
  std::string with_header;
  std::string why;
  std::string issue;
};

struct BuildRules {
  std::vector<TorchFeature> features;
  std::vector<std::pair<std::string, Texts>> preloads;  // by platform
  std::vector<TestLevel> levels;
  std::vector<TestSkip> skips;
  std::vector<HipKnownFailure> hip_known_failures;

  const TestLevel* FindLevel(std::string_view name) const;
  const Texts* FindPreloads(std::string_view platform) const;
};

BuildRules ReadBuildRules(const JsonCursor& plan);

// "2.10" for 2.10.0a0+git1234567, the form of PyTorch versions in the tables.
std::string MinorOf(const PackageVersion& torch);
// Compares minor versions as numbers: 2.9 is before 2.10.
bool IsMinorBefore(std::string_view minor, std::string_view other);
// Whether the target begins with one of them: gfx1152 with gfx115.
bool BeginsLikeAny(std::string_view target, const Texts& beginnings);

}  // namespace wheelwright
