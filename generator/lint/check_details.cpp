// Checks details that GitHub refuses late or silently accepts: schedules, variables, inputs,
// concurrency, versions of actions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

// https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows#schedule
constexpr int kLeastMinutes = 5;

// The minutes of a cron line's first field; empty if it is malformed.
std::set<int> MinutesOf(std::string_view field) {
  std::set<int> minutes;
  for (const std::string_view part : Split(field, ',')) {
    const std::size_t slash = part.find('/');
    const std::string_view range = part.substr(0, slash);
    const auto step =
        slash == std::string_view::npos ? 1 : ReadWholeNumber<int>(part.substr(slash + 1));
    const std::size_t dash = range.find('-');
    std::optional<int> first = 0, last = 59;
    if (range != "*") {
      first = ReadWholeNumber<int>(range.substr(0, dash));
      if (dash != std::string_view::npos) {
        last = ReadWholeNumber<int>(range.substr(dash + 1));
      } else if (slash == std::string_view::npos) {
        last = first;
      }
    }
    if (!step || *step <= 0 || !first || !last || *first < 0 || *last > 59) return {};
    for (int minute = *first; minute <= *last; minute += *step) minutes.insert(minute);
  }
  return minutes;
}

// The shortest interval between runs in minutes; 60 for one an hour.
int ShortestInterval(std::string_view cron) {
  cron = Trim(cron);
  const std::size_t end = cron.find(' ');
  if (end == std::string_view::npos) return 60;
  const std::set<int> minutes = MinutesOf(cron.substr(0, end));
  const std::string_view rest = Trim(cron.substr(end));
  const bool each_hour = rest.starts_with("* ");
  int shortest = 60;
  for (auto one = minutes.begin(); one != minutes.end(); ++one) {
    const auto next = std::next(one);
    if (next != minutes.end()) shortest = std::min(shortest, *next - *one);
    if (next == minutes.end() && each_hour) {
      shortest = std::min(shortest, *minutes.begin() + 60 - *one);
    }
  }
  return shortest;
}

// Areas of the IANA time zone database (https://data.iana.org/time-zones/), and its names without
// one.
constexpr std::array<std::string_view, 12> kAreas{"Africa", "America",  "Antarctica", "Arctic",
                                                  "Asia",   "Atlantic", "Australia",  "Brazil",
                                                  "Canada", "Etc",      "Europe",     "Indian"};
constexpr std::array<std::string_view, 5> kMoreAreas{"Pacific", "US", "Chile", "Mexico", "SystemV"};
constexpr std::array<std::string_view, 44> kZones{
    "CET",     "CST6CDT",   "Cuba",     "EET",     "EST",    "EST5EDT",   "Egypt",  "Eire",
    "Factory", "GB",        "GB-Eire",  "GMT",     "GMT+0",  "GMT-0",     "GMT0",   "Greenwich",
    "HST",     "Hongkong",  "Iceland",  "Iran",    "Israel", "Jamaica",   "Japan",  "Kwajalein",
    "Libya",   "MET",       "MST",      "MST7MDT", "NZ",     "NZ-CHAT",   "Navajo", "PRC",
    "PST8PDT", "Poland",    "Portugal", "ROC",     "ROK",    "Singapore", "Turkey", "UCT",
    "UTC",     "Universal", "W-SU",     "Zulu"};

bool NamesZone(std::string_view zone) {
  const std::size_t slash = zone.find('/');
  if (slash == std::string_view::npos) {
    return std::ranges::find(kZones, zone) != kZones.end();
  }
  const std::string_view area = zone.substr(0, slash);
  return slash + 1 < zone.size() && zone.find(' ') == std::string_view::npos &&
         (std::ranges::find(kAreas, area) != kAreas.end() ||
          std::ranges::find(kMoreAreas, area) != kMoreAreas.end());
}

void CheckSchedules(const Checking& checking) {
  const Event* event = checking.workflow.FindEvent("schedule");
  if (event == nullptr || event->config == nullptr) return;
  for (const Node* item : event->config->items) {
    const Node* cron = Find(item, "cron");
    if (cron != nullptr && cron->is_string()) {
      const int shortest = ShortestInterval(cron->text);
      if (shortest < kLeastMinutes) {
        checking.Warn(At(cron, "frequent-schedule",
                         fmt::format("this asks for a run every {}, and GitHub starts one every {} "
                                     "minutes at most",
                                     shortest == 1 ? "minute" : fmt::format("{} minutes", shortest),
                                     kLeastMinutes),
                         "write '*/5'"));
      }
    }
    const Node* zone = Find(item, "timezone");
    if (zone != nullptr && zone->is_string() && !HoldsExpression(zone->text) &&
        !NamesZone(zone->text)) {
      checking.Report(At(zone, "unknown-time-zone",
                         fmt::format("there is no time zone '{}'", zone->text),
                         "zones are named as in 'Europe/Berlin'"));
    }
  }
}

// https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
constexpr std::string_view kOwnVariables[] = {"GITHUB_ACTION",       "GITHUB_ACTIONS",
                                              "GITHUB_ACTOR",        "GITHUB_API_URL",
                                              "GITHUB_BASE_REF",     "GITHUB_ENV",
                                              "GITHUB_EVENT_NAME",   "GITHUB_EVENT_PATH",
                                              "GITHUB_HEAD_REF",     "GITHUB_JOB",
                                              "GITHUB_OUTPUT",       "GITHUB_PATH",
                                              "GITHUB_REF",          "GITHUB_REF_NAME",
                                              "GITHUB_REF_TYPE",     "GITHUB_REPOSITORY",
                                              "GITHUB_RUN_ID",       "GITHUB_RUN_NUMBER",
                                              "GITHUB_SERVER_URL",   "GITHUB_SHA",
                                              "GITHUB_STEP_SUMMARY", "GITHUB_TRIGGERING_ACTOR",
                                              "GITHUB_WORKFLOW",     "GITHUB_WORKSPACE",
                                              "RUNNER_ARCH",         "RUNNER_NAME",
                                              "RUNNER_OS",           "RUNNER_TEMP",
                                              "RUNNER_TOOL_CACHE"};

void CheckVariables(const Checking& checking, const Field& env) {
  if (!env || !env.value->is_mapping()) return;
  for (const Entry& entry : env.value->entries) {
    const std::string_view name = entry.key->text;
    if (HoldsExpression(name)) continue;
    const std::size_t at = name.find_first_of("=& \t");
    if (name.empty() || at != std::string_view::npos) {
      checking.Report(At(entry.key, "bad-variable",
                         name.empty()
                             ? "a variable has no name"
                             : fmt::format("'{}' cannot be in the name of a variable", name[at])));
    } else if (std::ranges::find(kOwnVariables, name) != std::end(kOwnVariables)) {
      checking.Warn(At(entry.key, "bad-variable",
                       fmt::format("GitHub sets '{}' itself, and this has no effect", name),
                       "choose another name"));
    }
  }
}

void CheckConcurrency(const Checking& checking, const Field& concurrency) {
  if (!concurrency || !concurrency.value->is_mapping()) return;
  const Entry* queue = FindEntry(concurrency.value, "queue");
  const Node* cancel = Find(concurrency.value, "cancel-in-progress");
  if (queue == nullptr || queue->value->text != "max" || cancel == nullptr || !cancel->is_true()) {
    return;
  }
  Diagnostic diagnostic =
      At(queue->value, "conflicting-concurrency",
         "'queue: max' keeps all runs waiting, and 'cancel-in-progress: true' ends them",
         "leave one of them out");
  diagnostic.related.push_back({cancel->where, "the other one"});
  checking.Report(std::move(diagnostic));
}

bool IsShortCommit(std::string_view version) {
  constexpr std::size_t kLeast = 7, kWhole = 40;
  bool digit = false, letter = false;
  for (const char c : version) {
    if (IsDigit(c)) {
      digit = true;
    } else if (c >= 'a' && c <= 'f') {
      letter = true;
    } else {
      return false;
    }
  }
  return digit && letter && version.size() >= kLeast && version.size() < kWhole;
}

void CheckVersion(const Checking& checking, const Field& uses) {
  const std::size_t at = uses.text().find('@');
  if (!uses || at == std::string_view::npos || uses.text().starts_with("docker://")) return;
  const std::string_view version = uses.text().substr(at + 1);
  if (!IsShortCommit(version)) return;
  checking.Report(At(
      uses.value, "short-commit",
      fmt::format("'{}' looks like an abbreviated commit, which GitHub does not resolve", version),
      "write all 40 digits"));
}

void CheckInputs(const Checking& checking) {
  for (const Input& input : checking.workflow.call_inputs) {
    if (!input.required || input.default_value == nullptr) continue;
    checking.Warn(
        At(input.default_value, "useless-default",
           fmt::format("the input '{}' is required, so its default is never used", input.name),
           "leave out one of 'required' and 'default'"));
  }
}

void CheckEmpty(const Checking& checking, const Field& section) {
  if (!section || !section.value->is_mapping() || !section.value->entries.empty()) return;
  checking.Warn(At(section.key, "empty-section", fmt::format("'{}' is empty", section.key->text),
                   "leave it out"));
}

void CheckFilters(const Checking& checking) {
  for (const Event& event : checking.workflow.events) {
    if (event.config == nullptr || !event.config->is_mapping()) continue;
    for (const Entry& filter : event.config->entries) {
      if (!filter.value->is_sequence() || !filter.value->items.empty()) continue;
      checking.Warn(At(filter.value, "empty-section",
                       fmt::format("'{}' of '{}' names nothing", filter.key->text, event.name),
                       "leave it out"));
    }
  }
}

// A container without an image: the job runs on the machine.
void CheckImage(const Checking& checking, const Node* key, const Node* container) {
  if (container == nullptr || !container->is_mapping() || Find(container, "image") != nullptr) {
    return;
  }
  checking.Report(
      At(key, "missing-image", fmt::format("'{}' names no image", key->text), "add 'image'"));
}

void CheckPassword(const Checking& checking, const Node* container) {
  const Node* password = Find(Find(container, "credentials"), "password");
  if (password == nullptr || !password->is_scalar() || HoldsExpression(password->text)) return;
  checking.Warn(At(password, "plain-password", "the file contains a password in plain text",
                   "write ${{ secrets.NAME }}"));
}

void CheckContainers(const Checking& checking, const Job& job) {
  if (job.container) {
    CheckImage(checking, job.container.key, job.container.value);
    CheckPassword(checking, job.container.value);
  }
  if (!job.services || !job.services.value->is_mapping()) return;
  for (const Entry& service : job.services.value->entries) {
    CheckImage(checking, service.key, service.value);
    CheckPassword(checking, service.value);
  }
}

// $/ is the workflow's own repository at the workflow's own commit.
void CheckOwnVersion(const Checking& checking, const Field& uses) {
  const std::string_view text = uses.text();
  if (!text.starts_with("$/") || text.find('@') == std::string_view::npos) return;
  checking.Report(
      At(uses.value, "surplus-version",
         fmt::format("'{}' is of the same commit as the workflow, and takes no version", text),
         fmt::format("write '{}'", text.substr(0, text.find('@')))));
}

}  // namespace

void CheckDetails(const Checking& checking) {
  const Workflow& workflow = checking.workflow;
  CheckSchedules(checking);
  CheckFilters(checking);
  CheckInputs(checking);
  CheckEmpty(checking, workflow.env);
  CheckVariables(checking, workflow.env);
  CheckConcurrency(checking, workflow.concurrency);
  for (const Job& job : workflow.jobs) {
    CheckVariables(checking, job.env);
    CheckConcurrency(checking, job.concurrency);
    CheckVersion(checking, job.uses);
    CheckOwnVersion(checking, job.uses);
    CheckContainers(checking, job);
    for (const Field& section : {job.env, job.services, job.outputs, job.with}) {
      CheckEmpty(checking, section);
    }
    for (const WorkflowStep& step : job.steps) {
      CheckVariables(checking, step.env);
      CheckVersion(checking, step.uses);
      CheckOwnVersion(checking, step.uses);
      CheckEmpty(checking, step.env);
      CheckEmpty(checking, step.with);
    }
  }
}

}  // namespace wheelwright
