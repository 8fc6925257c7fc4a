#include "generator/plan/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "generator/matrix/cell_rule.h"
#include "generator/plan/cell_blocks.h"

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

std::string OrDash(std::string_view text) { return text.empty() ? "-" : std::string(text); }

class PartMaker {
 public:
  PartMaker(const Schema& schema, PlanPart& part)
      : schema_(schema), part_(part), set_(*part.set), view_(set_.schema->view) {}

  void Add(const CellBranch& branch) {
    part_.branches.push_back(&branch);
    if (branch.out != nullptr) {
      AddOut(branch);
    } else {
      AddIn(branch);
      AddExclusions(branch);
      AddChanges(branch);
    }
  }

 private:
  std::string_view NameOf(const CellBranch& branch) const {
    const AxisValue* value = part_.ValueOf(branch);
    return value == nullptr ? std::string_view() : value->brief;
  }

  void AddOut(const CellBranch& branch) {
    if (branch.out->kind == OutKind::kAbsent) {
      part_.absent.push_back(part_.ValueOf(branch)->key);
      return;
    }
    PlanRow row;
    row.name = NameOf(branch);
    row.values.resize(set_.schema->axes.size() - set_.schema->nested, "-");
    row.columns.resize(view_.columns.size(), "-");
    row.says = branch.out->text;
    if (!branch.out->issue.empty()) row.says += " " + ShortIssue(branch.out->issue);
    row.out = true;
    row.where = branch.out->where;
    part_.rows.push_back(std::move(row));
  }

  // Cells whose view is alike share a line.
  void AddIn(const CellBranch& branch) {
    std::vector<const Cell*> kinds;
    const auto kind_of = [&](const Cell& cell) {
      if (cell.out != nullptr) return -1;
      const auto alike = [&](const Cell* other) {
        const CellView& a = *other->view;
        const CellView& b = *cell.view;
        return (&a == &b || (a.state == b.state && a.says == b.says && a.columns == b.columns)) &&
               Missing(*other) == Missing(cell);
      };
      const auto found = std::ranges::find_if(kinds, alike);
      const auto kind = static_cast<int>(found - kinds.begin());
      if (found == kinds.end()) kinds.push_back(&cell);
      return kind;
    };
    bool continued = false;
    for (const CellBlock& block : MakeBlocks(set_, branch, kind_of)) {
      const Cell& like = *kinds[static_cast<std::size_t>(block.kind)];
      const StateSchema& state = view_.states[like.view->state];
      PlanRow row;
      row.name = NameOf(branch);
      row.values = ValuesOf(block, set_, schema_);
      for (const std::string_view column : like.view->columns) {
        row.columns.push_back(OrDash(column));
      }
      row.says = fmt::format("{}{}", like.view->says, Missing(like));
      row.continued = std::exchange(continued, true);
      row.dead_end = state.dead_end;
      row.where = branch.at.empty() ? set_.where : part_.ValueOf(branch)->where;
      if (state.dead_end) {
        part_.dead_ends.push_back({.name = row.name,
                                   .cells = block.cells(),
                                   .says = row.says,
                                   .mend = std::string(like.view->mend),
                                   .where = PlaceOf(branch)});
      }
      part_.rows.push_back(std::move(row));
    }
  }

  // Where the columns of its row stand.
  SourceRange PlaceOf(const CellBranch& branch) const {
    const AxisValue* value = part_.ValueOf(branch);
    if (value == nullptr) return set_.where;
    return value->members.size() == 1 ? value->members[0].row->where : value->where;
  }

  // ", without alpha": members that rules took out of a group.
  std::string Missing(const Cell& cell) const {
    std::string text;
    for (const std::uint32_t value : cell.at) {
      for (const TakenMember& member : set_.values[value].taken) {
        text += fmt::format("{}{}", text.empty() ? ", without " : " ", member.name);
      }
    }
    return text;
  }

  // Blocks of the cells to which the same of `of(cell)` applies.
  template <typename Key, typename Of, typename Use>
  void ForEachRuling(const CellBranch& branch, const Of& of, const Use& use) {
    std::vector<Key> keys;
    std::vector<std::vector<const Cell*>> cells;
    for (const Cell& cell : branch.cells) {
      for (const Key& key : of(cell)) {
        const auto at = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
        if (at == keys.size()) {
          keys.push_back(key);
          cells.emplace_back();
        }
        cells[at].push_back(&cell);
      }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto kind_of = [&](const Cell& cell) {
        return std::ranges::binary_search(cells[i], &cell) ? 0 : -1;
      };
      for (const CellBlock& block : MakeBlocks(set_, branch, kind_of)) use(keys[i], block);
    }
  }

  void AddExclusions(const CellBranch& branch) {
    using Out = std::pair<const OutReason*, std::string_view>;  // and the member, if it is one
    const auto of = [&](const Cell& cell) {
      std::vector<Out> outs;
      if (cell.out != nullptr) outs.emplace_back(cell.out, "");
      for (const std::uint32_t value : cell.at) {
        for (const TakenMember& member : set_.values[value].taken) {
          if (cell.out == nullptr) outs.emplace_back(member.why, member.name);
        }
      }
      return outs;
    };
    ForEachRuling<Out>(branch, of, [&](const Out& out, const CellBlock& block) {
      part_.exclusions.push_back({.reason = *out.first,
                                  .name = out.second.empty()
                                              ? std::string(NameOf(branch))
                                              : fmt::format("{} ({})", NameOf(branch), out.second),
                                  .values = ValuesOf(block, set_, schema_),
                                  .cells = block.cells(),
                                  .what = {}});
    });
  }

  void AddChanges(const CellBranch& branch) {
    const auto of = [](const Cell& cell) {
      return cell.out == nullptr && cell.extras != nullptr ? cell.extras->includes
                                                           : std::vector<const Node*>();
    };
    ForEachRuling<const Node*>(branch, of, [&](const Node* row, const CellBlock& block) {
      std::vector<std::string> columns;
      for (const Entry& entry : row->entries) {
        const auto is_axis = [&](std::size_t axis) {
          return schema_.axes[axis].name == entry.key->text;
        };
        const bool written = entry.key->where.known();
        if (!written || IsRemark(entry.key->text) ||
            std::ranges::any_of(set_.schema->axes, is_axis)) {
          continue;
        }
        columns.push_back(fmt::format("{}: {}", entry.key->text, entry.value->text));
      }
      part_.changes.push_back({.reason = {OutKind::kExcluded, FindText(row, "why"),
                                          FindText(row, "issue"), wheelwright::PlaceOf(*row)},
                               .name = std::string(NameOf(branch)),
                               .values = ValuesOf(block, set_, schema_),
                               .cells = block.cells(),
                               .what = fmt::format("{}", fmt::join(columns, ", "))});
    });
  }

  const Schema& schema_;
  PlanPart& part_;
  const CellSet& set_;
  const ViewSchema& view_;
};

std::string DescribeRule(const Node& row, const SetSchema& set, const Schema& schema) {
  std::vector<std::string> parts;
  for (const std::size_t at : set.axes) {
    const std::string_view axis = schema.axes[at].name;
    const Node* value = Find(&row, axis);
    if (value == nullptr || value->is_null()) continue;
    std::string text(value->text);
    for (const Node* item : value->items)
      text += (text.empty() ? "" : " ") + std::string(item->text);
    parts.push_back(fmt::format("{} {}", axis, text));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void AddTakerExcludes(const Matrix& matrix, PlanReport& report) {
  for (const SetSchema& kind : matrix.schema.sets) {
    if (kind.takers.table.empty()) continue;
    for (const Entry& taker : matrix.Table(kind.takers.table)->entries) {
      const Node* excludes = Find(taker.value, kind.takers.exclude);
      if (excludes == nullptr) continue;
      for (const Node* row : excludes->items) {
        report.taker_excludes.push_back({.kind = &kind,
                                         .taker = taker.key->text,
                                         .what = DescribeRule(*row, kind, matrix.schema),
                                         .why = FindText(row, "why"),
                                         .where = row->where});
      }
    }
  }
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

const AxisValue* PlanPart::ValueOf(const CellBranch& branch) const {
  return branch.at.empty() ? nullptr : &set->values[branch.at.back()];
}

PlanReport MakeReport(const Matrix& matrix, const Cells& cells,
                      std::span<const WorkflowUsage> files, const PlanOptions& options) {
  PlanReport report;
  if (options.workflow.empty()) report.acknowledged = Acknowledgements(matrix).rows();
  std::set<const CellBranch*> wanted;
  for (const WorkflowUsage& file : files) {
    if (!Takes(options.workflow, file.file)) continue;
    report.files.push_back(&file);
    wanted.insert(file.branches.begin(), file.branches.end());
    report.jobs += file.jobs;
    report.needs_edges = std::max(report.needs_edges, file.needs_edges);
  }
  const auto is_wanted = [&](const CellBranch& branch) {
    return options.workflow.empty() || wanted.contains(&branch);
  };
  for (const CellSet& set : cells.sets) {
    const std::size_t shared = std::max<std::size_t>(set.schema->nested, 1) - 1;
    for (std::size_t i = 0, end = 0; i < set.branches.size(); i = end) {
      const auto same = [&](const CellBranch& branch) {
        return std::equal(branch.at.begin(),
                          branch.at.begin() + static_cast<std::ptrdiff_t>(shared),
                          set.branches[i].at.begin());
      };
      while (end < set.branches.size() && same(set.branches[end])) ++end;
      const std::span branches(set.branches.data() + i, end - i);
      PlanPart part{.set = &set,
                    .values = {},
                    .rows = {},
                    .branches = {},
                    .exclusions = {},
                    .changes = {},
                    .dead_ends = {},
                    .absent = {}};
      for (std::size_t axis = 0; axis < std::min(shared, set.branches[i].at.size()); ++axis) {
        part.values.push_back(&set.Value(set.branches[i], axis));
      }
      // A branch that is left out as a whole is listed only where its part is shown in full.
      const bool whole = std::ranges::all_of(
          branches, [&](const CellBranch& b) { return b.in == 0 || is_wanted(b); });
      PartMaker maker(matrix.schema, part);
      for (const CellBranch& branch : branches) {
        if (branch.in > 0 ? !is_wanted(branch) : !whole) continue;
        maker.Add(branch);
        report.cells += branch.in;
        report.out += branch.cells.size() - branch.in;
      }
      if (!part.branches.empty()) report.parts.push_back(std::move(part));
    }
  }
  if (!report.parts.empty()) AddTakerExcludes(matrix, report);
  if (!report.files.empty()) AddLimits(matrix.limits, report);
  return report;
}

}  // namespace wheelwright
