#include "runtime/wheels/wheel/wheel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/wheel_libraries.h"

namespace wheelwright {
namespace {

void CheckTogether(const std::vector<WheelContents>& wheels, const WheelExpectations& expected,
                   Diagnostics& diagnostics) {
  std::map<std::string, std::vector<std::string>> files;
  for (const WheelContents& wheel : wheels) {
    if (wheel.reading.name) files[wheel.reading.name->Project()].push_back(wheel.file);
  }
  const auto miss = [&](const std::string& project, Severity severity, std::string message,
                        SourceRange where) {
    if (files.contains(project)) return;
    diagnostics.Report({.severity = severity,
                        .code = "missing-wheel",
                        .message = std::move(message),
                        .where = where,
                        .hint = where.known() ? "resolved here" : ""});
  };
  if (wheels.empty()) {
    diagnostics.Report({.code = "missing-wheel",
                        .message = "there is no wheel at all",
                        .hint = "did the build end early, or write them to another folder?"});
  } else if (expected.versions) {
    for (const ResolvedVersion& resolved : *expected.versions) {
      miss(resolved.project, Severity::kError,
           fmt::format("there is no wheel of {}, which was resolved to {}", resolved.project,
                       resolved.version.ToString()),
           resolved.where);
    }
  } else if (expected.complete) {
    for (const std::string_view project : kPytorchProjects) {
      const bool optional = project == "triton" || project == "apex";
      if (optional && expected.platform != WheelPlatform::kLinux) continue;
      miss(std::string(project), optional ? Severity::kWarning : Severity::kError,
           fmt::format("there is no wheel of {}", project), {});
    }
  }
  for (const auto& [project, names] : files) {
    if (names.size() == 1) continue;
    diagnostics.Report(
        {.code = "surplus-wheel",
         .message = fmt::format("there are {} wheels of {}", names.size(), project),
         .hint = fmt::format("{}: it is unclear which one was built", JoinWords(names))});
  }
}

std::size_t Sum(const WheelCheckReport& report, std::size_t (Diagnostics::*count)() const) {
  std::size_t sum = (report.together.*count)();
  for (const WheelReport& wheel : report.wheels) sum += (wheel.findings.*count)();
  return sum;
}

}  // namespace

bool WheelCheckReport::good() const { return errors() == 0; }
std::size_t WheelCheckReport::errors() const { return Sum(*this, &Diagnostics::errors); }
std::size_t WheelCheckReport::warnings() const { return Sum(*this, &Diagnostics::warnings); }

WheelCheckReport CheckWheels(std::vector<WheelFile> wheels, const WheelExpectations& expected,
                             std::size_t threads, SourceManager& sources) {
  std::vector<WheelContents> contents;
  for (WheelFile& wheel : wheels) {
    contents.push_back(
        OpenWheel(wheel.path, std::move(wheel.source), std::move(wheel.problem), sources));
  }
  ReadEntries(contents, threads);
  WheelCheckReport report;
  for (const WheelContents& wheel : contents) {
    WheelFindings findings(wheel.file);
    CheckWheelFile(wheel, expected, findings);
    CheckWheelArchive(wheel, expected, findings);
    CheckWheelTexts(wheel, findings);
    CheckWheelMetadata(wheel, findings);
    CheckWheelModes(wheel, findings);
    CheckWheelRequirements(wheel, contents, findings);
    CheckWheelRecord(wheel, findings);
    CheckWheelLibraries(wheel, expected, findings);
    CheckWheelLinkage(wheel, expected, contents, findings);
    CheckWheelImports(wheel, expected, contents, findings);
    WheelReport one{.file = wheel.file};
    if (wheel.reading.name) {
      one.project = wheel.reading.name->Project();
      one.version = wheel.reading.name->version.ToString();
      one.tag = wheel.reading.name->tag;
    }
    if (wheel.source) one.size = wheel.source->size();
    one.needs = NeededPlatform(wheel);
    for (const ZipEntry& entry : wheel.archive.entries) {
      if (entry.folder) continue;
      ++one.files;
      one.unpacked += entry.size;
    }
    one.findings = findings.Take();
    report.wheels.push_back(std::move(one));
  }
  CheckTogether(contents, expected, report.together);
  return report;
}

std::optional<std::vector<ResolvedVersion>> ReadResolvedVersions(const SourceManager& sources,
                                                                 FileId file,
                                                                 Diagnostics& diagnostics) {
  const std::string_view text = sources.Text(file);
  const auto place = [&](std::size_t offset, std::size_t length) {
    return SourceRange{{file, static_cast<std::uint32_t>(std::min(offset, text.size()))},
                       static_cast<std::uint32_t>(length)};
  };
  const auto refuse = [&](std::string message, SourceRange where, std::string_view hint) {
    diagnostics.Report({.code = "resolved-versions",
                        .message = std::move(message),
                        .where = where,
                        .hint = std::string(hint)});
  };
  nlohmann::ordered_json json;
  try {
    json = nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    refuse("the versions are no JSON", place(error.byte > 0 ? error.byte - 1 : 0, 1),
           "it is invalid from here on");
    return std::nullopt;
  }
  if (!json.is_object()) {
    refuse("the versions are no JSON object", place(0, text.size()),
           R"(expected {"torch": "2.10.0"})");
    return std::nullopt;
  }
  std::vector<ResolvedVersion> versions;
  bool good = true;
  for (const auto& [project, value] : json.items()) {
    if (value.is_null() || (value.is_string() && value.get<std::string>().empty())) continue;
    const std::string written = DumpJson(value);
    const SourceRange where = place(text.find(written, text.find(project)), written.size());
    const auto version =
        value.is_string() ? ParsePackageVersion(value.get<std::string>()) : std::nullopt;
    if (!version) {
      refuse(fmt::format("the version of {} is none", Quoted(project)), where,
             "expected one such as \"2.10.0+rocm7.10.0\"");
      good = false;
      continue;
    }
    versions.push_back({NormalizeProject(project), *version, where});
  }
  if (!good) return std::nullopt;
  return versions;
}

}  // namespace wheelwright
