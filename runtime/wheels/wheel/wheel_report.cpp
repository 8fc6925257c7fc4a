#include "runtime/wheels/wheel/wheel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/storage/transfer_meter.h"

namespace wheelwright {
namespace {

std::string Verdict(const Diagnostics& findings) {
  return findings.empty() ? "good" : Summarize(findings);
}

std::string_view Needs(const WheelReport& wheel) {
  return wheel.needs.empty() ? std::string_view("-") : std::string_view(wheel.needs);
}

Json FindingsAsJson(const Diagnostics& findings, const SourceManager& sources) {
  Json list = Json::array();
  const std::string text = Render(findings, sources, ReportFormat::kJson, false);
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.empty()) list.push_back(ParseOrderedJson(line));
  }
  return list;
}

}  // namespace

std::string WheelTable(const WheelCheckReport& report) {
  if (report.wheels.empty()) return {};
  std::size_t width = 5;
  for (const WheelReport& wheel : report.wheels) {
    width = std::max(width, CountCharacters(OneLine(wheel.file)));
  }
  std::string out = fmt::format("{:{}}  {:>8}  {:>8}  {:>7}  {:14}  verdict\n", "wheel", width,
                                "size", "unpacked", "files", "needs");
  for (const WheelReport& wheel : report.wheels) {
    out += fmt::format("{:{}}  {:>8}  {:>8}  {:>7}  {:14}  {}\n", OneLine(wheel.file), width,
                       SizeText(wheel.size), SizeText(wheel.unpacked), WithThousands(wheel.files),
                       Needs(wheel), Verdict(wheel.findings));
  }
  return out;
}

std::string WheelFindingsText(const WheelCheckReport& report, const SourceManager& sources,
                              ReportFormat format, bool color) {
  std::string out;
  const auto add = [&](const Diagnostics& findings) {
    const std::string text = Render(findings, sources, format, color);
    if (!out.empty() && !text.empty() && format == ReportFormat::kText) out += '\n';
    out += text;
  };
  add(report.together);
  for (const WheelReport& wheel : report.wheels) add(wheel.findings);
  return out;
}

std::string FindingsBlock(std::string_view text) {
  if (text.empty()) return {};
  std::string out = "\n";
  for (const std::string_view line : Split(text, '\n')) {
    out += line.empty() ? "\n" : fmt::format("    {}\n", line);
  }
  return out;
}

std::string WheelVerdict(const WheelCheckReport& report) {
  const std::size_t errors = report.errors(), warnings = report.warnings();
  std::string verdict = errors == 0 ? "good" : Count(errors, "error");
  if (warnings > 0) verdict += ", " + Count(warnings, "warning");
  return fmt::format("{}: {}", Count(report.wheels.size(), "wheel"), verdict);
}

std::string WheelSummary(const WheelCheckReport& report, const SourceManager& sources) {
  std::string out = fmt::format("### {}\n", WheelVerdict(report));
  if (!report.wheels.empty()) {
    out +=
        "\n| wheel | version | tag | needs | size | unpacked | files | verdict |\n"
        "| --- | --- | --- | --- | ---: | ---: | ---: | --- |\n";
  }
  for (const WheelReport& wheel : report.wheels) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                       EscapeMarkdown(wheel.project.empty() ? wheel.file : wheel.project),
                       EscapeMarkdown(wheel.version), EscapeMarkdown(wheel.tag), Needs(wheel),
                       SizeText(wheel.size), SizeText(wheel.unpacked), WithThousands(wheel.files),
                       Verdict(wheel.findings));
  }
  return out + FindingsBlock(WheelFindingsText(report, sources, ReportFormat::kText, false));
}

std::string WheelJson(const WheelCheckReport& report, const SourceManager& sources) {
  Json json{{"good", report.good()}, {"wheels", Json::array()}};
  for (const WheelReport& wheel : report.wheels) {
    json["wheels"].push_back({{"file", wheel.file},
                              {"project", wheel.project},
                              {"version", wheel.version},
                              {"tag", wheel.tag},
                              {"needs", wheel.needs},
                              {"size", wheel.size},
                              {"unpacked", wheel.unpacked},
                              {"files", wheel.files},
                              {"findings", FindingsAsJson(wheel.findings, sources)}});
  }
  json["findings"] = FindingsAsJson(report.together, sources);
  return DumpJson(json, 2) + "\n";
}

}  // namespace wheelwright
