#include "runtime/wheels/provenance/attestation.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/quote.h"

namespace wheelwright {
namespace {

// "ROCm/TheRock/.github/workflows/release.yml@refs/heads/main": the path in the repository.
std::string PathOfWorkflow(std::string_view full, std::string_view repository) {
  if (full.starts_with(repository))
    full.remove_prefix(std::min(repository.size() + 1, full.size()));
  return std::string(full.substr(0, full.find('@')));
}

Json InputsOf(const Host& host) {
  const std::string path = host.Variable("GITHUB_EVENT_PATH");
  if (path.empty()) return Json::object();
  const Json event = ParseOrderedJson(host.files.Read(path).value_or(""));
  if (!event.is_object() || !event.contains("inputs") || !event["inputs"].is_object()) {
    return Json::object();
  }
  return event["inputs"];
}

Json Dependency(std::string_view repository, std::string_view ref, std::string_view commit) {
  const std::string at = ref.empty() ? std::string() : fmt::format("@{}", ref);
  return {{"uri", fmt::format("git+{}{}", repository, at)}, {"digest", {{"gitCommit", commit}}}};
}

std::string HomeOf(const AttestedRun& run) {
  return fmt::format("{}/{}", run.server, run.repository);
}

}  // namespace

AttestedRun ReadAttestedRun(const Host& host, std::string_view signer, Diagnostics& diagnostics) {
  const auto take = [&](std::string_view name) {
    std::string value = host.Variable(name);
    if (value.empty()) {
      diagnostics.Report({.code = "attest-input",
                          .message = fmt::format("the variable {} is not set", name),
                          .notes = {"a provenance tells of a run: GitHub sets it in every job"}});
    }
    return value;
  };
  AttestedRun run{.server = take("GITHUB_SERVER_URL"),
                  .repository = take("GITHUB_REPOSITORY"),
                  .repository_id = host.Variable("GITHUB_REPOSITORY_ID"),
                  .owner_id = host.Variable("GITHUB_REPOSITORY_OWNER_ID"),
                  .ref = take("GITHUB_REF"),
                  .commit = take("GITHUB_SHA"),
                  .event = take("GITHUB_EVENT_NAME"),
                  .runner = host.Variable("RUNNER_ENVIRONMENT"),
                  .inputs = InputsOf(host)};
  run.workflow = PathOfWorkflow(take("GITHUB_WORKFLOW_REF"), run.repository);
  take("GITHUB_RUN_ID");
  run.run = RunUrl(host);
  run.builder = fmt::format("{}/{}@{}", HomeOf(run), signer, run.ref);
  return run;
}

Json ProvenancePredicate(const AttestedRun& run, const std::vector<AttestedSource>& sources) {
  Json outside{
      {"workflow", {{"ref", run.ref}, {"repository", HomeOf(run)}, {"path", run.workflow}}}};
  if (!run.inputs.empty()) outside["inputs"] = run.inputs;
  Json github{{"event_name", run.event}};
  if (!run.repository_id.empty()) github["repository_id"] = run.repository_id;
  if (!run.owner_id.empty()) github["repository_owner_id"] = run.owner_id;
  if (!run.runner.empty()) github["runner_environment"] = run.runner;
  // The repository of the run is the first: verifiers expect it there.
  Json dependencies = Json::array({Dependency(HomeOf(run), run.ref, run.commit)});
  for (const AttestedSource& source : sources) {
    Json one = Dependency(source.repository, source.branch, source.commit);
    one["name"] = source.project;
    dependencies.push_back(std::move(one));
  }
  return {{"buildDefinition",
           {{"buildType", "https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1"},
            {"externalParameters", std::move(outside)},
            {"internalParameters", {{"github", std::move(github)}}},
            {"resolvedDependencies", std::move(dependencies)}}},
          {"runDetails",
           {{"builder", {{"id", run.builder}}}, {"metadata", {{"invocationId", run.run}}}}}};
}

Json RecordPredicate(const AttestedRun& run, const std::vector<AttestedSource>& sources,
                     const std::vector<AttestedWheel>& wheels, const AttestedBuild& build) {
  Json record{{"builder", {{"id", run.builder}}}, {"run", run.run}};
  if (!build.rocm.empty()) record["rocm"] = build.rocm;
  record["projects"] = Json::object();
  for (const AttestedSource& source : sources) {
    Json& one = record["projects"][source.project];
    one = {{"repository", source.repository}, {"commit", source.commit}};
    if (!source.branch.empty()) one["branch"] = source.branch;
  }
  record["wheels"] = Json::array();
  for (const AttestedWheel& wheel : wheels) {
    record["wheels"].push_back({{"file", wheel.file},
                                {"project", wheel.project},
                                {"version", wheel.version},
                                {"sha256", wheel.sha256},
                                {"size", wheel.size},
                                {"targets", wheel.targets},
                                {"bill_of_materials", {{"sha256", wheel.bill_sha256}}}});
  }
  if (!build.compiler.empty()) record["compiler"] = build.compiler;
  if (!build.canaries.empty()) {
    record["canaries"] = Json::object();
    for (const auto& [status, number] : build.canaries) record["canaries"][status] = number;
  }
  record["tests"] = Json::object();
  for (const auto& [name, result] : build.tests) {
    record["tests"][name.empty() ? "tests" : name] = result;
  }
  return record;
}

Json Statement(const std::vector<AttestedWheel>& wheels, std::string_view type,
               const Json& predicate) {
  Json subjects = Json::array();
  for (const AttestedWheel& wheel : wheels) {
    subjects.push_back({{"name", wheel.file}, {"digest", {{"sha256", wheel.sha256}}}});
  }
  return {{"_type", kStatementType},
          {"subject", std::move(subjects)},
          {"predicateType", type},
          {"predicate", predicate}};
}

std::string JsonText(const Json& json) { return DumpJson(json, 2) + "\n"; }

}  // namespace wheelwright
