#include "selection/select.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/github_filter.h"
#include "base/quote.h"
#include "base/text.h"
#include "selection/family_selector.h"
#include "selection/labels.h"
#include "selection/path_filter.h"

namespace wheelwright {
namespace {

std::string_view OwnerOf(std::string_view repository) {
  return repository.substr(0, repository.find('/'));
}

// The reason why an event starts nothing, or nothing when it starts something.
std::optional<std::string> WhyNotStarted(const TriggerRow& trigger, const EventInputs& inputs) {
  if (!inputs.branch.empty() && !trigger.branches.empty() &&
      !MatchesGitHubFilter(trigger.branches, inputs.branch)) {
    return fmt::format("a {} starts something on {}, not on {}", trigger.event,
                       fmt::join(trigger.branches, " and "), Quoted(inputs.branch));
  }
  if (!inputs.action.empty() && !trigger.types.empty() && !HasText(trigger.types, inputs.action)) {
    return fmt::format("a {} starts something when it is {}, not when it is {}", trigger.event,
                       fmt::join(trigger.types, ", "), Quoted(inputs.action));
  }
  return std::nullopt;
}

// Whether the changes need a build, and why.
PathVerdict JudgeChanges(const PlanFile& plan, const EventInputs& inputs) {
  if (HasText(plan.paths.unfiltered_events, inputs.event)) {
    return {true, fmt::format("{} builds whatever changed", inputs.event)};
  }
  if (!inputs.changed_files) return {true, "what changed is not known"};
  return JudgePaths(plan.paths, *inputs.changed_files);
}

void DecideTestType(const PlanFile& plan, const EventInputs& inputs, Selection& selection) {
  std::string test, submodule;
  for (const PlatformSelection& platform : selection.platforms) {
    if (test.empty() && !platform.test_labels.empty()) test = platform.test_labels.front();
  }
  if (inputs.changed_files) {
    for (const std::string& path : *inputs.changed_files) {
      if (submodule.empty() && HasText(inputs.submodules, path)) submodule = path;
    }
  }
  using When = TestTypeRow::When;
  for (const TestTypeRow& row : plan.test_types) {
    std::string cause;
    bool fits = row.when == When::kOtherwise;
    if (row.when == When::kSchedule) {
      fits = inputs.event == "schedule";
      cause = "schedule";
    } else if (row.when == When::kTestLabel) {
      fits = !test.empty();
      cause = fmt::format("test:{}", test);
    } else if (row.when == When::kSubmoduleChanged) {
      fits = !submodule.empty();
      cause = fmt::format("submodule {}", Quoted(submodule));
    }
    if (!fits) continue;
    selection.test_type = row.type;
    selection.test_type_why = cause.empty() ? row.why : fmt::format("{}: {}", cause, row.why);
    return;
  }
  selection.test_type = "smoke";
  selection.test_type_why = "no row of test_types fits";
}

class Selector {
 public:
  Selector(const PlanFile& plan, const EventInputs& inputs, const TriggerRow& trigger,
           Diagnostics& diagnostics)
      : plan_(plan),
        inputs_(inputs),
        trigger_(trigger),
        diagnostics_(diagnostics),
        typed_(inputs, RunKind::kCi, diagnostics) {}

  Selection Run() {
    selection_.event = inputs_.event;
    ChooseWorkflow();
    CheckEvent();
    ReadAll();
    const std::optional<std::string> closed = WhyNothing();
    for (std::size_t p = 0; p < plan_.platforms.size(); ++p) AddPlatform(p, closed);
    CheckKnownFailures();
    DecideTestType(plan_, inputs_, selection_);
    DecideBuild(closed);
    return std::move(selection_);
  }

 private:
  // Chooses the running workflow, else the first that the event starts.
  void ChooseWorkflow() {
    selection_.workflows = trigger_.workflows;
    if (!inputs_.workflow.empty()) selection_.workflows = {inputs_.workflow};
    const std::string name = selection_.workflows.empty() ? "" : selection_.workflows.front();
    const TriggerRow* home = plan_.FindTriggerOf(name);
    if (home == nullptr && !inputs_.workflow.empty()) {
      std::vector<std::string_view> names;
      for (const TriggerRow& row : plan_.triggers) {
        for (const std::string& workflow : row.workflows) names.push_back(workflow);
      }
      diagnostics_.Report({.code = "unknown-workflow",
                           .message = fmt::format("no event starts the workflow {}", Quoted(name)),
                           .hint = DidYouMean(name, names, "those of CI are")});
    }
    request_.reach = ReachOf(plan_, home == nullptr ? trigger_ : *home, name);
  }

  void CheckEvent() {
    for (const auto& [name, text] : inputs_.inputs) {
      const bool known = std::ranges::find(KnownInputs(), name, &KnownInput::name) !=
                         KnownInputs().end();  // others are reported already
      if (inputs_.event == "workflow_dispatch" || !known || Trim(text).empty()) continue;
      diagnostics_.Report(
          {.code = "unknown-input",
           .message = fmt::format("a {} takes no input {}", inputs_.event, Quoted(name)),
           .hint = "only workflow_dispatch takes inputs"});
    }
  }

  void ReadAll() {
    std::vector<std::string> labels = inputs_.labels;
    for (const std::string_view label : SplitList(typed_.Get(InputEffect::kLabels))) {
      labels.emplace_back(label);
    }
    request_.labels = ReadLabels(plan_, labels, diagnostics_);
    request_.by_hand = inputs_.event == "workflow_dispatch";
    request_.variants = ReadVariants();
    request_.repository = inputs_.repository;
    for (const PlatformRow& platform : plan_.platforms) {
      const std::string_view input = TypedInputs::NameOf(InputEffect::kFamilies, platform.name);
      request_.families.push_back(ReadFamilies(
          plan_, typed_.Get(InputEffect::kFamilies, platform.name), input, diagnostics_));
      CheckPlatform(plan_, request_.families.size() - 1, request_.families.back(), diagnostics_);
      request_.prebuilt.push_back(
          typed_.GetFlag(InputEffect::kPrebuilt, platform.name, diagnostics_));
    }
    request_.pytorch =
        ReadFamilies(plan_, typed_.Get(InputEffect::kPytorchFamilies),
                     TypedInputs::NameOf(InputEffect::kPytorchFamilies), diagnostics_);
    ReadArtifactRun();
    CheckReach();
    CheckPytorchFamilies();
  }

  // The typed variants, else those of the workflow, else those of the trigger's row.
  Texts ReadVariants() {
    const auto typed = SplitList(typed_.Get(InputEffect::kVariant));
    Texts variants(typed.begin(), typed.end());
    if (variants.empty()) variants = inputs_.variants;
    if (variants.empty()) return trigger_.variants;
    request_.variants_asked = true;
    std::vector<std::string_view> known;
    for (const PlatformRow& platform : plan_.platforms) {
      for (const VariantRow& row : platform.variants) {
        if (std::ranges::find(known, row.name) == known.end()) known.push_back(row.name);
      }
    }
    for (const std::string& variant : variants) {
      if (std::ranges::find(known, variant) != known.end()) continue;
      diagnostics_.Report({.code = "unknown-variant",
                           .message = fmt::format("there is no variant {}", Quoted(variant)),
                           .hint = DidYouMean(variant, known, "there are")});
    }
    return variants;
  }

  void ReadArtifactRun() {
    const std::string_view run = typed_.Get(InputEffect::kArtifactRun);
    const std::string_view input = TypedInputs::NameOf(InputEffect::kArtifactRun);
    const bool prebuilt = std::ranges::find(request_.prebuilt, true) != request_.prebuilt.end();
    constexpr std::size_t kMostDigits = 20;
    if (run.size() > kMostDigits || run.find_first_not_of("0123456789") != std::string_view::npos) {
      diagnostics_.Report(
          {.code = "input-value",
           .message = fmt::format("the input '{}' does not take {}", input, Quoted(run)),
           .hint = "it takes the number of a run, as in its address"});
    } else if (run.empty() && prebuilt) {
      diagnostics_.Report({.code = "input-value",
                           .message = fmt::format("prebuilt artifacts are asked for, and '{}' is "
                                                  "empty",
                                                  input),
                           .hint = "name the run that built them"});
    }
    selection_.artifact_run_id = run;
  }

  void CheckReach() {
    std::vector<const FamilyRow*> reported;
    for (std::size_t p = 0; p < plan_.platforms.size(); ++p) {
      for (const FamilyRow* family : request_.families[p].families) {
        const bool known = std::ranges::find(reported, family) != reported.end();
        if (known || HasText(request_.reach.tiers, family->tier)) continue;
        reported.push_back(family);
        diagnostics_.Report(
            {.code = "family-not-built",
             .message =
                 fmt::format("'{}' is typed in '{}', and {} has no jobs for it", family->key,
                             TypedInputs::NameOf(InputEffect::kFamilies, plan_.platforms[p].name),
                             request_.reach.workflow),
             .hint = "run the workflow that builds its tier"});
      }
    }
  }

  // PyTorch builds need the ROCm packages of the same run.
  void CheckPytorchFamilies() {
    for (const FamilyRow* family : request_.pytorch.families) {
      const auto built = [&](const TypedFamilies& typed) { return typed.Holds(*family); };
      if (!request_.by_hand || std::ranges::any_of(request_.families, built)) continue;
      diagnostics_.Report(
          {.code = "family-not-built",
           .message = fmt::format("'{}' is typed in '{}', and in no input of families to build",
                                  family->key, TypedInputs::NameOf(InputEffect::kPytorchFamilies)),
           .hint = "type it there too: PyTorch is built with the ROCm packages of the same run"});
    }
  }

  // The reason why nothing is built, if so.
  std::optional<std::string> WhyNothing() {
    if (auto why = WhyNotStarted(trigger_, inputs_)) {
      selection_.workflows.clear();
      return why;
    }
    if (!request_.labels.skip.empty()) {
      return fmt::format("the label '{}'", request_.labels.skip);
    }
    changes_ = JudgeChanges(plan_, inputs_);
    if (!changes_.build) return changes_.why;
    return std::nullopt;
  }

  void AddPlatform(std::size_t at, const std::optional<std::string>& closed) {
    PlatformSelection platform{.name = plan_.platforms[at].name,
                               .title = plan_.platforms[at].title};
    SelectFamilies(plan_, trigger_, request_, at, closed, platform);
    Texts tests = request_.labels.tests;
    const std::string_view input = TypedInputs::NameOf(InputEffect::kTestLabels, platform.name);
    for (std::string& test : ReadTestLabels(
             plan_, typed_.Get(InputEffect::kTestLabels, platform.name), input, diagnostics_)) {
      if (!HasText(tests, test)) tests.push_back(std::move(test));
    }
    for (const std::string& test : plan_.tests) {
      if (!closed && HasText(tests, test)) platform.test_labels.push_back(test);
    }
    selection_.platforms.push_back(std::move(platform));
  }

  // Reports families whose requested PyTorch wheels are built nowhere because of known failures.
  void CheckKnownFailures() {
    for (const FamilyRow* wanted : request_.pytorch.families) {
      const SelectedFamily* broken = nullptr;
      bool is_built = false;
      for (const PlatformSelection& platform : selection_.platforms) {
        for (const SelectedFamily& family : platform.in) {
          if (family.key != wanted->key) continue;
          is_built = is_built || family.build_pytorch;
          if (!family.pytorch_issue.empty()) broken = &family;
        }
      }
      if (is_built || broken == nullptr) continue;
      diagnostics_.Report(
          {.code = "known-failure-selected",
           .message = fmt::format("'{}' is typed in '{}', and its PyTorch is known to fail",
                                  wanted->key, TypedInputs::NameOf(InputEffect::kPytorchFamilies)),
           .hint = broken->pytorch_issue,
           .notes = {"when it is mended, take the known failure out of matrix/families.yml"}});
    }
  }

  void DecideBuild(const std::optional<std::string>& closed) {
    selection_.build =
        std::ranges::any_of(selection_.platforms,
                            [](const PlatformSelection& platform) { return !platform.in.empty(); });
    if (closed) {
      selection_.build_why = *closed;
    } else if (!selection_.build) {
      selection_.build_why = "no family is selected";
    } else {
      selection_.build_why = changes_.why;
    }
  }

  const PlanFile& plan_;
  const EventInputs& inputs_;
  const TriggerRow& trigger_;
  Diagnostics& diagnostics_;
  TypedInputs typed_;
  FamilyRequest request_;
  PathVerdict changes_;
  Selection selection_;
};

}  // namespace

std::optional<Selection> Select(const PlanFile& plan, const EventInputs& inputs,
                                Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const TriggerRow* trigger = RequireTrigger(plan, inputs.event, diagnostics);
  if (trigger == nullptr) return std::nullopt;
  Selection selection = Selector(plan, inputs, *trigger, diagnostics).Run();
  if (diagnostics.errors() != errors) return std::nullopt;
  return selection;
}

std::string BuildRunner(const PlanFile& plan, const PlatformRow& platform, std::string_view variant,
                        std::string_view repository) {
  if (!HasRunners(plan, repository)) return platform.fallback_runs_on;
  const bool sanitizer = variant.ends_with("san");  // asan, tsan, host-asan
  return sanitizer && !platform.build_runs_on_sanitizer.empty() ? platform.build_runs_on_sanitizer
                                                                : platform.build_runs_on;
}

bool HasRunners(const PlanFile& plan, std::string_view repository) {
  return repository.empty() || EqualsIgnoringCase(OwnerOf(repository), OwnerOf(plan.repository));
}

const TriggerRow* RequireTrigger(const PlanFile& plan, std::string_view event,
                                 Diagnostics& diagnostics) {
  if (const TriggerRow* trigger = plan.FindTrigger(event)) return trigger;
  std::vector<std::string_view> events;
  for (const TriggerRow& row : plan.triggers) events.push_back(row.event);
  diagnostics.Report({.code = "unknown-event",
                      .message = fmt::format("the event {} starts nothing", Quoted(event)),
                      .hint = DidYouMean(event, events, "those that do are"),
                      .notes = {"`triggers` of matrix/triggers.yml lists them"}});
  return nullptr;
}

}  // namespace wheelwright
