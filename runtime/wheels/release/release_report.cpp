#include "runtime/wheels/release/release_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

struct ReleaseLine {
  std::string platform;
  std::string part;  // a combo, or the packages of ROCm
  std::size_t needed = 0;
  std::size_t there = 0;
  bool left_out = false;

  std::string State() const {
    if (left_out) return there == 0 ? "left out" : there == needed ? "was there" : "in part";
    return there == needed ? "whole" : "incomplete";
  }
};

std::vector<ReleaseLine> LinesOf(const ReleaseSet& set, const ReleaseCheck& check) {
  std::vector<ReleaseLine> lines;
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const ReleaseMember& member = set.members[i];
    const bool there = !check.of_member[i].empty();
    if (!set.Compares(member.platform) || (!member.needed && !there)) continue;
    const std::string platform = member.platform.empty() ? "all" : member.platform;
    const std::string part = member.combo.empty() ? "ROCm" : member.combo;
    auto line = std::ranges::find_if(lines, [&](const ReleaseLine& one) {
      return one.platform == platform && one.part == part;
    });
    if (line == lines.end()) {
      lines.push_back({.platform = platform, .part = part, .left_out = member.left_out});
      line = std::prev(lines.end());
    }
    ++line->needed;
    if (there) ++line->there;
  }
  return lines;
}

std::string StateOf(const ReleaseMember& member, bool there) {
  if (there) return "there";
  if (member.left_out) return "left out";
  return member.needed ? "missing" : "not built";
}

}  // namespace

std::string ReleaseVerdict(const ReleaseSet& set, const ReleaseCheck& check) {
  std::size_t needed = 0, there = 0, left_out = 0, errors = 0;
  for (const ReleaseLine& line : LinesOf(set, check)) {
    if (line.left_out && line.there == 0) {
      ++left_out;
      continue;
    }
    needed += line.needed;
    there += line.there;
  }
  for (const ReleaseFinding& finding : check.findings) errors += finding.error() ? 1 : 0;
  return fmt::format("{}, ROCm {} ({}): {}, {} of {} members{}", set.family, set.rocm.ToString(),
                     set.release_type, errors == 0 ? "whole" : Count(errors, "error"), there,
                     needed,
                     left_out == 0 ? "" : fmt::format(", {} left out", Count(left_out, "combo")));
}

std::string ReleaseTable(const ReleaseSet& set, const ReleaseCheck& check) {
  const std::vector<ReleaseLine> lines = LinesOf(set, check);
  std::size_t width = 5;
  for (const ReleaseLine& line : lines) width = std::max(width, line.part.size());
  std::string out = fmt::format("{:<8} {:<{}}  there  state\n", "platform", "combo", width);
  for (const ReleaseLine& line : lines) {
    out += fmt::format("{:<8} {:<{}}  {:>2}/{:<2}  {}\n", line.platform, line.part, width,
                       line.there, line.needed, line.State());
  }
  return out;
}

std::string ReleaseSummary(const ReleaseSet& set, const ReleaseCheck& check) {
  std::string out = fmt::format("### Release: {}\n\n| platform | combo | there | state |\n",
                                EscapeMarkdown(ReleaseVerdict(set, check)));
  out += "| --- | --- | --- | --- |\n";
  for (const ReleaseLine& line : LinesOf(set, check)) {
    out += fmt::format("| {} | {} | {} of {} | {} |\n", line.platform, EscapeMarkdown(line.part),
                       line.there, line.needed, line.State());
  }
  for (const ReleaseFinding& finding : check.findings) {
    out += fmt::format("\n{}: {}.\n", finding.error() ? "Error" : "Warning",
                       EscapeMarkdown(finding.message));
  }
  return out + "\n";
}

std::string ReleaseJson(const ReleaseSet& set, const ReleaseCheck& check) {
  Json json{{"family", set.family},
            {"release_type", set.release_type},
            {"rocm_version", set.rocm.ToString()},
            {"platforms", set.platforms},
            {"whole", check.whole()}};
  Json members = Json::array();
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const ReleaseMember& member = set.members[i];
    if (!set.Compares(member.platform)) continue;
    Json files = Json::array();
    for (const std::size_t file : check.of_member[i]) files.push_back(check.files[file].file);
    Json row{{"project", member.project}};
    if (!member.platform.empty()) row["platform"] = member.platform;
    if (!member.combo.empty()) row["combo"] = member.combo;
    if (member.python) row["python"] = member.python->Text();
    if (member.version) row["version"] = member.version->ToString();
    row["state"] = StateOf(member, !check.of_member[i].empty());
    row["files"] = std::move(files);
    members.push_back(std::move(row));
  }
  Json findings = Json::array();
  for (const ReleaseFinding& finding : check.findings) {
    findings.push_back({{"kind", NameOf(finding.kind)},
                        {"error", finding.error()},
                        {"subject", finding.subject},
                        {"message", finding.message}});
  }
  json["members"] = std::move(members);
  json["findings"] = std::move(findings);
  return DumpJson(json, 1) + "\n";
}

}  // namespace wheelwright
