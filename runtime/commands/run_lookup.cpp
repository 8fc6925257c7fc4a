#include "runtime/commands/run_lookup.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/http/github.h"

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
           .updated = TextAt(json, "/updated_at")}};
}

}  // namespace

FoundRun LookUpRun(const std::string& repository, const std::string& id, Host& host,
                   std::string& warning) {
  const auto json =
      Github(host).Get(fmt::format("repos/{}/actions/runs/{}", repository, id), warning);
  if (json) return ReadRun(*json, repository, id);
  return {id, {.repository = repository}};
}

std::optional<std::vector<FoundRun>> GoodRunsOf(const std::string& repository,
                                                const std::string& commit,
                                                const std::string& workflow, Host& host,
                                                std::string& problem) {
  const std::string which = workflow.empty() ? "runs" : fmt::format("workflows/{}/runs", workflow);
  const auto json =
      Github(host).Get(fmt::format("repos/{}/actions/{}?head_sha={}&status=success&per_page=100",
                                   repository, which, commit),
                       problem);
  if (!json) return std::nullopt;
  std::vector<std::pair<std::string, FoundRun>> runs;  // by when they began
  const auto list = json->find("workflow_runs");
  if (list != json->end() && list->is_array()) {
    for (const nlohmann::json& run : *list) {
      const auto id = run.find("id");
      if (id == run.end() || !id->is_number_unsigned()) continue;
      if (TextAt(run, "/conclusion") != "success") continue;
      runs.emplace_back(TextAt(run, "/created_at"),
                        ReadRun(run, repository, std::to_string(id->get<std::uint64_t>())));
    }
  }
  std::ranges::stable_sort(runs, std::ranges::greater(), [](const auto& run) { return run.first; });
  std::vector<FoundRun> found;
  for (auto& [began, run] : runs) found.push_back(std::move(run));
  return found;
}

}  // namespace wheelwright
