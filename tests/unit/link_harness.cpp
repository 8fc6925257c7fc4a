#include "tests/unit/link_harness.h"

#include "base/text.h"
#include "generator/link/publications.h"
#include "generator/yaml/read.h"

namespace wheelwright {

LinkRules NoPolicy() {
  LinkRules rules;
  for (RuleLevel* level : {&rules.explicit_permissions,
                           &rules.minimal_permissions,
                           &rules.timeouts,
                           &rules.checkout_timeouts,
                           &rules.pinned_actions,
                           &rules.pin_comments,
                           &rules.pinned_images,
                           &rules.named_secrets,
                           &rules.checkout_credentials,
                           &rules.concurrency,
                           &rules.names,
                           &rules.fixed_runners,
                           &rules.used_inputs,
                           &rules.equal_sides,
                           &rules.known_callees,
                           &rules.present_callees,
                           &rules.untrusted_checkout,
                           &rules.untrusted_caches,
                           &rules.live_conditions,
                           &rules.used_id_tokens,
                           &rules.readable_dispatches}) {
    *level = RuleLevel::kOff;
  }
  rules.strict_scripts = false;
  return rules;
}

Limits NoLimits() { return {}; }

LinkedSet LinkTexts(std::initializer_list<LinkedFile> files, const LinkRules& rules,
                    const Limits& limits, const std::vector<WorkflowInterface>& foreign,
                    std::string_view domains) {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  TrustDomains trust;
  if (!domains.empty()) {
    const FileId id = sources.Add("matrix/release.yml", std::string(domains));
    Matrix matrix;
    const Node* root = ReadYaml(sources, id, arena, diagnostics).root;
    matrix.domains = Find(root, "domains");
    matrix.runners = Find(root, "runners");
    trust = TrustDomains(matrix);
  }
  std::deque<Workflow> workflows;
  InterfaceSet interfaces;
  for (const LinkedFile& file : files) {
    const FileId id = sources.Add(std::string(file.name), std::string(file.text));
    const Document document = ReadYaml(sources, id, arena, diagnostics);
    Workflow& workflow = workflows.emplace_back();
    if (!document.root) return {Render(diagnostics, sources, ReportFormat::kText, false), {}};
    ReadWorkflow(*document.root, workflow);
    TakeOutPublications(workflow, arena, diagnostics);
    if (!workflow.FindEvent("workflow_call")) continue;
    WorkflowInterface interface = MakeInterface(file.name, workflow);
    FindTouches(workflow, trust, sources, interface);
    interfaces.Add(std::move(interface));
  }
  for (const WorkflowInterface& one : foreign) interfaces.Add(one);
  interfaces.Finish(diagnostics);

  const LinkContext context{sources, interfaces, limits, rules, &trust};
  LinkedSet set;
  std::size_t i = 0;
  for (const LinkedFile& file : files) {
    set.usages.push_back(LinkFile({file.name, workflows[i++]}, context, diagnostics));
  }
  LinkSet(set.usages, context, diagnostics);
  set.report = Render(diagnostics, sources, ReportFormat::kText, false);
  return set;
}

std::string LinkText(std::string_view text, const LinkRules& rules, const Limits& limits) {
  return LinkTexts({{"ci.yml", text}}, rules, limits).report;
}

std::string LinesWith(std::string_view report,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> marks) {
  std::string lines;
  for (const std::string_view line : Split(report, '\n')) {
    for (const auto& [mark, prefix] : marks) {
      const std::size_t at = line.find(mark);
      if (at == std::string_view::npos) continue;
      lines.append(prefix).append(line.substr(at + mark.size())).append("\n");
    }
  }
  return lines;
}

}  // namespace wheelwright
