#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"

namespace wheelwright {
namespace {

struct JobResult {
  std::string id;
  std::string result;  // "success", "failure", "cancelled", "skipped"
  bool may_fail = false;

  // A cancelled job counts as a failure.
  bool stops() const { return result != "success" && result != "skipped" && !may_fail; }
  std::string_view mark() const {
    if (stops()) return result == "cancelled" ? "cancelled" : "failed";
    if (result == "failure" || result == "cancelled") return "failed, which is allowed";
    return result;
  }
};

// Outputs are texts: "", "false" and "0" are false.
bool SaysYes(const Json& job, std::string_view output) {
  const auto outputs = job.find("outputs");
  if (outputs == job.end() || !outputs->is_object()) return false;
  const auto found = outputs->find(output);
  if (found == outputs->end() || !found->is_string()) return false;
  const std::string value = ToLower(Trim(found->get_ref<const std::string&>()));
  return !value.empty() && value != "false" && value != "0";
}

std::optional<std::vector<JobResult>> ReadNeeds(std::string_view text, Diagnostics& diagnostics) {
  const auto refuse = [&](std::string_view what) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--needs' is not the JSON of GitHub's needs: {}", what),
         .hint = "pass it on as it is: --needs \"$NEEDS\"",
         .notes = {"with NEEDS: ${{ toJSON(needs) }} in the env of the step"}});
    return std::nullopt;
  };
  const Json json = ParseOrderedJson(text);
  if (json.is_discarded() || !json.is_object()) return refuse("it is no JSON object");
  std::vector<JobResult> jobs;
  for (const auto& [id, job] : json.items()) {
    const auto result = job.is_object() ? job.find("result") : job.end();
    if (result == job.end() || !result->is_string()) {
      return refuse(fmt::format("{} has no result", Quoted(id)));
    }
    jobs.push_back({.id = id,
                    .result = result->get<std::string>(),
                    .may_fail = SaysYes(job, "continue_on_error")});
  }
  if (jobs.empty()) return refuse("it names no job");
  return jobs;
}

int RunSummary(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  if (!Require(arguments, "summary", "needs", "--needs \"$NEEDS\"", diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  std::optional<std::vector<JobResult>> jobs = ReadNeeds(arguments.Get("needs"), diagnostics);
  if (!jobs) return Refuse(diagnostics, arguments, host);
  std::ranges::stable_sort(*jobs, {}, [](const JobResult& job) { return job.stops() ? 0 : 1; });

  std::vector<std::string> stopping;
  std::size_t succeeded = 0;
  std::string rows;
  for (const JobResult& job : *jobs) {
    if (job.stops()) stopping.push_back(job.id);
    if (job.result == "success") ++succeeded;
    rows += fmt::format("| {} | {} |\n", EscapeMarkdown(job.id), EscapeMarkdown(job.mark()));
    Log(host).Say(fmt::format("{:<24} {}", job.mark(), job.id));
  }
  const std::string verdict =
      stopping.empty()
          ? fmt::format("{} of {} succeeded, the others were skipped", succeeded,
                        Count(jobs->size(), "job"))
          : fmt::format("{} of {} did not succeed", stopping.size(), Count(jobs->size(), "job"));
  JobFiles(host).AddSummary(
      fmt::format("### {}\n\n| job | result |\n| --- | --- |\n{}\n", verdict, rows));
  if (!stopping.empty()) {
    Log(host).Error(JoinWords(stopping), verdict);
    return kFound;
  }
  Log(host).Say(verdict);
  return kSuccess;
}

}  // namespace

Command SummaryCommand() {
  return {
      .name = "summary",
      .purpose = "Combine the results of all jobs of a run",
      .usage = "--needs JSON",
      .about =
          "Fails if a job failed or was cancelled. Skipped jobs do not count as failed, and "
          "neither do jobs whose output continue_on_error is yes. The step summary has a table of "
          "all jobs, those that caused the result first.\n",
      .options = {{.name = "needs",
                   .argument = "JSON",
                   .help = "The jobs and their results, as GitHub's expression toJSON(needs) gives "
                           "them"}},
      .examples = {{"wheelrun summary --needs '{\"build\": {\"result\": \"success\"}}'",
                    "A successful run"},
                   {"wheelrun summary --needs \"$NEEDS\"", "As called by a job"}},
      .run_on_host = RunSummary,
  };
}

}  // namespace wheelwright
