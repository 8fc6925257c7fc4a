#include "selection/release.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "selection/select.h"

namespace wheelwright {
namespace {

constexpr std::string_view kDefaultType = "dev";

struct ChosenType {
  const ReleaseTypeRow* row = nullptr;  // null after a report
  std::string why;
};

ChosenType ChooseType(const PlanFile& plan, const EventInputs& inputs, std::string_view typed,
                      Diagnostics& diagnostics) {
  std::string name(typed);
  std::string why = fmt::format("typed in {}", TypedInputs::NameOf(InputEffect::kReleaseType));
  if (typed.empty() && inputs.event == "schedule") {
    const auto scheduled = ScheduledReleases(plan);
    if (!scheduled.empty()) {
      return {scheduled.front(), fmt::format("scheduled for '{}'", scheduled.front()->schedule)};
    }
    diagnostics.Report({.code = "unknown-release-type",
                        .message = "no release type has a schedule",
                        .hint = "give one a `schedule` in matrix/release.yml"});
    return {};
  }
  if (typed.empty()) {
    name = kDefaultType;
    why = fmt::format("nothing is typed in {}", TypedInputs::NameOf(InputEffect::kReleaseType));
  }
  const ReleaseTypeRow* row = plan.FindReleaseType(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const ReleaseTypeRow& type : plan.release_types) names.push_back(type.name);
    diagnostics.Report({.code = "unknown-release-type",
                        .message = fmt::format("there is no release type {}", Quoted(name)),
                        .hint = DidYouMean(name, names, "there are")});
  }
  return {row, why};
}

bool MayReach(const PlanFile& plan, const EventInputs& inputs, const ReleaseTypeRow& type,
              Diagnostics& diagnostics) {
  const auto domain = std::ranges::find(plan.domains, type.domain, &DomainRow::name);
  if (domain != plan.domains.end() && HasText(domain->triggers, inputs.event) && !inputs.fork) {
    return true;
  }
  const Texts none;
  const Texts& triggers = domain == plan.domains.end() ? none : domain->triggers;
  diagnostics.Report(
      {.code = "release-event",
       .message = fmt::format("{} may not start a {} release",
                              inputs.fork ? "code from a fork" : Quoted(inputs.event), type.name),
       .hint = fmt::format("the domain '{}' takes {}", type.domain, fmt::join(triggers, " and ")),
       .notes = {"`domains` of matrix/release.yml says who may use a release's role and buckets"}});
  return false;
}

class ReleaseSelector {
 public:
  ReleaseSelector(const PlanFile& plan, const EventInputs& inputs, const ReleaseTypeRow& type,
                  ReleaseScope scope)
      : plan_(plan), inputs_(inputs), type_(type), scope_(scope) {}

  void Run(std::size_t at, const TypedFamilies& typed, ReleasePlatform& result) const {
    const PlatformRow& platform = plan_.platforms[at];
    for (const FamilyRow& family : plan_.families) {
      const auto& columns = family.on[at];
      std::string why;
      bool in = Ask(family, typed, platform.name, why);
      if (!columns) {
        in = false;
        why = fmt::format("no row for {}", platform.name);
      } else if (in && !RocmFailure(*columns).empty()) {
        in = false;
        why = fmt::format("known failure, {}", RocmFailure(*columns));
      } else if (in && scope_ == ReleaseScope::kTestHarness) {
        in = !columns->test_runs_on.empty() && !columns->sanity_check_only;
        if (!in) why = columns->sanity_check_only ? "sanity checks only" : "no test runner";
      }
      if (!in) {
        result.out.push_back({family.key, why});
        continue;
      }
      ReleaseFamily selected{.key = family.key,
                             .tier = family.tier,
                             .family = columns->family,
                             .targets = columns->targets,
                             .build_runs_on = BuildRunner(plan_, platform, {}, inputs_.repository),
                             .test_runs_on = HasRunners(plan_, inputs_.repository)
                                                 ? columns->test_runs_on
                                                 : std::string(),
                             .bypass_tests_for_releases = columns->bypass_tests_for_releases,
                             .sanity_check_only = columns->sanity_check_only,
                             .why = why};
      for (const PlannedSet& set : plan_.combos) AddCombos(set, at, selected);
      result.in.push_back(std::move(selected));
    }
  }

 private:
  static bool Ask(const FamilyRow& family, const TypedFamilies& typed, std::string_view platform,
                  std::string& why) {
    using Kind = TypedFamilies::Kind;
    const std::string_view input = TypedInputs::NameOf(InputEffect::kFamilies, platform);
    switch (typed.kind) {
      case Kind::kNothing:
        why = "a release builds all families unless some are typed";
        return true;
      case Kind::kAll:
        why = fmt::format("'all' is typed in {}", input);
        return true;
      case Kind::kNone:
        why = fmt::format("'none' is typed in {}", input);
        return false;
      case Kind::kListed:
        break;
    }
    const bool in = typed.Holds(family);
    why = fmt::format("{} in {}", in ? "typed" : "not typed", input);
    return in;
  }

  static bool IsPublished(const PlannedSet& set) {
    return std::ranges::any_of(set.builds, [](const PlannedBuild& build) {
      return std::ranges::any_of(
          build.combos, [](const PlannedCombo& combo) { return !combo.release_types.empty(); });
    });
  }

  void AddCombos(const PlannedSet& set, std::size_t at, ReleaseFamily& selected) const {
    if (!IsPublished(set)) return;
    const std::string& platform = plan_.platforms[at].name;
    for (const PlannedBuild& build : set.builds) {
      if (build.platform != platform || !HasText(build.families, selected.key)) continue;
      const std::vector<PromotedFamily> families = Promoted(build, at);
      for (const PlannedCombo& combo : build.combos) {
        if (HasText(combo.release_types, type_.name)) {
          selected.combos.push_back(
              {build.gfx, combo, ExpectPromotion(plan_.promotion, families, combo.tests)});
        } else {
          AddOut(selected, combo.id, WhyNotTaken(build, combo));
        }
      }
    }
    for (const PlannedOut& out : set.out) {
      if (out.platform == platform && out.key == selected.key) {
        selected.out.push_back({out.combos, out.why, out.issue});
      }
    }
  }

  std::vector<PromotedFamily> Promoted(const PlannedBuild& build, std::size_t at) const {
    std::vector<PromotedFamily> families;
    for (const FamilyRow& family : plan_.families) {
      if (!HasText(build.families, family.key) || !family.on[at]) continue;
      families.push_back(
          {.runner = !family.on[at]->test_runs_on.empty() && HasRunners(plan_, inputs_.repository),
           .bypass = family.on[at]->bypass_tests_for_releases});
    }
    return families;
  }

  ReleaseOut WhyNotTaken(const PlannedBuild& build, const PlannedCombo& combo) const {
    for (const ReleaseExclude& exclude : type_.excludes) {
      if (Fits(exclude.platforms, build.platform) &&
          (Fits(exclude.gfx, build.gfx) || Fits(exclude.gfx, build.key)) &&
          Fits(exclude.pythons, combo.python) && Fits(exclude.torches, combo.torch)) {
        return {{}, exclude.why, exclude.issue};
      }
    }
    return {{}, fmt::format("its set is not for {}", type_.name), {}};
  }

  static void AddOut(ReleaseFamily& selected, const std::string& id, ReleaseOut reason) {
    for (ReleaseOut& out : selected.out) {
      if (out.why != reason.why || out.issue != reason.issue) continue;
      out.combos.push_back(id);
      return;
    }
    reason.combos.push_back(id);
    selected.out.push_back(std::move(reason));
  }

  const PlanFile& plan_;
  const EventInputs& inputs_;
  const ReleaseTypeRow& type_;
  ReleaseScope scope_;
};

}  // namespace

bool AsksForRelease(const EventInputs& inputs) {
  const std::string_view name = TypedInputs::NameOf(InputEffect::kReleaseType);
  return std::ranges::any_of(inputs.inputs, [&](const auto& input) {
    return input.first == name && !Trim(input.second).empty();
  });
}

std::vector<const ReleaseTypeRow*> ScheduledReleases(const PlanFile& plan) {
  std::vector<const ReleaseTypeRow*> types;
  for (const ReleaseTypeRow& type : plan.release_types) {
    if (!type.schedule.empty()) types.push_back(&type);
  }
  return types;
}

std::optional<ReleaseSelection> SelectRelease(const PlanFile& plan, const EventInputs& inputs,
                                              Diagnostics& diagnostics, ReleaseScope scope) {
  const std::size_t errors = diagnostics.errors();
  const TypedInputs typed(inputs, RunKind::kRelease, diagnostics);
  const ChosenType type =
      ChooseType(plan, inputs, typed.Get(InputEffect::kReleaseType), diagnostics);
  std::vector<TypedFamilies> families;
  for (std::size_t p = 0; p < plan.platforms.size(); ++p) {
    const std::string& platform = plan.platforms[p].name;
    const std::string_view input = TypedInputs::NameOf(InputEffect::kFamilies, platform);
    families.push_back(
        ReadFamilies(plan, typed.Get(InputEffect::kFamilies, platform), input, diagnostics));
    CheckPlatform(plan, p, families.back(), diagnostics);
  }
  if (type.row != nullptr) MayReach(plan, inputs, *type.row, diagnostics);
  if (diagnostics.errors() != errors) return std::nullopt;

  ReleaseSelection selection{.event = inputs.event,
                             .release_type = type.row->name,
                             .domain = type.row->domain,
                             .why = type.why};
  const ReleaseSelector selector(plan, inputs, *type.row, scope);
  for (std::size_t p = 0; p < plan.platforms.size(); ++p) {
    ReleasePlatform& platform = selection.platforms.emplace_back();
    platform.name = plan.platforms[p].name;
    platform.title = plan.platforms[p].title;
    selector.Run(p, families[p], platform);
  }
  return selection;
}

}  // namespace wheelwright
