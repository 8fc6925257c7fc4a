#include "runtime/host/environment/host.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/platform/files.h"

namespace wheelwright {

std::string Host::Variable(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::string TimeText(std::chrono::system_clock::time_point at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(seconds - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string RunUrl(const Host& host) {
  const std::string run = host.Variable("GITHUB_RUN_ID");
  if (run.empty()) return {};
  const std::string attempt = host.Variable("GITHUB_RUN_ATTEMPT");
  return fmt::format("{}/{}/actions/runs/{}/attempts/{}", host.Variable("GITHUB_SERVER_URL"),
                     host.Variable("GITHUB_REPOSITORY"), run, attempt.empty() ? "1" : attempt);
}

std::string AbsolutePath(std::string_view path, const Host& host) {
  std::string whole = PathText((SystemPath(host.folder) / SystemPath(path)).lexically_normal());
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

}  // namespace wheelwright
