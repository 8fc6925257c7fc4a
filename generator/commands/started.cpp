#include "generator/commands/started.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/github_filter.h"
#include "base/json.h"
#include "base/text.h"
#include "generator/commands/project_run.h"
#include "generator/plan/report_table.h"
#include "generator/workflow/model.h"

namespace wheelwright {
namespace {

constexpr std::string_view kTag = "refs/tags/";

// The patterns of a filter; nothing where it is not there.
std::optional<std::vector<std::string>> FilterOf(const Node* config, std::string_view name) {
  const Node* value = Find(config, name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> patterns;
  if (value->is_scalar()) patterns.emplace_back(value->text);
  for (const Node* item : value->items) patterns.emplace_back(item->text);
  return patterns;
}

// A verdict with its reason; nothing where a filter says nothing.
using Verdict = std::optional<std::pair<bool, std::string>>;

// `what` is "branch" or "tag".
Verdict JudgeRef(const Node* config, std::string_view what, std::string_view filter,
                 std::string_view ref) {
  const auto only = FilterOf(config, filter);
  const auto but = FilterOf(config, fmt::format("{}-ignore", filter));
  if (!only && !but) return std::nullopt;
  const std::string patterns = fmt::format("{}", fmt::join(only ? *only : *but, ", "));
  if (ref.empty()) {
    return std::pair{
        true, fmt::format("{} {}{}; which one is not known", filter, only ? "" : "but ", patterns)};
  }
  const bool fits = MatchesGitHubFilter(only ? *only : *but, ref);
  return std::pair{only ? fits : !fits,
                   fmt::format("{} '{}' fits {}{}", what, ref, fits ? "" : "none of ", patterns)};
}

Verdict JudgePaths(const Node* config, const std::optional<std::vector<std::string>>& changed) {
  const auto only = FilterOf(config, "paths");
  const auto but = FilterOf(config, "paths-ignore");
  if (!only && !but) return std::nullopt;
  if (!changed) return std::pair{true, std::string("what changed is not known")};
  for (const std::string& path : *changed) {
    if (MatchesGitHubFilter(only ? *only : *but, path) != only.has_value()) continue;
    return std::pair{true, fmt::format("'{}' changed", path)};
  }
  return std::pair{false, fmt::format("no change is one of its {}",
                                      only ? "paths" : "paths: paths-ignore has all")};
}

std::pair<bool, std::string> Judge(const Event& event, const OccurredEvent& occurred) {
  const auto has = [&](std::string_view filter) {
    return Find(event.config, filter) != nullptr ||
           Find(event.config, fmt::format("{}-ignore", filter)) != nullptr;
  };
  const std::string_view ref_name = occurred.branch;
  const bool is_tag =
      ref_name.empty() ? has("tags") && !has("branches") : ref_name.starts_with(kTag);
  // With a filter for the one alone, the other starts nothing.
  const Verdict ref = is_tag ? JudgeRef(event.config, "tag", "tags",
                                        ref_name.substr(std::min(kTag.size(), ref_name.size())))
                             : JudgeRef(event.config, "branch", "branches", ref_name);
  if (!ref && !ref_name.empty() && has(is_tag ? "branches" : "tags")) {
    return {false, is_tag ? "only branches start it" : "only tags start it"};
  }
  if (ref && !ref->first) return *ref;
  const Verdict paths = is_tag ? std::nullopt : JudgePaths(event.config, occurred.changed_files);
  if (paths && !paths->first) return *paths;
  std::vector<std::string> reasons;
  for (const Verdict& verdict : {ref, paths}) {
    if (verdict) reasons.push_back(verdict->second);
  }
  if (event.name == "schedule" && event.config != nullptr) {
    for (const Node* row : event.config->items) reasons.emplace_back(FindText(row, "cron"));
  }
  if (reasons.empty()) reasons.push_back(fmt::format("any {}", event.name));
  return {true, fmt::format("{}", fmt::join(reasons, ", "))};
}

std::vector<std::string> CellsOf(const CompiledWorkflow& file, const Cells& cells) {
  std::vector<std::string> made;
  for (const CellSet& set : cells.sets) {
    const auto in = std::ranges::count_if(file.usage.cells, [&](const auto& cell) {
      return std::ranges::any_of(set.branches,
                                 [&](const CellBranch& one) { return &one == cell.first; });
    });
    if (in == 0) continue;
    made.push_back(fmt::format(
        "{} of '{}'", Count(static_cast<std::size_t>(in), set.schema->noun, set.schema->plural),
        set.name));
  }
  return made;
}

}  // namespace

std::vector<EventStart> FindStarts(const Compilation& compilation, const OccurredEvent& event) {
  std::vector<EventStart> starts;
  for (const CompiledWorkflow& file : compilation.workflows) {
    Workflow workflow;
    ReadWorkflow(*file.root, workflow);
    const bool only_called = std::ranges::all_of(
        workflow.events, [](const Event& one) { return one.name == "workflow_call"; });
    if (only_called) continue;
    EventStart start{.file = file.name, .why = {}, .jobs = file.usage.jobs, .cells = {}};
    const Event* own = workflow.FindEvent(event.name);
    if (own == nullptr) {
      start.why = fmt::format("no {}", event.name);
    } else if (!event.workflow.empty() && !TakesFile(event.workflow, file.name)) {
      start.why = fmt::format("not '{}'", event.workflow);
    } else {
      std::tie(start.starts, start.why) = Judge(*own, event);
    }
    if (start.starts) start.cells = CellsOf(file, compilation.cells);
    starts.push_back(std::move(start));
  }
  return starts;
}

std::string RenderStarts(const std::vector<EventStart>& starts, const OccurredEvent& event,
                         std::string_view format, bool color, std::size_t width) {
  if (format == "json") {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const EventStart& one : starts) {
      rows.push_back({{"file", one.file},
                      {"starts", one.starts},
                      {"why", one.why},
                      {"jobs", one.jobs},
                      {"cells", one.cells}});
    }
    const nlohmann::ordered_json all{{"event", event.name}, {"workflows", std::move(rows)}};
    return DumpJson(all, 2) + '\n';
  }
  std::vector<std::string> names;
  ReportTable table({"workflow", "", "why", "jobs", "cells"});
  for (const bool started : {true, false}) {
    for (const EventStart& one : starts) {
      if (one.starts != started) continue;
      if (started) names.emplace_back(one.file);
      table.AddRow(
          {std::string(one.file), started ? "starts" : "-", one.why,
           started ? WithThousands(one.jobs) : "", fmt::format("{}", fmt::join(one.cells, ", "))},
          started ? RowStyle::kNormal : RowStyle::kDim);
    }
  }
  const std::string said =
      fmt::format("{} starts {}", event.name, names.empty() ? "nothing" : JoinWords(names));
  if (format == "markdown") return fmt::format("### {}\n\n{}", said, table.AsMarkdown());
  return fmt::format("{}\n\n{}", Bold(WrapWords(said, width), color), table.AsText(color, width));
}

}  // namespace wheelwright
