#include "runtime/commands/run_place.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace wheelwright {

std::vector<OptionSpec> RunOptions() {
  return {{.name = "run-id",
           .argument = "ID",
           .help = "The run whose folder it is (default: the run of this job)"},
          {.name = "repository",
           .argument = "OWNER/NAME",
           .help = "The repository of that run (default: the job's, else the matrix's)"}};
}

std::string TakeRepository(const Arguments& arguments, const Host& host, const Plan& plan) {
  if (arguments.Has("repository")) return std::string(arguments.Get("repository"));
  const std::string own = host.Variable("GITHUB_REPOSITORY");
  return own.empty() ? plan.selection.repository : own;
}

std::string TakeRunId(const Arguments& arguments, const Host& host) {
  return arguments.Has("run-id") ? std::string(arguments.Get("run-id"))
                                 : host.Variable("GITHUB_RUN_ID");
}

bool RunsFork(const Host& host) {
  if (EqualsIgnoringCase(host.Variable("IS_PR_FROM_FORK"), "true")) return true;
  const std::string path = host.Variable("GITHUB_EVENT_PATH");
  if (path.empty()) return false;
  std::optional<std::string> text;
  try {
    text = host.files.Read(path);
  } catch (const FileError&) {
    return false;
  }
  const nlohmann::json event = nlohmann::json::parse(text.value_or(""), nullptr, false);
  const nlohmann::json::json_pointer head("/pull_request/head/repo/full_name");
  const nlohmann::json::json_pointer base("/pull_request/base/repo/full_name");
  return event.is_object() && event.contains(head) && event.contains(base) &&
         event.at(head) != event.at(base);
}

std::string ReleaseTypeOf(std::string_view artifact_bucket, const Plan& plan) {
  for (const ReleaseIndex& row : plan.indexes) {
    const auto place = FindArtifactPlace(
        plan.artifact_buckets,
        {.repository = plan.selection.repository, .release_type = row.release_type});
    if (place && place->bucket == artifact_bucket) return row.release_type;
  }
  return {};
}

std::string RunFolder(const ArtifactPlace& place, std::string_view run_id,
                      std::string_view platform) {
  return fmt::format("{}{}-{}/", place.prefix, run_id, platform);
}

std::string ArchiveFolder(std::string_view group) { return fmt::format("artifacts/{}/", group); }

std::string PackageFolder(std::string_view group) { return fmt::format("python/{}/", group); }

}  // namespace wheelwright
