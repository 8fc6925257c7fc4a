#include "runtime/hip/code/code_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/wheel/wheel_report.h"

namespace wheelwright {
namespace {

constexpr std::size_t kBar = 24;          // characters
constexpr std::size_t kMostObjects = 40;  // of a wheel in a step summary

// The number of containers of each kind.
std::map<std::string, std::size_t> KindsOf(const DeviceObject& object) {
  std::map<std::string, std::size_t> kinds;
  for (const OffloadBundle& bundle : object.bundles) ++kinds[bundle.Describe()];
  return kinds;
}

std::vector<std::string> TargetNames(const std::set<GfxTarget>& targets) {
  std::vector<std::string> names;
  for (const GfxTarget& target : targets) names.push_back(target.ToString());
  return names;
}

std::string KindsText(const DeviceObject& object) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : KindsOf(object)) {
    parts.push_back(count == 1 ? kind : fmt::format("{} x {}", WithThousands(count), kind));
  }
  if (object.kpack) {
    parts.push_back(fmt::format("its code stands in {}", fmt::join(object.kpack->paths, ", ")));
  }
  if (!object.problems.empty()) parts.emplace_back("not readable to its end");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Bar(std::uint64_t part, std::uint64_t most) {
  std::size_t length = 0;
  if (most > 0) {
    length = static_cast<std::size_t>(
        std::lround(static_cast<double>(part) * kBar / static_cast<double>(most)));
  }
  if (part > 0) length = std::max<std::size_t>(length, 1);
  std::string bar;
  for (std::size_t i = 0; i < length; ++i) bar += "█";
  return bar;
}

Json FindingsAsJson(const Diagnostics& findings) {
  Json list = Json::array();
  const std::string text = Render(findings, SourceManager(), ReportFormat::kJson, false);
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.empty()) list.push_back(ParseOrderedJson(line));
  }
  return list;
}

// The required targets that no code of the wheel runs on; empty for a wheel without code.
std::vector<std::string> MissingOf(const std::vector<TargetShare>& shares,
                                   const std::vector<GfxTarget>& asked) {
  std::vector<std::string> missing;
  for (const GfxTarget& wanted : asked) {
    const bool there = std::ranges::any_of(
        shares, [&](const TargetShare& share) { return Serves(share.target, wanted); });
    if (!shares.empty() && !there) missing.push_back(wanted.ToString());
  }
  return missing;
}

std::string WheelAsMarkdown(const WheelCode& wheel, const std::vector<GfxTarget>& asked) {
  std::string out =
      fmt::format("\n**{}** ({})\n", EscapeMarkdown(wheel.file), SizeText(wheel.size));
  const std::vector<TargetShare> shares = SharesOf(wheel.objects);
  if (shares.empty()) return out + "\nNo code for GPUs.\n";
  std::uint64_t most = 0;
  for (const TargetShare& share : shares) most = std::max(most, share.packed);
  out +=
      "\n| target | in the wheel | | in its files | unpacked | images |\n"
      "| --- | ---: | --- | ---: | ---: | ---: |\n";
  for (const TargetShare& share : shares) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", share.target.ToString(),
                       SizeText(share.packed), Bar(share.packed, most), SizeText(share.stored),
                       SizeText(share.unpacked), WithThousands(share.images));
  }
  for (const std::string& name : MissingOf(shares, asked)) {
    out += fmt::format("| {} | **missing** | | | | 0 |\n", name);
  }
  out += fmt::format(
      "\n<details><summary>{}</summary>\n\n| file | code | targets |\n"
      "| --- | --- | --- |\n",
      Count(wheel.objects.size(), "file"));
  std::size_t shown = 0;
  for (const WheelObject& object : wheel.objects) {
    if (++shown > kMostObjects) {
      out += fmt::format("| and {} more | | |\n", wheel.objects.size() - kMostObjects);
      break;
    }
    out += fmt::format("| {} | {} | {} |\n", EscapeMarkdown(object.code.name),
                       EscapeMarkdown(KindsText(object.code)),
                       fmt::format("{}", fmt::join(TargetNames(object.code.Targets()), " ")));
  }
  return out + "\n</details>\n";
}

}  // namespace

std::size_t CodeReport::errors() const {
  std::size_t count = together.errors();
  for (const Diagnostics& own : findings) count += own.errors();
  return count;
}

std::size_t CodeReport::warnings() const {
  std::size_t count = together.warnings();
  for (const Diagnostics& own : findings) count += own.warnings();
  return count;
}

CodeReport MakeCodeReport(std::vector<WheelCode> wheels, const CodeExpectations& expected) {
  CodeReport report{.wheels = std::move(wheels), .asked = expected.targets};
  for (const WheelCode& wheel : report.wheels) {
    report.findings.push_back(CheckWheelCode(wheel, report.wheels, expected));
  }
  report.together = CheckAllWheelCode(report.wheels, expected);
  return report;
}

std::string CodeTable(const CodeReport& report) {
  std::string out;
  for (const WheelCode& wheel : report.wheels) {
    if (!out.empty()) out += '\n';
    out += fmt::format("{}  {}\n", OneLine(wheel.file), SizeText(wheel.size));
    const std::vector<TargetShare> shares = SharesOf(wheel.objects);
    if (shares.empty()) out += "  no code for GPUs\n";
    std::size_t width = 6;
    for (const TargetShare& share : shares) {
      width = std::max(width, share.target.ToString().size());
    }
    if (!shares.empty()) {
      out += fmt::format("  {:{}}  {:>7}  {:>8}  {:>8}  {:>12}\n", "target", width, "images",
                         "unpacked", "stored", "in the wheel");
    }
    for (const TargetShare& share : shares) {
      out += fmt::format("  {:{}}  {:>7}  {:>8}  {:>8}  {:>12}\n", share.target.ToString(), width,
                         WithThousands(share.images), SizeText(share.unpacked),
                         SizeText(share.stored), SizeText(share.packed));
    }
    for (const std::string& name : MissingOf(shares, report.asked)) {
      out += fmt::format("  {:{}}  {:>7}\n", name, width, "missing");
    }
    for (const WheelObject& object : wheel.objects) {
      out += fmt::format("  {}: {}", OneLine(object.code.name), OneLine(KindsText(object.code)));
      const std::set<GfxTarget> targets = object.code.Targets();
      if (!targets.empty()) out += fmt::format(" for {}", fmt::join(TargetNames(targets), " "));
      out += '\n';
    }
  }
  return out;
}

std::string CodeFindingsText(const CodeReport& report, ReportFormat format, bool color) {
  std::string out;
  const auto add = [&](const Diagnostics& findings) {
    const std::string text = Render(findings, SourceManager(), format, color);
    if (!out.empty() && !text.empty() && format == ReportFormat::kText) out += '\n';
    out += text;
  };
  add(report.together);
  for (const Diagnostics& own : report.findings) add(own);
  return out;
}

std::string CodeVerdict(const CodeReport& report) {
  std::string verdict = report.errors() == 0 ? "good" : Count(report.errors(), "error");
  if (report.warnings() > 0) verdict += ", " + Count(report.warnings(), "warning");
  std::string asked;
  if (!report.asked.empty()) {
    std::vector<std::string> names;
    for (const GfxTarget& target : report.asked) names.push_back(target.ToString());
    asked = " for " + JoinWords(names);
  }
  return fmt::format("code{} in {}: {}", asked, Count(report.wheels.size(), "file"), verdict);
}

std::string CodeSummary(const CodeReport& report) {
  std::string out = fmt::format("### GPU {}\n", CodeVerdict(report));
  for (const WheelCode& wheel : report.wheels) {
    out += WheelAsMarkdown(wheel, report.asked);
  }
  return out + FindingsBlock(CodeFindingsText(report, ReportFormat::kText, false));
}

std::string CodeJson(const CodeReport& report) {
  Json json{{"good", report.errors() == 0}, {"asked", Json::array()}, {"wheels", Json::array()}};
  for (const GfxTarget& target : report.asked) json["asked"].push_back(target.ToString());
  for (std::size_t i = 0; i < report.wheels.size(); ++i) {
    const WheelCode& wheel = report.wheels[i];
    Json row{{"file", wheel.file},
             {"size", wheel.size},
             {"targets", Json::array()},
             {"objects", Json::array()}};
    for (const TargetShare& share : SharesOf(wheel.objects)) {
      row["targets"].push_back({{"target", share.target.ToString()},
                                {"images", share.images},
                                {"unpacked", share.unpacked},
                                {"stored", share.stored},
                                {"packed", share.packed}});
    }
    row["missing"] = MissingOf(SharesOf(wheel.objects), report.asked);
    for (const WheelObject& object : wheel.objects) {
      Json kinds = Json::object();
      for (const auto& [kind, count] : KindsOf(object.code)) kinds[kind] = count;
      row["objects"].push_back(
          {{"name", object.code.name},
           {"bundles", std::move(kinds)},
           {"kpack", object.code.kpack ? Json(object.code.kpack->paths) : Json::array()},
           {"targets", TargetNames(object.code.Targets())}});
    }
    row["findings"] = FindingsAsJson(report.findings[i]);
    json["wheels"].push_back(std::move(row));
  }
  json["findings"] = FindingsAsJson(report.together);
  return DumpJson(json, 2) + "\n";
}

}  // namespace wheelwright
