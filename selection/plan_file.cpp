#include "selection/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "base/json.h"
#include "base/program_version.h"
#include "base/text.h"
#include "selection/json_cursor.h"

namespace wheelwright {
namespace {

FamilyColumns ReadFamilyColumns(const JsonCursor& json) {
  FamilyColumns columns{
      .family = json.At("family").Text(),
      .targets = json.At("targets").Texts(),
      .test_runs_on = json.At("test_runs_on").TextOrNothing(),
      .multi_gpu_runs_on = json.At("multi_gpu_runs_on").TextOrNothing(),
      .benchmark_runs_on = json.At("benchmark_runs_on").TextOrNothing(),
      .sandbox_runs_on = json.At("sandbox_runs_on").TextOrNothing(),
      .kernel_runners = json.At("kernel_runners").TextPairs(),
      .fetch_targets = json.At("fetch_targets").Texts(),
      .variants = json.At("variants").Texts(),
      .known_failures = json.At("known_failures").TextPairs(),
      .sanity_check_only = json.At("sanity_check_only").Boolean(),
      .bypass_tests_for_releases = json.At("bypass_tests_for_releases").Boolean(),
  };
  const JsonCursor parked = json.At("parked_runner");
  if (!parked.is_null()) {
    columns.parked_runner = parked.At("runs_on").Text();
    columns.parked_issue = parked.At("issue").Text();
  }
  return columns;
}

TriggerRow ReadTrigger(const std::string& event, const JsonCursor& json) {
  TriggerRow row{
      .event = event,
      .tiers = json.At("tiers").Texts(),
      .variants = json.At("variants").Texts(),
      .types = json.At("types").Texts(),
      .branches = json.At("branches").Texts(),
      .cron = json.At("cron").TextOrNothing(),
      .workflows = json.At("workflows").Texts(),
  };
  const JsonCursor pytorch = json.At("pytorch");
  if (pytorch.is_text()) {
    row.pytorch = pytorch.Word<TriggerRow::Pytorch>(
        {{"all", TriggerRow::Pytorch::kAll}, {"chosen", TriggerRow::Pytorch::kChosen}});
  } else {
    row.pytorch_families = pytorch.Texts();
  }
  json.At("labels").EachMember([&](const std::string& label, const JsonCursor& families) {
    row.labels.emplace_back(label, families.Texts());
  });
  return row;
}

PlannedCombo ReadCombo(const std::string& id, const JsonCursor& json) {
  return {.id = id,
          .python = json.At("python").Text(),
          .torch = json.At("torch").Text(),
          .release_types = json.At("release_types").Texts(),
          .tests = json.At("tests").Boolean()};
}

class PlanReader {
 public:
  explicit PlanReader(const JsonCursor& root) : root_(root) {}

  PlanFile Read() {
    const JsonCursor settings = root_.At("settings");
    plan_.repository = settings.At("repository").Text();
    const JsonCursor release = settings.At("wheelrun");
    if (!release.is_null()) plan_.wheelrun = release.At("version").Text();
    root_.At("platforms").EachMember([&](const std::string& name, const JsonCursor& json) {
      ReadPlatform(name, json);
    });
    root_.At("tiers").EachMember(
        [&](const std::string& tier, const JsonCursor&) { plan_.tiers.push_back(tier); });
    root_.At("families").EachMember([&](const std::string& key, const JsonCursor& json) {
      FamilyRow row{.key = key, .tier = json.At("tier").Text()};
      for (const PlatformRow& platform : plan_.platforms) {
        const JsonCursor columns = json.At(platform.name);
        row.on.push_back(columns.is_null() ? std::nullopt
                                           : std::optional(ReadFamilyColumns(columns)));
      }
      plan_.families.push_back(std::move(row));
    });
    ReadTriggers();
    ReadReleases();
    root_.At("combos").EachMember(
        [&](const std::string& name, const JsonCursor& json) { ReadSet(name, json); });
    return std::move(plan_);
  }

 private:
  void ReadPlatform(const std::string& name, const JsonCursor& json) {
    PlatformRow row{.name = name,
                    .title = json.At("title").Text(),
                    .build_runs_on = json.At("build_runs_on").Text(),
                    .build_runs_on_sanitizer = json.At("build_runs_on_sanitizer").TextOrNothing(),
                    .fallback_runs_on = json.At("fallback_runs_on").Text(),
                    .wheel_platform = json.At("wheel_platform").Text(),
                    .checkout_root = json.At("checkout_root").TextOrNothing(),
                    .packages = json.At("packages").Texts()};
    json.At("build_tools").EachMember([&](const std::string& tool, const JsonCursor& wanted) {
      row.build_tools.emplace_back(tool, wanted.At("version").Text());
    });
    json.At("variants").EachMember([&](const std::string& variant, const JsonCursor& columns) {
      row.variants.push_back({.name = variant,
                              .label = columns.At("label").Text(),
                              .suffix = columns.At("suffix").Text(),
                              .cmake_preset = columns.At("cmake_preset").Text(),
                              .known_failure = columns.At("known_failure").TextOrNothing()});
    });
    plan_.platforms.push_back(std::move(row));
  }

  void ReadTriggers() {
    root_.At("triggers").EachMember([&](const std::string& event, const JsonCursor& json) {
      plan_.triggers.push_back(ReadTrigger(event, json));
    });
    root_.At("labels").EachMember([&](const std::string& pattern, const JsonCursor& json) {
      plan_.labels.push_back({pattern, json.At("effect").Word<LabelEffect>(
                                           {{"skip", LabelEffect::kSkip},
                                            {"all_families", LabelEffect::kAllFamilies},
                                            {"family", LabelEffect::kFamily},
                                            {"pytorch", LabelEffect::kPytorch},
                                            {"test", LabelEffect::kTest},
                                            {"test_runner", LabelEffect::kTestRunner}})});
    });
    const JsonCursor paths = root_.At("paths");
    plan_.paths = {.skippable = paths.At("skippable").Texts(),
                   .workflows = paths.At("workflows").Texts(),
                   .always = paths.At("always").Texts(),
                   .unfiltered_events = paths.At("unfiltered_events").Texts()};
    using When = TestTypeRow::When;
    root_.At("test_types").EachItem([&](const JsonCursor& json) {
      plan_.test_types.push_back(
          {json.At("when").Word<When>({{"otherwise", When::kOtherwise},
                                       {"schedule", When::kSchedule},
                                       {"test_label", When::kTestLabel},
                                       {"submodule_changed", When::kSubmoduleChanged}}),
           json.At("type").Text(), json.At("why").Text()});
    });
    plan_.tests = root_.At("tests").Texts();
  }

  void ReadReleases() {
    root_.At("release_types").EachMember([&](const std::string& name, const JsonCursor& json) {
      ReleaseTypeRow row{.name = name,
                         .domain = json.At("domain").Text(),
                         .schedule = json.At("schedule").TextOrNothing()};
      json.At("exclude").EachItem([&](const JsonCursor& exclude) {
        row.excludes.push_back({.platforms = exclude.At("platform").OneOrMoreTexts(),
                                .gfx = exclude.At("gfx").OneOrMoreTexts(),
                                .pythons = exclude.At("python").OneOrMoreTexts(),
                                .torches = exclude.At("torch").OneOrMoreTexts(),
                                .why = exclude.At("why").Text(),
                                .issue = exclude.At("issue").TextOrNothing()});
      });
      row.index_url = json.At("index_url").Text();
      row.staging_index_url = json.At("staging_index_url").Text();
      row.python_bucket = json.At("python_bucket").Text();
      row.subdir = json.At("subdir").Text();
      row.staging_subdir = json.At("staging_subdir").Text();
      if (const JsonCursor dependencies = json.At("dependencies"); !dependencies.is_null()) {
        row.dependencies_subdir = dependencies.At("subdir").Text();
        row.dependencies_url = dependencies.At("url").Text();
      }
      row.complete = json.At("complete").Boolean();
      plan_.release_types.push_back(std::move(row));
    });
    root_.At("domains").EachMember([&](const std::string& name, const JsonCursor& json) {
      plan_.domains.push_back({name, json.At("triggers").Texts()});
    });
    root_.At("promotion").EachItem([&](const JsonCursor& json) {
      const JsonCursor when = json.At("when");
      plan_.promotion.push_back(
          {.branches = when.At("branch").OneOrMoreTexts(),
           .builds = when.At("build").OneOrMoreTexts(),
           .tests = when.At("tests").OneOrMoreTexts(),
           .runner = when.At("runner").BooleanOrNothing(),
           .bypass = when.At("bypass").BooleanOrNothing(),
           .promote = json.At("verdict").Word<bool>({{"hold", false}, {"promote", true}}),
           .why = json.At("why").Text()});
    });
  }

  void ReadSet(const std::string& name, const JsonCursor& json) {
    PlannedSet set{.name = name};
    std::vector<PlannedCombo> rows;
    json.At("rows").EachMember([&](const std::string& id, const JsonCursor& combo) {
      rows.push_back(ReadCombo(id, combo));
    });
    json.At("builds").EachItem(
        [&](const JsonCursor& build) { set.builds.push_back(ReadBuild(build, rows)); });
    json.At("out").EachItem([&](const JsonCursor& out) {
      const JsonCursor combos = out.At("combos");
      set.out.push_back({.platform = out.At("platform").Text(),
                         .gfx = out.At("gfx").Text(),
                         .key = out.At("key").Text(),
                         .all = combos.is_text(),
                         .combos = combos.is_text() ? Texts() : combos.Texts(),
                         .kind = out.At("kind").Text(),
                         .why = out.At("why").Text(),
                         .issue = out.At("issue").TextOrNothing()});
    });
    plan_.combos.push_back(std::move(set));
  }

  static PlannedBuild ReadBuild(const JsonCursor& json, const std::vector<PlannedCombo>& rows) {
    PlannedBuild build{.platform = json.At("platform").Text(),
                       .gfx = json.At("gfx").Text(),
                       .key = json.At("key").Text(),
                       .families = json.At("families").Texts(),
                       .promotes = json.At("promotes").Text()};
    std::vector<PlannedCombo> differing;
    if (json.Has("differing")) {
      json.At("differing").EachMember([&](const std::string& id, const JsonCursor& combo) {
        differing.push_back(ReadCombo(id, combo));
      });
    }
    json.At("combos").EachItem([&](const JsonCursor& item) {
      const std::string id = item.Text();
      const auto own = std::ranges::find(differing, id, &PlannedCombo::id);
      const auto row = std::ranges::find(rows, id, &PlannedCombo::id);
      if (own != differing.end()) {
        build.combos.push_back(*own);
      } else if (row != rows.end()) {
        build.combos.push_back(*row);
      } else if (!id.empty()) {
        item.Refuse("a combo that has no row");
      }
    });
    return build;
  }

  const JsonCursor& root_;
  PlanFile plan_;
};

// The text at a path of keys, or "".
std::string TextAt(const nlohmann::ordered_json& json, std::span<const std::string_view> path) {
  const nlohmann::ordered_json* at = &json;
  for (const std::string_view key : path) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &(*at)[key];
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

// Reports a plan that is not written for this version.
bool IsForThisVersion(const nlohmann::ordered_json& json, std::string_view name,
                      Diagnostics& diagnostics) {
  std::string text = TextAt(json, std::array<std::string_view, 2>{"settings", "wheelwright"});
  if (text.empty()) {
    const auto pinned = ReadProgramVersion(
        TextAt(json, std::array<std::string_view, 3>{"settings", "wheelrun", "version"}));
    if (pinned) text = VersionRange::SeriesOf(*pinned);
  }
  const std::optional<VersionRange> range = VersionRange::Read(text);
  const std::optional<ProgramVersion> own = ReadProgramVersion(OwnVersion());
  if (!range || !own) return true;
  const VersionRange::Side side = range->SideOf(*own);
  if (side == VersionRange::Side::kWithin) return true;
  diagnostics.Report({.code = "version-skew",
                      .message = fmt::format("{} is written for wheelwright {}, and this is {}, {}",
                                             name, text, OwnVersion(), WordFor(side)),
                      .notes = {InstallNote(text)}});
  return false;
}

}  // namespace

bool HasText(const Texts& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

std::string_view RocmFailure(const FamilyColumns& columns) {
  for (const auto& [what, issue] : columns.known_failures) {
    if (what == "rocm") return issue;
  }
  return {};
}

const VariantRow* PlatformRow::FindVariant(std::string_view variant) const {
  const auto found = std::ranges::find(variants, variant, &VariantRow::name);
  return found == variants.end() ? nullptr : &*found;
}

const TriggerRow* PlanFile::FindTrigger(std::string_view event) const {
  const auto found = std::ranges::find(triggers, event, &TriggerRow::event);
  return found == triggers.end() ? nullptr : &*found;
}

const TriggerRow* PlanFile::FindTriggerOf(std::string_view workflow) const {
  const auto found = std::ranges::find_if(triggers, [&](const TriggerRow& trigger) {
    return trigger.event != "workflow_dispatch" && HasText(trigger.workflows, workflow);
  });
  return found == triggers.end() ? nullptr : &*found;
}

const FamilyRow* PlanFile::FindFamily(std::string_view name) const {
  for (const FamilyRow& family : families) {
    if (EqualsIgnoringCase(family.key, name)) return &family;
    for (const auto& columns : family.on) {
      if (columns && EqualsIgnoringCase(columns->family, name)) return &family;
    }
  }
  return nullptr;
}

const ReleaseTypeRow* PlanFile::FindReleaseType(std::string_view name) const {
  const auto found = std::ranges::find(release_types, name, &ReleaseTypeRow::name);
  return found == release_types.end() ? nullptr : &*found;
}

const PlannedSet* PlanFile::FindSet(std::string_view name) const {
  const auto found = std::ranges::find(combos, name, &PlannedSet::name);
  return found == combos.end() ? nullptr : &*found;
}

std::vector<std::string_view> PlanFile::FamilyNames() const {
  std::vector<std::string_view> names;
  for (const FamilyRow& family : families) names.push_back(family.key);
  for (const FamilyRow& family : families) {
    for (const auto& columns : family.on) {
      if (columns && std::ranges::find(names, columns->family) == names.end()) {
        names.push_back(columns->family);
      }
    }
  }
  return names;
}

const PlatformRow* PlanFile::FindPlatform(std::string_view name) const {
  const auto found = std::ranges::find(platforms, name, &PlatformRow::name);
  return found == platforms.end() ? nullptr : &*found;
}

std::optional<Json> ParsePlan(std::string_view text, std::string_view name,
                              Diagnostics& diagnostics) {
  auto json = ParseOrderedJson(text);
  if (json.is_discarded()) {
    diagnostics.Report({.code = "plan-syntax",
                        .message = fmt::format("{} is not JSON", name),
                        .notes = {"`wheelwright generate` writes it from matrix/"}});
    return std::nullopt;
  }
  if (!IsForThisVersion(json, name, diagnostics)) return std::nullopt;
  // Check the layout first: errors about missing keys would not name the cause.
  const bool is_plan = json.is_object() && json.contains("format") && json["format"].is_number();
  if (!is_plan || json["format"] == kReadPlanFormat) return json;
  const bool older = json["format"] < kReadPlanFormat;
  diagnostics.Report(
      {.code = "plan-format",
       .message = fmt::format("{} has format {}, and this program reads format {}", name,
                              DumpJson(json["format"]), kReadPlanFormat),
       .notes = {older ? "an older version made it: run `wheelwright generate` of this version, "
                         "whose templates/plan.yml writes the new format"
                       : "it is made for a newer version of wheelrun: install that one"}});
  return std::nullopt;
}

PlanFile ReadPlanTables(const JsonCursor& root) {
  root.At("format").Is(kReadPlanFormat);
  return PlanReader(root).Read();
}

std::optional<PlanFile> ReadPlanFile(std::string_view text, std::string_view name,
                                     Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const std::optional<Json> json = ParsePlan(text, name, diagnostics);
  if (!json) return std::nullopt;
  PlanFile plan = ReadPlanTables(JsonCursor(*json, name, diagnostics));
  if (diagnostics.errors() != errors) return std::nullopt;
  return plan;
}

}  // namespace wheelwright
