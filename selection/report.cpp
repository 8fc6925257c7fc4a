#include "selection/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/columns.h"
#include "base/text.h"

namespace wheelwright {
namespace {

using Row = std::vector<std::string>;

std::string OrDash(std::string_view text) { return std::string(text.empty() ? "-" : text); }

// Groups names by their reason, in the order of each reason's first name.
class ReasonGroups {
 public:
  explicit ReasonGroups(std::string_view kind) : kind_(kind) {}

  void Add(std::string why, const std::string& name) {
    const auto row = std::ranges::find(rows_, why, [](const Row& known) { return known[1]; });
    if (row == rows_.end()) {
      rows_.push_back({std::string(kind_), std::move(why), name});
    } else {
      (*row)[2] += ", " + name;
    }
  }
  void AppendTo(std::vector<Row>& rows) const {
    rows.insert(rows.end(), rows_.begin(), rows_.end());
  }

 private:
  std::string_view kind_;
  std::vector<Row> rows_;
};

std::string TableOf(std::initializer_list<ReasonGroups> sayings, std::size_t width) {
  std::vector<Row> rows;
  for (const ReasonGroups& one : sayings) one.AppendTo(rows);
  return InColumns(rows, width);
}

std::string WithIssue(const std::string& why, const std::string& issue) {
  return issue.empty() ? why : fmt::format("{}, {}", why, issue);
}

std::string CombosOf(const SelectedFamily& family) {
  std::vector<std::string_view> ids;
  for (const PlannedCombo& combo : family.pytorch_combos) ids.push_back(combo.id);
  return ids.empty() ? "-" : fmt::format("{}", fmt::join(ids, " "));
}

std::string TestsOf(const SelectedFamily& family) {
  std::string tests = OrDash(family.test_runs_on);
  if (family.sanity_check_only && !family.test_runs_on.empty()) tests += " (sanity checks)";
  return tests;
}

std::string WhatPromotes(Promotes promotes) {
  switch (promotes) {
    case Promotes::kTests:
      return "when tests pass";
    case Promotes::kBypass:
      return "without tests";
    case Promotes::kNever:
      break;
  }
  return "never";
}

// The conditions of all combos of a family, usually one.
std::string PromotesOf(const ReleaseFamily& family) {
  std::vector<std::string> ways;
  for (const ReleaseCombo& combo : family.combos) {
    std::string way = WhatPromotes(combo.promotes);
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
  }
  return ways.empty() ? "-" : fmt::format("{}", fmt::join(ways, ", "));
}

std::string OutOf(const ReleaseFamily& family, const ReleaseOut& out) {
  return out.combos.empty()
             ? family.family
             : fmt::format("{} {}", family.family, Count(out.combos.size(), "combo"));
}

std::string WorkflowNames(const Selection& selection) {
  std::vector<std::string> files;
  for (const std::string& workflow : selection.workflows) files.push_back(workflow + ".yml");
  return files.empty() ? "no workflow" : JoinWords(files);
}

std::string TestLabels(const Selection& selection, std::string_view separator) {
  std::string out;
  for (const PlatformSelection& platform : selection.platforms) {
    if (platform.test_labels.empty()) continue;
    out += fmt::format("tested in full on {}: {}{}", platform.title,
                       fmt::join(platform.test_labels, ", "), separator);
  }
  return out;
}

// Untrusted text in a table cell.
std::string Cell(std::string_view text) {
  constexpr std::string_view kMeaning = "\\`*[]<>|~";
  std::string out;
  for (const char c : Printable(text)) {
    if (c == '\n') {
      out += ' ';
      continue;
    }
    if (kMeaning.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string MarkdownRow(const Row& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string Head(const Row& titles) {
  return MarkdownRow(titles) + MarkdownRow(Row(titles.size(), "---"));
}

// For a selection without families: the reason for each, unless all have the same.
std::string WhyNone(const Selection& selection, std::size_t width) {
  std::string out;
  for (const PlatformSelection& platform : selection.platforms) {
    ReasonGroups left_out("out");
    for (const LeftOutFamily& family : platform.out) {
      if (family.why == selection.build_why) return {};
      left_out.Add(family.why, family.key);
    }
    out += fmt::format("\n{}\n{}", platform.title, TableOf({left_out}, width));
  }
  return out;
}

}  // namespace

std::string SelectionAsText(const Selection& selection, std::size_t width) {
  std::string out = fmt::format("{} starts {}\n", selection.event, WorkflowNames(selection));
  out += fmt::format("build: {} ({})\n", selection.build ? "yes" : "no", selection.build_why);
  if (!selection.build) return out + WhyNone(selection, width);
  out += fmt::format("tests: {} ({})\n", selection.test_type, selection.test_type_why);
  out += TestLabels(selection, "\n");
  if (!selection.artifact_run_id.empty()) {
    out += fmt::format("prebuilt artifacts: of the run {}\n", selection.artifact_run_id);
  }
  for (const PlatformSelection& platform : selection.platforms) {
    out += fmt::format("\n{}\n", platform.title);
    std::vector<Row> rows{{"family", "variant", "builds on", "tests on", "PyTorch", "why"}};
    ReasonGroups untested("not tested"), no_pytorch("no PyTorch"), left_out("out");
    for (const SelectedFamily& family : platform.in) {
      rows.push_back({family.artifact_group, family.variant.label,
                      family.use_prebuilt_artifacts ? "(prebuilt)" : family.build_runs_on,
                      TestsOf(family), CombosOf(family), family.why});
      if (family.test_runs_on.empty()) untested.Add(family.test_why, family.artifact_group);
      if (!family.build_pytorch) {
        no_pytorch.Add(WithIssue(family.pytorch_why, family.pytorch_issue), family.artifact_group);
      }
    }
    for (const LeftOutFamily& family : platform.out) left_out.Add(family.why, family.key);
    if (rows.size() > 1) out += InColumns(rows, width);
    out += TableOf({untested, no_pytorch, left_out}, width);
  }
  return out;
}

std::string SelectionAsText(const ReleaseSelection& selection, std::size_t width) {
  std::string out = fmt::format("{} release by {} ({})\n", selection.release_type, selection.event,
                                selection.why);
  for (const ReleasePlatform& platform : selection.platforms) {
    out += fmt::format("\n{}\n", platform.title);
    std::vector<Row> rows{{"family", "builds on", "tests on", "combos", "promoted"}};
    ReasonGroups not_built("no PyTorch"), left_out("out");
    for (const ReleaseFamily& family : platform.in) {
      rows.push_back({family.family, family.build_runs_on, OrDash(family.test_runs_on),
                      WithThousands(family.combos.size()), PromotesOf(family)});
      for (const ReleaseOut& reason : family.out) {
        not_built.Add(WithIssue(reason.why, reason.issue), OutOf(family, reason));
      }
    }
    for (const auto& family : platform.out) left_out.Add(family.why, family.key);
    if (rows.size() > 1) out += InColumns(rows, width);
    out += TableOf({not_built, left_out}, width);
  }
  return out;
}

std::string SelectionAsMarkdown(const Selection& selection) {
  std::string out = fmt::format("- **{}** starts {}\n- Build: **{}**: {}\n", Cell(selection.event),
                                WorkflowNames(selection), selection.build ? "yes" : "no",
                                Cell(selection.build_why));
  if (selection.build) {
    out += fmt::format("- Tests: **{}**: {}\n", selection.test_type, Cell(selection.test_type_why));
  }
  out += fmt::format("\n{}", Head({"", "family", "platform", "why", "tests on", "PyTorch"}));
  for (const PlatformSelection& platform : selection.platforms) {
    for (const SelectedFamily& family : platform.in) {
      out += MarkdownRow(
          {"in", family.artifact_group, platform.title, Cell(family.why),
           family.test_runs_on.empty() ? Cell("- " + family.test_why) : Cell(TestsOf(family)),
           family.build_pytorch
               ? CombosOf(family)
               : Cell("- " + WithIssue(family.pytorch_why, family.pytorch_issue))});
    }
    for (const LeftOutFamily& family : platform.out) {
      out += MarkdownRow({"out", family.family.empty() ? family.key : family.family, platform.title,
                          Cell(family.why), "", ""});
    }
  }
  if (const std::string labels = TestLabels(selection, "; "); !labels.empty()) {
    out += fmt::format("\n{}\n", Cell(labels.substr(0, labels.size() - 2)));
  }
  return out;
}

std::string SelectionAsMarkdown(const ReleaseSelection& selection) {
  std::string out =
      fmt::format("**{}** release by {}: {}.\n\n{}", selection.release_type, Cell(selection.event),
                  Cell(selection.why),
                  Head({"", "family", "platform", "why", "tests on", "combos", "promoted"}));
  for (const ReleasePlatform& platform : selection.platforms) {
    for (const ReleaseFamily& family : platform.in) {
      std::string why = family.why;
      for (const ReleaseOut& reason : family.out) {
        why += fmt::format(
            "; without {}: {}",
            reason.combos.empty() ? std::string("PyTorch") : Count(reason.combos.size(), "combo"),
            WithIssue(reason.why, reason.issue));
      }
      out +=
          MarkdownRow({"in", family.family, platform.title, Cell(why), OrDash(family.test_runs_on),
                       WithThousands(family.combos.size()), PromotesOf(family)});
    }
    for (const auto& family : platform.out) {
      out += MarkdownRow({"out", family.key, platform.title, Cell(family.why), "", "", ""});
    }
  }
  return out;
}

}  // namespace wheelwright
