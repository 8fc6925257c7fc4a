#include "generator/link/link.h"

#include "generator/link/expressions.h"
#include "generator/link/rules.h"
#include "generator/workflow/syntax.h"

namespace wheelwright {

LinkRules LinkRules::Lax() {
  LinkRules rules;
  rules.explicit_permissions = RuleLevel::kWarning;
  rules.minimal_permissions = RuleLevel::kOff;
  rules.timeouts = RuleLevel::kWarning;
  rules.checkout_timeouts = RuleLevel::kOff;
  rules.pinned_actions = RuleLevel::kWarning;
  rules.pin_comments = RuleLevel::kOff;
  rules.pinned_images = RuleLevel::kWarning;
  rules.named_secrets = RuleLevel::kWarning;
  rules.checkout_credentials = RuleLevel::kWarning;
  rules.concurrency = RuleLevel::kOff;
  rules.names = RuleLevel::kOff;
  rules.fixed_runners = RuleLevel::kOff;
  rules.used_inputs = RuleLevel::kWarning;
  rules.equal_sides = RuleLevel::kWarning;
  rules.known_callees = RuleLevel::kWarning;
  rules.present_callees = RuleLevel::kWarning;
  rules.untrusted_caches = RuleLevel::kWarning;
  rules.live_conditions = RuleLevel::kWarning;
  rules.used_id_tokens = RuleLevel::kOff;
  rules.readable_dispatches = RuleLevel::kOff;
  rules.strict_scripts = false;
  return rules;
}

LinkRules LinkRules::Trust() {
  LinkRules rules = Lax();
  rules.explicit_permissions = RuleLevel::kOff;
  rules.timeouts = RuleLevel::kOff;
  rules.pinned_actions = RuleLevel::kOff;
  rules.pinned_images = RuleLevel::kOff;
  rules.named_secrets = RuleLevel::kOff;
  rules.checkout_credentials = RuleLevel::kOff;
  rules.used_inputs = RuleLevel::kOff;
  rules.equal_sides = RuleLevel::kOff;
  rules.known_callees = RuleLevel::kOff;
  rules.live_conditions = RuleLevel::kOff;
  rules.untrusted_caches = RuleLevel::kError;
  rules.readable_dispatches = RuleLevel::kError;
  rules.near_limits = false;
  return rules;
}

FileUsage LinkFile(const WorkflowFile& file, const LinkContext& context, Diagnostics& diagnostics) {
  FileUsage usage;
  usage.name = file.name;
  const Workflow& workflow = file.workflow;
  CheckSyntax(workflow, diagnostics);
  // An input of one side only is reported once, where it is declared: CheckInputs().
  CheckExpressions(workflow,
                   {context.sources, context.interfaces, context.rules.strict_scripts, false},
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
  CheckPermissions(linking);
  if (!context.interfaces.Find(file.name)) {
    usage.own = MakeInterface(file.name, workflow);
    if (context.domains != nullptr)
      FindTouches(trusted, *context.domains, context.sources, *usage.own);
  }
  CheckTrust(linking);
  CheckTrustedJobs(linking);
  CheckPins(linking);
  CheckHygiene(linking);
  CheckUntrustedCode(linking);
  CheckInputs(linking, scan);
  CheckLimits(linking, scan);
  CollectDispatches(linking);
  return usage;
}

}  // namespace wheelwright
