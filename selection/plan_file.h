// plan.json, which a template makes of the matrix, as tables. `wheelrun plan schema` prints what it
// must hold.
// (Longer than other headers because all tables of that one file are here.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "selection/json_cursor.h"
#include "selection/promotion.h"

namespace wheelwright {

// The version of the layout that this reader supports.
inline constexpr std::size_t kReadPlanFormat = 2;

using Texts = std::vector<std::string>;
bool HasText(const Texts& texts, std::string_view text);
using TextPairs = std::vector<std::pair<std::string, std::string>>;

// All lists have the order of the matrix. A text that is missing in the matrix is "".

struct VariantRow {
  std::string name;
  std::string label;
  std::string suffix;  // of the artifact group; "" for the plain build
  std::string cmake_preset;
  std::string known_failure;  // the link of the issue: it does not work
};

struct PlatformRow {
  std::string name;
  std::string title;
  std::string build_runs_on;
  std::string build_runs_on_sanitizer;
  std::string fallback_runs_on;
  std::string wheel_platform;  // the last tag of its wheels: "linux_x86_64"
  std::string checkout_root;   // where sources go, unless told otherwise
  Texts packages;              // projects that are built there, in the order of building
  TextPairs build_tools;       // programs that builds need, and which version at the least
  std::vector<VariantRow> variants;

  const VariantRow* FindVariant(std::string_view name) const;
};

// A family's row for one platform.
struct FamilyColumns {
  std::string family;  // the artifact group of the plain build: "gfx94X-dcgpu"
  Texts targets;
  std::string test_runs_on;
  std::string multi_gpu_runs_on;
  std::string benchmark_runs_on;
  std::string sandbox_runs_on;
  TextPairs kernel_runners;  // kernel, runner
  std::string parked_runner;
  std::string parked_issue;
  Texts fetch_targets;
  Texts variants;
  TextPairs known_failures;  // "rocm" or "pytorch", and a link
  bool sanity_check_only = false;
  bool bypass_tests_for_releases = false;
};

// The link of the issue for which a family is not built at all, or "".
std::string_view RocmFailure(const FamilyColumns& columns);

struct FamilyRow {
  std::string key;
  std::string tier;
  std::vector<std::optional<FamilyColumns>> on;  // by platform, as in PlanFile::platforms
};

struct TriggerRow {
  enum class Pytorch : std::uint8_t { kListed, kAll, kChosen };

  std::string event;
  Texts tiers;
  Texts variants;
  Pytorch pytorch = Pytorch::kListed;
  Texts pytorch_families;                             // of kListed
  std::vector<std::pair<std::string, Texts>> labels;  // label, the families that it adds
  Texts types;
  Texts branches;
  std::string cron;
  Texts workflows;
};

enum class LabelEffect : std::uint8_t {
  kSkip,
  kAllFamilies,
  kFamily,
  kPytorch,
  kTest,
  kTestRunner
};

struct LabelRow {
  std::string pattern;
  LabelEffect effect = LabelEffect::kSkip;
};

struct PathRules {
  Texts skippable;
  Texts workflows;
  Texts always;
  Texts unfiltered_events;
};

struct TestTypeRow {
  enum class When : std::uint8_t { kSchedule, kTestLabel, kSubmoduleChanged, kOtherwise };

  When when = When::kOtherwise;
  std::string type;  // "smoke", "full"
  std::string why;
};

// Combos that a release type leaves out. An empty axis matches everything.
struct ReleaseExclude {
  Texts platforms, gfx, pythons, torches;
  std::string why;
  std::string issue;
};

struct ReleaseTypeRow {
  std::string name;
  std::string domain;
  std::string schedule;  // a cron line; "": started by hand only
  std::vector<ReleaseExclude> excludes;
  // Its wheels are at {subdir}/{family}/{file} in the bucket; `index_url` is the URL of that folder
  // for installers.
  std::string index_url;
  std::string staging_index_url;
  std::string python_bucket;
  std::string subdir;
  std::string staging_subdir;
  // The index of third-party dependencies; "": this release type has none.
  std::string dependencies_subdir;
  std::string dependencies_url;
  bool complete = false;  // no combo may be missing in a release
};

struct DomainRow {
  std::string name;
  Texts triggers;
};

struct PlannedCombo {
  std::string id;  // "py312_torch210"
  std::string python;
  std::string torch;
  Texts release_types;
  bool tests = true;
};

// A build of wheels: a value of the gfx axis on one platform.
struct PlannedBuild {
  std::string platform;
  std::string gfx;  // the artifact group, or the name of a group of families
  std::string key;
  Texts families;        // their keys
  std::string promotes;  // "tests", "bypass", "never"
  std::vector<PlannedCombo> combos;
};

// Combos that are not built.
struct PlannedOut {
  std::string platform;
  std::string gfx;
  std::string key;
  bool all = false;
  Texts combos;  // ids, unless it is all of them
  std::string kind;
  std::string why;
  std::string issue;
};

struct PlannedSet {
  std::string name;
  std::vector<PlannedBuild> builds;
  std::vector<PlannedOut> out;
};

struct PlanFile {
  std::string repository;  // where the workflows run: "ROCm/TheRock"
  std::string wheelrun;    // the release that jobs run: "1.2.3"; "": none is pinned
  std::vector<PlatformRow> platforms;
  Texts tiers;
  std::vector<FamilyRow> families;
  std::vector<TriggerRow> triggers;
  std::vector<LabelRow> labels;
  PathRules paths;
  std::vector<TestTypeRow> test_types;
  Texts tests;
  std::vector<ReleaseTypeRow> release_types;
  std::vector<DomainRow> domains;
  std::vector<PromotionRow> promotion;
  std::vector<PlannedSet> combos;

  const TriggerRow* FindTrigger(std::string_view event) const;
  const PlatformRow* FindPlatform(std::string_view name) const;
  // The trigger of a generated CI workflow, besides runs by hand, or null.
  const TriggerRow* FindTriggerOf(std::string_view workflow) const;
  // By key ("gfx94x") or artifact group ("gfx94X-dcgpu"), ignoring case.
  const FamilyRow* FindFamily(std::string_view name) const;
  const ReleaseTypeRow* FindReleaseType(std::string_view name) const;
  const PlannedSet* FindSet(std::string_view name) const;
  // All names that FindFamily() accepts.
  std::vector<std::string_view> FamilyNames() const;
};

// Parses the text of a plan. `name` is how messages call the file. Reports an error and returns
// nothing if the text is no JSON, is for other versions of the programs (`settings.wheelwright`; if
// that is null, the series of the pinned release), or has an unknown layout.
std::optional<nlohmann::ordered_json> ParsePlan(std::string_view text, std::string_view name,
                                                Diagnostics& diagnostics);
// The tables of a parsed plan. Reports what is missing or of another type. Ignores other keys.
PlanFile ReadPlanTables(const JsonCursor& root);
// ParsePlan() and ReadPlanTables(). Nothing when anything was reported.
std::optional<PlanFile> ReadPlanFile(std::string_view text, std::string_view name,
                                     Diagnostics& diagnostics);

}  // namespace wheelwright
