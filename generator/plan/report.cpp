#include "generator/plan/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "generator/plan/combo_blocks.h"
#include "generator/plan/dead_ends.h"

namespace wheelwright {
namespace {

struct LimitColumn {
  std::string_view name;
  std::string_view title;
  std::size_t WorkflowUsage::* used;
  std::size_t Limits::* limit;
  bool bytes;
};

constexpr LimitColumn kLimitColumns[] = {
    {"workflow_bytes", "file size", &WorkflowUsage::bytes, &Limits::workflow_bytes, true},
    {"expression_bytes", "longest expression", &WorkflowUsage::expression_bytes,
     &Limits::expression_bytes, false},
    {"needs_jobs", "jobs in a run", &WorkflowUsage::run_jobs, &Limits::needs_jobs, false},
    {"needs_edges", "needs edges", &WorkflowUsage::run_edges, &Limits::needs_edges, false},
    {"reusable_files", "workflows called", &WorkflowUsage::reusable_files, &Limits::reusable_files,
     false},
    {"reusable_levels", "levels of calls", &WorkflowUsage::reusable_levels,
     &Limits::reusable_levels, false},
    {"dispatch_inputs", "dispatch inputs", &WorkflowUsage::dispatch_inputs,
     &Limits::dispatch_inputs, false}};

std::string Runners(const GfxBuild& build) {
  std::vector<std::string_view> runners;
  for (const GfxMember& member : build.members) {
    if (member.runner.empty()) continue;
    if (std::find(runners.begin(), runners.end(), member.runner) == runners.end()) {
      runners.push_back(member.runner);
    }
  }
  return runners.empty() ? "-" : fmt::format("{}", fmt::join(runners, " "));
}

class PartMaker {
 public:
  PartMaker(const Matrix& matrix, const SourceManager& sources, PlanPart& part)
      : policy_(matrix.promotion), sources_(sources), part_(part), platform_(*part.platform) {}

  void Add(const GfxBuild& build) {
    part_.builds.push_back(&build);
    if (build.out != nullptr) {
      AddOut(build);
    } else {
      AddIn(build);
      AddExclusions(build);
    }
  }

 private:
  void AddOut(const GfxBuild& build) {
    if (build.out->kind == OutKind::kNoRow) {
      part_.absent.push_back(build.key);
      return;
    }
    PlanRow row;
    row.gfx = build.name;
    row.python = row.torch = row.runner = "-";
    row.promotes = build.out->text;
    if (!build.out->issue.empty()) row.promotes += " " + ShortIssue(build.out->issue);
    row.out = true;
    row.where = build.out->where;
    part_.rows.push_back(std::move(row));
  }

  void AddIn(const GfxBuild& build) {
    const auto kind_of = [&](const Combo& combo) {
      if (combo.out == nullptr && part_.set->release_types == 0) return combo.tests ? 0 : 1;
      return combo.out != nullptr ? -1
                                  : 2 * static_cast<int>(combo.promotes) + (combo.tests ? 0 : 1);
    };
    bool continued = false;
    for (const ComboBlock& block : MakeBlocks(platform_, build, kind_of)) {
      const bool tests = block.kind % 2 == 0;
      PlanRow row;
      row.gfx = build.name;
      row.python = PythonsOf(block, platform_);
      row.torch = TorchesOf(block, platform_);
      row.runner = tests ? Runners(build) : "-";
      row.continued = std::exchange(continued, true);
      row.where = build.where;
      if (part_.set->release_types == 0) {
        row.promotes = "not released";
        part_.rows.push_back(std::move(row));
        continue;
      }
      switch (static_cast<Promotes>(block.kind / 2)) {
        case Promotes::kTests:
          row.promotes = "when tests pass";
          break;
        case Promotes::kBypass:
          row.promotes = "without tests (bypass)";
          break;
        case Promotes::kNever:
          row.dead_end = true;
          row.promotes = "never: " + AddDeadEnd(build, block, tests);
          break;
      }
      part_.rows.push_back(std::move(row));
    }
  }

  std::string AddDeadEnd(const GfxBuild& build, const ComboBlock& block, bool tests) {
    const ExtraColumns* untested = nullptr;
    for (const Combo& combo : platform_.CombosOf(build)) {
      if (!tests && combo.out == nullptr && !combo.tests) untested = combo.extras;
    }
    const std::vector<const GfxMember*> members = UnpromotedMembers(build, tests, policy_);
    PlanDeadEnd dead_end{.gfx = build.name,
                         .platform = platform_.name,
                         .combos = block.pythons.size() * block.torches.size(),
                         .cause = CauseOfDeadEnd(build, tests, members),
                         .mend = MendOfDeadEnd(build, untested, members, sources_)};
    part_.dead_ends.push_back(dead_end);
    return dead_end.cause;
  }

  void AddExclusions(const GfxBuild& build) {
    std::vector<const OutReason*> reasons;
    const auto kind_of = [&](const Combo& combo) {
      if (combo.out == nullptr) return -1;
      const auto found = std::find(reasons.begin(), reasons.end(), combo.out);
      const auto kind = static_cast<int>(found - reasons.begin());
      if (found == reasons.end()) reasons.push_back(combo.out);
      return kind;
    };
    for (const ComboBlock& block : MakeBlocks(platform_, build, kind_of)) {
      part_.exclusions.push_back({.reason = reasons[static_cast<std::size_t>(block.kind)],
                                  .gfx = build.name,
                                  .platform = platform_.name,
                                  .python = PythonsOf(block, platform_),
                                  .torch = TorchesOf(block, platform_),
                                  .combos = block.pythons.size() * block.torches.size()});
    }
  }

  const Node* policy_;
  const SourceManager& sources_;
  PlanPart& part_;
  const ComboPlatform& platform_;
};

std::string DescribeRule(const Node& row) {
  std::vector<std::string> parts;
  for (const std::string_view axis : {"platform", "gfx", "python", "torch"}) {
    const Node* value = Find(&row, axis);
    if (value == nullptr || value->is_null()) continue;
    std::string text(value->text);
    for (const Node* item : value->items)
      text += (text.empty() ? "" : " ") + std::string(item->text);
    parts.push_back(fmt::format("{} {}", axis, text));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void AddLimits(const Limits& limits, PlanReport& report) {
  for (const LimitColumn& column : kLimitColumns) {
    PlanLimit limit{.name = column.name,
                    .title = column.title,
                    .limit = limits.*column.limit,
                    .bytes = column.bytes,
                    .file = {}};
    for (const WorkflowUsage* file : report.files) {
      if (limit.file.empty() || file->*column.used > limit.used) {
        limit.used = file->*column.used;
        limit.file = file->file;
      }
    }
    limit.full = limit.used * 100 >= limit.limit * limits.warn_at_percent;
    report.limits.push_back(limit);
  }
}

bool Takes(std::string_view pattern, std::string_view file) {
  if (pattern.empty() || MatchesStars(pattern, file)) return true;
  constexpr std::string_view kEnding = ".yml";
  return file.ends_with(kEnding) &&
         MatchesStars(pattern, file.substr(0, file.size() - kEnding.size()));
}

}  // namespace

std::string ShortIssue(std::string_view link) {
  constexpr std::string_view kGithub = "https://github.com/";
  if (!link.starts_with(kGithub)) return std::string(link);
  const std::vector<std::string_view> parts = Split(link.substr(kGithub.size()), '/');
  if (parts.size() != 4 || (parts[2] != "issues" && parts[2] != "pull")) return std::string(link);
  return fmt::format("{}/{}#{}", parts[0], parts[1], parts[3]);
}

PlanReport MakeReport(const Matrix& matrix, const Combos& combos,
                      std::span<const WorkflowUsage> files, const PlanOptions& options,
                      const SourceManager& sources) {
  PlanReport report;
  std::vector<const GfxBuild*> wanted;
  for (const WorkflowUsage& file : files) {
    if (!Takes(options.workflow, file.file)) continue;
    report.files.push_back(&file);
    wanted.insert(wanted.end(), file.builds.begin(), file.builds.end());
    report.jobs += file.jobs;
    report.needs_edges = std::max(report.needs_edges, file.needs_edges);
  }
  const auto is_wanted = [&](const GfxBuild& build) {
    return options.workflow.empty() ||
           std::find(wanted.begin(), wanted.end(), &build) != wanted.end();
  };
  for (const ComboSet& set : combos.sets) {
    for (const ComboPlatform& platform : set.platforms) {
      PlanPart part{.set = &set,
                    .platform = &platform,
                    .rows = {},
                    .builds = {},
                    .exclusions = {},
                    .dead_ends = {},
                    .absent = {}};
      // A build that is left out as a whole is listed only where its platform is shown in full.
      const bool whole = std::all_of(platform.builds.begin(), platform.builds.end(),
                                     [&](const GfxBuild& b) { return b.in == 0 || is_wanted(b); });
      PartMaker maker(matrix, sources, part);
      for (const GfxBuild& build : platform.builds) {
        if (build.in > 0 ? !is_wanted(build) : !whole) continue;
        maker.Add(build);
        report.combos += build.in;
        report.out += build.size - build.in;
      }
      if (!part.builds.empty()) report.parts.push_back(std::move(part));
    }
  }
  for (const Entry& type : matrix.release_types->entries) {
    const Node* excludes = Find(type.value, "exclude");
    if (report.parts.empty() || excludes == nullptr) continue;
    for (const Node* row : excludes->items) {
      report.release_excludes.push_back({.release_type = type.key->text,
                                         .what = DescribeRule(*row),
                                         .why = FindText(row, "why"),
                                         .where = row->where});
    }
  }
  if (!report.files.empty()) AddLimits(matrix.limits, report);
  return report;
}

}  // namespace wheelwright
