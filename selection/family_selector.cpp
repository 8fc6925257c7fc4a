#include "selection/family_selector.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelwright {
namespace {

// Whether a family is in, and the rule.
struct Verdict {
  bool in = false;
  std::string why;
};

class PlatformSelector {
 public:
  PlatformSelector(const PlanFile& plan, const TriggerRow& trigger, const FamilyRequest& request,
                   std::size_t platform)
      : plan_(plan),
        trigger_(trigger),
        request_(request),
        at_(platform),
        platform_(plan.platforms[platform]) {}

  void Run(const std::optional<std::string>& closed, PlatformSelection& selection) {
    for (const FamilyRow& family : plan_.families) {
      const FamilyColumns* columns = family.on[at_] ? &*family.on[at_] : nullptr;
      Verdict verdict = closed ? Verdict{false, *closed} : Ask(family);
      if (columns == nullptr) {
        verdict = {false, fmt::format("no row for {}", platform_.name)};
      } else if (!RocmFailure(*columns).empty()) {
        verdict = {false, fmt::format("known failure, {}", RocmFailure(*columns))};
      } else if (verdict.in && !HasText(request_.reach.tiers, family.tier)) {
        verdict = {false, fmt::format("{} has no jobs for it", request_.reach.workflow)};
      }
      const std::size_t before = selection.in.size();
      if (verdict.in) {
        for (const std::string& variant : request_.variants) {
          if (const VariantRow* row = FindVariant(*columns, variant)) {
            selection.in.push_back(Make(family, *columns, *row, verdict.why));
          }
        }
        if (selection.in.size() == before) {
          verdict.why = WhyNoVariant(*columns);
        }
      }
      if (selection.in.size() == before) {
        selection.out.push_back({.key = family.key,
                                 .tier = family.tier,
                                 .family = columns == nullptr ? "" : columns->family,
                                 .why = verdict.why});
      }
    }
    for (SelectedFamily& family : selection.in) AddPytorch(selection.in, family);
  }

 private:
  Verdict Ask(const FamilyRow& family) const {
    for (const auto& [labelled, label] : request_.labels.families) {
      if (labelled == &family) return {true, fmt::format("label '{}'", label)};
    }
    if (request_.by_hand) {
      if (!request_.labels.all_families.empty()) {
        return {true, fmt::format("label '{}'", request_.labels.all_families)};
      }
      return AskTyped(family);
    }
    if (HasText(trigger_.tiers, family.tier)) {
      return {true, fmt::format("tier {} is built by {}", family.tier, trigger_.event)};
    }
    if (!request_.labels.all_families.empty()) {
      return {true, fmt::format("label '{}'", request_.labels.all_families)};
    }
    return {false, fmt::format("tier {} is not built by {}", family.tier, trigger_.event)};
  }

  Verdict AskTyped(const FamilyRow& family) const {
    using Kind = TypedFamilies::Kind;
    const TypedFamilies& typed = request_.families[at_];
    const std::string_view input = TypedInputs::NameOf(InputEffect::kFamilies, platform_.name);
    switch (typed.kind) {
      case Kind::kNothing:
        return {false, fmt::format("nothing is typed in {}", input)};
      case Kind::kNone:
        return {false, fmt::format("'none' is typed in {}", input)};
      case Kind::kAll:
        if (!HasText(trigger_.tiers, family.tier)) {
          return {false, fmt::format("tier {} is not built by {}", family.tier, trigger_.event)};
        }
        return {true, fmt::format("'all' is typed in {}", input)};
      case Kind::kListed:
        break;
    }
    return typed.Holds(family) ? Verdict{true, fmt::format("typed in {}", input)}
                               : Verdict{false, fmt::format("not typed in {}", input)};
  }

  const VariantRow* FindVariant(const FamilyColumns& columns, std::string_view variant) const {
    const bool in = HasText(columns.variants, variant) && HasText(request_.reach.variants, variant);
    return in ? platform_.FindVariant(variant) : nullptr;
  }

  // A variant of the family may have no jobs in this workflow.
  std::string WhyNoVariant(const FamilyColumns& columns) const {
    Texts unreached;
    for (const std::string& variant : request_.variants) {
      const bool has = HasText(columns.variants, variant) && platform_.FindVariant(variant);
      if (has) unreached.push_back(variant);
    }
    return unreached.empty() ? fmt::format("no variant {}", fmt::join(request_.variants, ", "))
                             : fmt::format("{} has no jobs for the variant {}",
                                           request_.reach.workflow, fmt::join(unreached, ", "));
  }

  SelectedFamily Make(const FamilyRow& family, const FamilyColumns& columns,
                      const VariantRow& variant, const std::string& why) const {
    SelectedFamily selected{
        .key = family.key,
        .tier = family.tier,
        .family = columns.family,
        .variant = variant,
        .artifact_group = variant.suffix.empty()
                              ? columns.family
                              : fmt::format("{}-{}", columns.family, variant.suffix),
        .targets = columns.targets,
        .build_runs_on = BuildRunner(plan_, platform_, variant.name, request_.repository),
        .use_prebuilt_artifacts = request_.prebuilt[at_],
        .sanity_check_only = columns.sanity_check_only,
        .expect_failure = !variant.known_failure.empty(),
        .why = why,
    };
    ChooseTestRunners(columns, selected);
    if (!selected.test_runs_on.empty()) selected.fetch_targets = columns.fetch_targets;
    return selected;
  }

  void ChooseTestRunners(const FamilyColumns& columns, SelectedFamily& selected) const {
    if (selected.expect_failure) {
      selected.test_why = fmt::format("the variant {} is not expected to work ({})",
                                      selected.variant.name, selected.variant.known_failure);
      return;
    }
    if (!HasRunners(plan_, request_.repository)) {
      selected.test_why = "there are no GPU runners outside of the organization";
      return;
    }
    // The label selects exactly these runners, so multi-GPU and benchmark runners are out too.
    if (!request_.labels.kernel.empty()) {
      const auto& runners = columns.kernel_runners;
      const auto runner = std::ranges::find_if(
          runners, [&](const auto& pair) { return pair.first == request_.labels.kernel; });
      if (runner != runners.end()) selected.test_runs_on = runner->second;
      selected.test_why =
          fmt::format("label '{}'{}", request_.labels.kernel_label,
                      runner == runners.end() ? ": no runner of the family has that kernel" : "");
      return;
    }
    selected.test_runs_on = columns.test_runs_on;
    selected.multi_gpu_runs_on = columns.multi_gpu_runs_on;
    selected.benchmark_runs_on = columns.benchmark_runs_on;
    if (selected.variant.name == "asan" && !columns.sandbox_runs_on.empty()) {
      selected.test_runs_on = columns.sandbox_runs_on;
      selected.test_why = "sandbox_runs_on of the family's row, for asan";
    } else if (!columns.test_runs_on.empty()) {
      selected.test_why = "test_runs_on of the family's row";
    } else if (!columns.parked_runner.empty()) {
      selected.test_why =
          fmt::format("the runner {} is parked ({})", columns.parked_runner, columns.parked_issue);
    } else {
      selected.test_why = "no runner tests the family";
    }
  }

  // Whether PyTorch wheels of a family are requested.
  Verdict AskPytorch(const std::string& key) const {
    using Kind = TypedFamilies::Kind;
    for (const auto& [label, families] : trigger_.labels) {
      if (HasText(request_.labels.pytorch, label) && HasText(families, key)) {
        return {true, fmt::format("label '{}'", label)};
      }
    }
    const std::string_view input = TypedInputs::NameOf(InputEffect::kPytorchFamilies);
    switch (trigger_.pytorch) {
      case TriggerRow::Pytorch::kAll:
        return {true, fmt::format("{} builds PyTorch for all", trigger_.event)};
      case TriggerRow::Pytorch::kListed:
        if (HasText(trigger_.pytorch_families, key)) {
          return {true, fmt::format("{} builds PyTorch for {}", trigger_.event, key)};
        }
        return {false, WhyUnlisted(key)};
      case TriggerRow::Pytorch::kChosen:
        break;
    }
    switch (request_.pytorch.kind) {
      case Kind::kNothing:
        return {true, fmt::format("nothing is typed in {}, so all", input)};
      case Kind::kAll:
        return {true, fmt::format("'all' is typed in {}", input)};
      case Kind::kNone:
        return {false, fmt::format("'none' is typed in {}", input)};
      case Kind::kListed:
        break;
    }
    const auto& typed = request_.pytorch.families;
    const bool in =
        std::ranges::any_of(typed, [&](const FamilyRow* family) { return family->key == key; });
    return {in, fmt::format("{} in {}", in ? "typed" : "not typed", input)};
  }

  bool HasPytorchJobs(const std::string& key) const {
    return request_.reach.all_pytorch || HasText(request_.reach.pytorch, key);
  }

  std::string WhyUnlisted(const std::string& key) const {
    for (const auto& [label, families] : trigger_.labels) {
      if (HasText(families, key)) {
        return fmt::format("{} builds PyTorch for {} with the label '{}'", trigger_.event, key,
                           label);
      }
    }
    return fmt::format("{} builds no PyTorch for it", trigger_.event);
  }

  void AddPytorch(const std::vector<SelectedFamily>& built, SelectedFamily& selected) const {
    const auto refuse = [&](std::string why) { selected.pytorch_why = std::move(why); };
    if (!selected.variant.suffix.empty()) {
      return refuse(fmt::format("PyTorch is not built with the variant {}", selected.variant.name));
    }
    const PlannedSet* set = plan_.FindSet(kCiSet);
    if (set == nullptr) return refuse(fmt::format("there is no set '{}' of combos", kCiSet));
    const auto build = std::ranges::find_if(set->builds, [&](const PlannedBuild& candidate) {
      return candidate.platform == platform_.name && HasText(candidate.families, selected.key);
    });
    Verdict verdict = AskPytorch(selected.key);
    if (build == set->builds.end()) {
      if (!verdict.in) return refuse(std::move(verdict.why));
      return ExplainMissing(*set, selected);
    }
    // A build for several families is requested by any of them but needs the packages of all.
    for (const std::string& member : build->families) {
      if (Verdict other = AskPytorch(member); !verdict.in && other.in) verdict = std::move(other);
    }
    if (!verdict.in) return refuse(std::move(verdict.why));
    if (std::ranges::none_of(build->families,
                             [&](const std::string& member) { return HasPytorchJobs(member); })) {
      return refuse(fmt::format("{} has no jobs for it", request_.reach.workflow));
    }
    for (const std::string& member : build->families) {
      const bool is_built = std::ranges::any_of(built, [&](const SelectedFamily& other) {
        return other.key == member && other.variant.suffix.empty();
      });
      if (!is_built) {
        return refuse(
            fmt::format("'{}' shares its wheels with {}, which is not built", build->gfx, member));
      }
    }
    selected.build_pytorch = true;
    selected.pytorch_gfx = build->gfx;
    selected.pytorch_combos = build->combos;
    selected.pytorch_why = std::move(verdict.why);
  }

  void ExplainMissing(const PlannedSet& set, SelectedFamily& selected) const {
    selected.pytorch_why = fmt::format("no combo of the set '{}'", set.name);
    for (const PlannedOut& out : set.out) {
      if (out.platform != platform_.name || out.key != selected.key) continue;
      selected.pytorch_why = out.why;
      selected.pytorch_issue = out.issue;
      return;
    }
  }

  const PlanFile& plan_;
  const TriggerRow& trigger_;
  const FamilyRequest& request_;
  std::size_t at_;
  const PlatformRow& platform_;
};

}  // namespace

WorkflowReach ReachOf(const PlanFile& plan, const TriggerRow& home, std::string_view workflow) {
  WorkflowReach reach{.workflow = std::string(workflow),
                      .tiers = home.tiers,
                      .variants = home.variants,
                      .all_pytorch = home.pytorch == TriggerRow::Pytorch::kAll,
                      .pytorch = home.pytorch_families};
  const auto adds_family = [](const LabelRow& row) { return row.effect == LabelEffect::kFamily; };
  if (home.event == "pull_request" && std::ranges::any_of(plan.labels, adds_family)) {
    reach.tiers = plan.tiers;
  }
  if (home.event == "schedule") {
    for (const PlatformRow& platform : plan.platforms) {
      for (const VariantRow& row : platform.variants) reach.variants.push_back(row.name);
    }
  }
  for (const auto& [label, families] : home.labels) {
    reach.pytorch.insert(reach.pytorch.end(), families.begin(), families.end());
  }
  return reach;
}

void SelectFamilies(const PlanFile& plan, const TriggerRow& trigger, const FamilyRequest& request,
                    std::size_t platform, const std::optional<std::string>& closed,
                    PlatformSelection& selection) {
  PlatformSelector(plan, trigger, request, platform).Run(closed, selection);
}

}  // namespace wheelwright
