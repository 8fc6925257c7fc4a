#include "runtime/wheels/transfer/run_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/host/actions/log.h"
#include "runtime/store/http/github.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

std::string TextAt(const nlohmann::json& json, const char* pointer) {
  const nlohmann::json::json_pointer place(pointer);
  if (!json.is_object() || !json.contains(place) || !json.at(place).is_string()) return {};
  return json.at(place).get<std::string>();
}

FoundRun ReadRun(const nlohmann::json& json, const std::string& repository, std::string id) {
  const std::string head = TextAt(json, "/head_repository/full_name");
  return {std::move(id),
          {.repository = repository,
           .fork = !head.empty() && head != repository,
           .release_type = {},
           .updated = TextAt(json, "/updated_at")},
          TextAt(json, "/conclusion"),
          TextAt(json, "/head_sha")};
}

constexpr std::size_t kRunsOnPage = 100;

const nlohmann::json* RunsIn(const nlohmann::json& answer) {
  const auto list = answer.find("workflow_runs");
  return list != answer.end() && list->is_array() ? &*list : nullptr;
}

std::optional<std::string> IdOf(const nlohmann::json& run) {
  const auto id = run.find("id");
  if (id == run.end() || !id->is_number_unsigned()) return std::nullopt;
  return std::to_string(id->get<std::uint64_t>());
}

std::string RunsPath(const std::string& repository, const std::string& workflow) {
  return workflow.empty()
             ? fmt::format("repos/{}/actions/runs", repository)
             : fmt::format("repos/{}/actions/workflows/{}/runs", repository, EncodeQuery(workflow));
}

}  // namespace

FoundRun LookUpRun(const std::string& repository, const std::string& id, Host& host) {
  std::string problem;
  const auto json =
      Github(host).Get(fmt::format("repos/{}/actions/runs/{}", repository, id), problem);
  if (json) return ReadRun(*json, repository, id);
  Log(host).Warning(
      fmt::format("{}; taking run {} for one of {}'s own code", problem, id, repository));
  return {id, {.repository = repository}};
}

std::optional<std::vector<FoundRun>> GoodRunsOf(const std::string& repository,
                                                const std::string& commit,
                                                const std::string& workflow, Host& host,
                                                std::string& problem) {
  const auto json = Github(host).Get(
      fmt::format("{}?head_sha={}&status=success&per_page={}", RunsPath(repository, workflow),
                  EncodeQuery(commit), kRunsOnPage),
      problem);
  if (!json) return std::nullopt;
  std::vector<std::pair<std::string, FoundRun>> runs;  // by when they began
  if (const nlohmann::json* list = RunsIn(*json)) {
    for (const nlohmann::json& run : *list) {
      auto id = IdOf(run);
      if (!id || TextAt(run, "/conclusion") != "success") continue;
      runs.emplace_back(TextAt(run, "/created_at"), ReadRun(run, repository, *std::move(id)));
    }
  }
  std::ranges::stable_sort(runs, std::ranges::greater(), [](const auto& run) { return run.first; });
  std::vector<FoundRun> found;
  for (auto& [began, run] : runs) found.push_back(std::move(run));
  return found;
}

std::optional<std::string> DefaultBranchOf(const std::string& repository, Host& host,
                                           std::string& problem) {
  const auto json = Github(host).Get(fmt::format("repos/{}", repository), problem);
  if (!json) return std::nullopt;
  std::string branch = TextAt(*json, "/default_branch");
  if (!branch.empty()) return branch;
  problem = fmt::format("GitHub does not say which branch {} has", repository);
  return std::nullopt;
}

std::optional<std::vector<FoundRun>> RunsOfBranch(const std::string& repository,
                                                  const std::string& branch,
                                                  const std::string& workflow, std::size_t page,
                                                  Host& host, bool& more, std::string& problem) {
  more = false;
  const auto json = Github(host).Get(
      fmt::format("{}?branch={}&status=completed&per_page={}&page={}",
                  RunsPath(repository, workflow), EncodeQuery(branch), kRunsOnPage, page),
      problem);
  if (!json) return std::nullopt;
  std::vector<FoundRun> found;
  const nlohmann::json* list = RunsIn(*json);
  if (list == nullptr) return found;
  more = list->size() >= kRunsOnPage;
  for (const nlohmann::json& run : *list) {
    auto id = IdOf(run);
    // A deleted fork has no name.
    if (!id || TextAt(run, "/head_repository/full_name") != repository) continue;
    found.push_back(ReadRun(run, repository, *std::move(id)));
  }
  return found;
}

}  // namespace wheelwright
