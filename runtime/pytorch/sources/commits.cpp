#include "runtime/pytorch/sources/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/characters.h"
#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

void Refuse(std::string message, std::string hint, Diagnostics& diagnostics) {
  diagnostics.Report({.code = "option-value",
                      .message = fmt::format("'--commits' is invalid: {}", message),
                      .hint = std::move(hint),
                      .notes = {"it takes the output 'commits' of `wheelrun resolve`, as it is"}});
}

std::optional<Json> ReadObject(std::string_view text, Diagnostics& diagnostics) {
  Json json = ParseOrderedJson(text);
  if (!json.is_discarded() && json.is_object() && !json.empty()) return json;
  Refuse(fmt::format("{} is not a JSON object with entries", Quoted(text)), {}, diagnostics);
  return std::nullopt;
}

std::optional<ByProject> ReadProjects(const Json& json, const Plan& plan,
                                      Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  std::vector<std::string_view> known;
  for (const ProjectRow& project : plan.projects) known.push_back(project.name);
  ByProject commits;
  for (const auto& [project, value] : json.items()) {
    if (plan.FindProject(project) == nullptr) {
      Refuse(fmt::format("no project is called {}", Quoted(project)),
             DidYouMean(project, known, "there are"), diagnostics);
    } else if (!value.is_string() || !IsCommitId(value.get_ref<const std::string&>())) {
      Refuse(fmt::format("{} of {} is no commit",
                         value.is_string() ? Quoted(value.get_ref<const std::string&>())
                                           : Quoted(value.dump(-1, ' ', true)),
                         project),
             "a commit is 40 hexadecimal digits", diagnostics);
    } else {
      commits.emplace_back(project, value.get<std::string>());
    }
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  return commits;
}

}  // namespace

const std::string* FindProject(const ByProject& values, std::string_view project) {
  const auto found =
      std::ranges::find_if(values, [&](const auto& pair) { return pair.first == project; });
  return found == values.end() ? nullptr : &found->second;
}

const ByProject* FindRow(const ByRow& rows, std::string_view id) {
  const auto found = std::ranges::find_if(rows, [&](const auto& pair) { return pair.first == id; });
  return found == rows.end() ? nullptr : &found->second;
}

std::optional<ByRow> ReadCommitRows(std::string_view text, const Plan& plan,
                                    Diagnostics& diagnostics) {
  const std::optional<Json> json = ReadObject(text, diagnostics);
  if (!json) return std::nullopt;
  const std::size_t errors = diagnostics.errors();
  std::vector<std::string_view> known;
  for (const TorchRow& row : plan.torch) known.push_back(row.id);
  ByRow rows;
  for (const auto& [id, projects] : json->items()) {
    if (std::ranges::find(known, id) == known.end()) {
      Refuse(fmt::format("no branch of PyTorch has the id {}", Quoted(id)),
             DidYouMean(id, known, "there are"), diagnostics);
    } else if (!projects.is_object() || projects.empty()) {
      Refuse(fmt::format("{} has no projects", id), {}, diagnostics);
    } else if (auto read = ReadProjects(projects, plan, diagnostics)) {
      rows.emplace_back(id, *std::move(read));
    }
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  return rows;
}

std::optional<ByProject> ReadCommitRow(std::string_view text, std::string_view id, const Plan& plan,
                                       Diagnostics& diagnostics) {
  const std::optional<Json> json = ReadObject(text, diagnostics);
  if (!json) return std::nullopt;
  const bool is_all =
      std::ranges::all_of(*json, [](const Json& value) { return value.is_object(); });
  if (!is_all) return ReadProjects(*json, plan, diagnostics);
  std::optional<ByRow> rows = ReadCommitRows(text, plan, diagnostics);
  if (!rows) return std::nullopt;
  const ByProject* row = FindRow(*rows, id);
  if (row != nullptr) return *row;
  Refuse(fmt::format("it has nothing for {}", Quoted(id)), {}, diagnostics);
  return std::nullopt;
}

std::string RowsAsJson(const ByRow& rows) {
  Json json = Json::object();
  for (const auto& [id, projects] : rows) {
    Json& row = json[id] = Json::object();
    for (const auto& [project, value] : projects) row[project] = value;
  }
  return DumpJson(json);
}

}  // namespace wheelwright
