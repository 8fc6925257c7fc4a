#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/version/rocm_version.h"

namespace wheelwright {
namespace {

std::string Today(const Host& host) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(host.now()));
  return fmt::format("{:04}{:02}{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::string TextOf(const nlohmann::json& json, const nlohmann::json::json_pointer& where) {
  const nlohmann::json* value = json.contains(where) ? &json[where] : nullptr;
  if (value == nullptr) return {};
  // A date may be a number.
  return value->is_string() ? value->get<std::string>() : value->dump();
}

// Reads the base version and date of the sources.
bool ReadVersionFile(const std::string& path, Host& host, RocmVersionRequest& request,
                     Diagnostics& diagnostics) {
  const std::optional<std::string> text = host.files.Read(path);
  if (!text) {
    // The file is not needed when the base version is given.
    if (!request.base_version.empty()) return true;
    diagnostics.Report({.code = "version-file",
                        .message = fmt::format("there is no {}", path),
                        .hint = "give --override-base-version, or --root with the folder of ROCm's "
                                "sources"});
    return false;
  }
  const nlohmann::json json = ParseJson(*text);
  if (!json.is_object()) {
    diagnostics.Report({.code = "version-file",
                        .message = fmt::format("{} is no JSON object", path),
                        .hint = "expected one with the version as rocm-version"});
    return false;
  }
  if (request.base_version.empty()) {
    request.base_version = TextOf(json, nlohmann::json::json_pointer("/rocm-version"));
  }
  request.base_date = TextOf(json, nlohmann::json::json_pointer("/release-metadata/base-date"));
  return true;
}

std::string Commit(const Arguments& arguments, Host& host, const std::string& root) {
  if (arguments.Has("override-git-sha")) return std::string(arguments.Get("override-git-sha"));
  if (std::string sha = host.Variable("GITHUB_SHA"); !sha.empty()) return sha;
  Runner runner(host, false);
  const auto head = runner.Try({.title = "read the commit of the sources",
                                .arguments = {"git", "rev-parse", "HEAD"},
                                .folder = root == "." ? "" : root});
  return std::string(Trim(head.value_or("")));
}

int RunVersionRocm(const Arguments& arguments, Host& host) {
  const std::string root(arguments.Has("root") ? arguments.Get("root") : ".");
  RocmVersionRequest request{
      .base_version = std::string(arguments.Get("override-base-version")),
      .release_type = std::string(arguments.Get("release-type")),
      .custom_suffix = std::string(arguments.Get("custom-version-suffix")),
      .prerelease_version = std::string(arguments.Get("prerelease-version")),
      .date = arguments.Has("date") ? std::string(arguments.Get("date")) : Today(host)};
  Diagnostics diagnostics;
  const std::string path = root == "." ? "version.json" : root + "/version.json";
  if (!ReadVersionFile(path, host, request, diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  request.git_sha = ToLower(Commit(arguments, host, root));
  const auto versions = ComputeRocmVersions(request, diagnostics);
  if (!versions) return Refuse(diagnostics, arguments, host);
  JobFiles job(host);
  job.SetOutput("rocm_version", versions->wheel);
  job.SetOutput("rocm_package_version", versions->wheel);
  job.SetOutput("rocm_deb_package_version", versions->deb);
  job.SetOutput("rocm_rpm_package_version", versions->rpm);
  return kSuccess;
}

}  // namespace

Command VersionRocmCommand() {
  return {
      .name = "version rocm",
      .purpose = "Compute the version of the run's ROCm packages",
      .usage = {},
      .about =
          "Computes it from the version of the sources (rocm-version in version.json), the release "
          "type, the commit and the day. docs/wheels.md has the table.\n\nOutputs: rocm_version, "
          "the version of the Python packages, which is also called rocm_package_version; "
          "rocm_deb_package_version and rocm_rpm_package_version.\n",
      .options = {{.name = "release-type",
                   .argument = "TYPE",
                   .help = "The release type of the packages",
                   .values = {kRocmReleaseTypes.begin(), kRocmReleaseTypes.end()}},
                  {.name = "prerelease-version",
                   .argument = "NUMBER",
                   .help = "The number of the prerelease: 1"},
                  {.name = "custom-version-suffix",
                   .argument = "TEXT",
                   .help = "The suffix behind the base version, instead of a release type"},
                  {.name = "override-base-version",
                   .argument = "VERSION",
                   .help = "The base version, instead of that in version.json: 7.10.0"},
                  {.name = "override-git-sha",
                   .argument = "SHA",
                   .help = "The commit, instead of GITHUB_SHA or the checked-out one"},
                  {.name = "date",
                   .argument = "YYYYMMDD",
                   .help = "The day, instead of today (UTC)"},
                  {.name = "root",
                   .argument = "DIR",
                   .help = "The folder with the sources of ROCm (default: here)"}},
      .examples = {{"wheelrun version rocm --release-type nightly", "Version tonight's packages"},
                   {"wheelrun version rocm --release-type prerelease --prerelease-version 1 "
                    "--override-base-version 7.10.0",
                    "Version the first prerelease of 7.10.0"}},
      .outputs = {"rocm_version", "rocm_package_version", "rocm_deb_package_version",
                  "rocm_rpm_package_version"},
      .run_on_host = RunVersionRocm,
  };
}

}  // namespace wheelwright
