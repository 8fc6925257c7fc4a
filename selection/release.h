// What a release of a type builds, and what becomes of its wheels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "selection/event.h"
#include "selection/plan_file.h"
#include "selection/promotion.h"

namespace wheelwright {

struct ReleaseCombo {
  std::string gfx;  // the build that it is of: the family's own, or a group's
  PlannedCombo combo;
  Promotes promotes = Promotes::kNever;  // what has to happen before its wheels move
};

// Combos of a family that are not built, for one reason.
struct ReleaseOut {
  Texts combos;  // ids; empty: all
  std::string why;
  std::string issue;
};

// A family whose ROCm packages are built. PyTorch wheels may be none.
struct ReleaseFamily {
  std::string key;
  std::string tier;
  std::string family;  // the artifact group
  Texts targets;
  std::string build_runs_on;
  std::string test_runs_on;                // "": nothing tests it
  bool bypass_tests_for_releases = false;  // its wheels may be promoted untested
  bool sanity_check_only = false;
  std::string why;
  std::vector<ReleaseCombo> combos;
  std::vector<ReleaseOut> out;
};

struct ReleasePlatform {
  std::string name;
  std::string title;
  std::vector<ReleaseFamily> in;
  struct Out {
    std::string key;
    std::string why;
  };
  std::vector<Out> out;
};

struct ReleaseSelection {
  std::string event;
  std::string release_type;
  std::string domain;  // the trust domain whose role and buckets it uses
  std::string why;     // what made it of this type
  std::vector<ReleasePlatform> platforms;
};

// Which families: all, or those that somebody can run tests of first.
enum class ReleaseScope : std::uint8_t { kAll, kTestHarness };

// Decides. The release type is the typed one; without one, the first that has a schedule for the
// event `schedule`, and `dev` for a run by hand. Families: those that were typed, all of a platform
// when nothing was, none with `none`.
//
// Reports what is wrong with the inputs, and an event that may not reach the release type's domain;
// returns nothing then.
std::optional<ReleaseSelection> SelectRelease(const PlanFile& plan, const EventInputs& inputs,
                                              Diagnostics& diagnostics,
                                              ReleaseScope scope = ReleaseScope::kAll);

// Whether an event with these inputs starts a release and not a test of the code: a release type
// was typed.
bool AsksForRelease(const EventInputs& inputs);

// The release types that a schedule starts.
std::vector<const ReleaseTypeRow*> ScheduledReleases(const PlanFile& plan);

}  // namespace wheelwright
