// Selects what a release builds, and how its wheels are promoted.
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
  std::string gfx;  // its build: the family's own, or that of a group
  PlannedCombo combo;
  Promotes promotes = Promotes::kNever;  // the condition for promotion
};

// Combos of a family that are not built for the same reason.
struct ReleaseOut {
  Texts combos;  // ids; empty: all
  std::string why;
  std::string issue;
};

// A family whose ROCm packages are built, with or without PyTorch wheels.
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
  std::string domain;  // the trust domain, which has its own role and buckets
  std::string why;     // why it has this type
  std::vector<ReleasePlatform> platforms;
};

// The families to consider: all, or those with a test runner.
enum class ReleaseScope : std::uint8_t { kAll, kTestHarness };

// Selects. The release type is the typed one, else for `schedule` the first with a schedule, and
// for a run by hand `dev`. The families are the typed ones; all if nothing was typed, none for
// `none`.
//
// Reports wrong inputs, and events that may not use the release type's domain; returns nothing
// then.
std::optional<ReleaseSelection> SelectRelease(const PlanFile& plan, const EventInputs& inputs,
                                              Diagnostics& diagnostics,
                                              ReleaseScope scope = ReleaseScope::kAll);

// Whether a release type was typed, so that the event starts a release.
bool AsksForRelease(const EventInputs& inputs);

// The release types that a schedule starts.
std::vector<const ReleaseTypeRow*> ScheduledReleases(const PlanFile& plan);

}  // namespace wheelwright
