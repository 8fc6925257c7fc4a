#include "generator/link/link.h"

#include <array>

#include "generator/link/expressions.h"
#include "generator/link/rules.h"
#include "generator/workflow/syntax.h"

namespace wheelwright {

namespace {

using enum RuleLevel;

// The levels of rules that are not always errors.
struct Levels {
  RuleLevel LinkRules::* rule;
  RuleLevel lax, trust;
};
constexpr std::array kLevels = {
    Levels{&LinkRules::explicit_permissions, kWarning, kOff},
    Levels{&LinkRules::minimal_permissions, kOff, kOff},
    Levels{&LinkRules::timeouts, kWarning, kOff},
    Levels{&LinkRules::checkout_timeouts, kOff, kOff},
    Levels{&LinkRules::pinned_actions, kWarning, kOff},
    Levels{&LinkRules::pin_comments, kOff, kOff},
    Levels{&LinkRules::pinned_images, kWarning, kOff},
    Levels{&LinkRules::named_secrets, kWarning, kOff},
    Levels{&LinkRules::checkout_credentials, kWarning, kOff},
    Levels{&LinkRules::concurrency, kOff, kOff},
    Levels{&LinkRules::names, kOff, kOff},
    Levels{&LinkRules::fixed_runners, kOff, kOff},
    Levels{&LinkRules::used_inputs, kWarning, kOff},
    Levels{&LinkRules::equal_sides, kWarning, kOff},
    Levels{&LinkRules::known_callees, kWarning, kOff},
    Levels{&LinkRules::present_callees, kWarning, kWarning},
    Levels{&LinkRules::untrusted_checkout, kWarning, kError},
    Levels{&LinkRules::untrusted_caches, kWarning, kError},
    Levels{&LinkRules::live_conditions, kWarning, kOff},
    Levels{&LinkRules::used_id_tokens, kOff, kOff},
    Levels{&LinkRules::readable_dispatches, kOff, kError},
    Levels{&LinkRules::action_uses, kWarning, kOff},
    Levels{&LinkRules::script_variables, kWarning, kOff},
    Levels{&LinkRules::absent_values, kWarning, kWarning},
};

LinkRules RulesWith(RuleLevel Levels::* set) {
  LinkRules rules;
  for (const Levels& levels : kLevels) rules.*levels.rule = levels.*set;
  rules.strict_scripts = false;
  return rules;
}

}  // namespace

LinkRules LinkRules::Lax() { return RulesWith(&Levels::lax); }

LinkRules LinkRules::OfGithub() {
  LinkRules rules;
  for (const Levels& levels : kLevels) rules.*levels.rule = kOff;
  rules.untrusted_checkout = kOff;
  rules.strict_scripts = false;
  return rules;
}

LinkRules LinkRules::Trust() {
  LinkRules rules = RulesWith(&Levels::trust);
  rules.near_limits = false;
  return rules;
}

FileUsage LinkFile(const WorkflowFile& file, const LinkContext& context, Diagnostics& diagnostics) {
  FileUsage usage;
  usage.name = file.name;
  const Workflow& workflow = file.workflow;
  CheckSyntax(workflow, diagnostics);
  // CheckInputs() reports inputs of one side only, once, at their declaration.
  CheckExpressions(
      workflow,
      {context.sources, context.interfaces, context.rules.strict_scripts, false, context.actions,
       context.known, context.rules.absent_values == kWarning, context.programs},
      diagnostics);
  if (!workflow.root->is_mapping() || !workflow.jobs_field) return usage;

  Arena arena;
  Workflow space;
  const Workflow& trusted = *WithActions(workflow, context.actions, arena, space);
  const Linking linking{file, workflow, context, diagnostics, usage, trusted};
  usage.jobs = workflow.jobs.size();
  const ScalarScan scan = ScanScalars(workflow, context.limits);
  CheckNeeds(linking);
  CheckCalls(linking);
  CheckPublications(linking);
  CheckPermissions(linking);
  if (!context.interfaces.Find(file.name)) {
    usage.own = MakeInterface(file.name, workflow);
    if (context.domains != nullptr)
      FindTouches(trusted, *context.domains, context.sources, *usage.own);
  }
  CheckTrust(linking);
  CheckTrustedJobs(linking);
  CheckPins(linking);
  if (context.rules.action_uses != kOff) CheckActionUses(linking);
  if (context.programs != nullptr) CheckPrograms(linking);
  CheckScriptVariables(linking);
  if (context.lock != nullptr) context.lock->Check(LockName(file.name), workflow, diagnostics);
  CheckHygiene(linking);
  CheckUntrustedCode(linking);
  CheckInputs(linking, scan);
  CheckLimits(linking, scan);
  CollectDispatches(linking);
  return usage;
}

}  // namespace wheelwright
