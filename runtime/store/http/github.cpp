#include "runtime/store/http/github.h"

#include <fmt/format.h>

namespace wheelwright {
namespace {

constexpr int kTries = 4;

std::string Token(const Host& host) {
  const std::string token = host.Variable("GITHUB_TOKEN");
  return token.empty() ? host.Variable("GH_TOKEN") : token;
}

}  // namespace

std::string Github::ProblemOf(const HttpAnswer& answer, std::string_view path) const {
  if (answer.problem != HttpAnswer::Problem::kNone) {
    return fmt::format("GitHub cannot be asked: {}", answer.reason);
  }
  const bool limited = answer.status == 429 ||
                       (answer.status == 403 && answer.Header("x-ratelimit-remaining") == "0");
  if (limited) {
    return Token(host_).empty()
               ? "GitHub answers no more for now to those without a token: set GITHUB_TOKEN"
               : "GitHub answers no more for now: the token's limit is used up";
  }
  switch (answer.status) {
    case 401:
      return "GitHub does not know the token in GITHUB_TOKEN";
    case 403:
      return fmt::format("GitHub does not show {}: does the job have the permission actions: read?",
                         path);
    case 404:
      return fmt::format("GitHub knows no {}, or the token may not see it", path);
    default:
      return fmt::format("GitHub answers with status {} about {}", answer.status, path);
  }
}

std::optional<nlohmann::json> Github::Get(std::string_view path, std::string& problem) {
  std::string base = host_.Variable("GITHUB_API_URL");
  if (base.empty()) base = "https://api.github.com";
  HttpRequest request{.url = fmt::format("{}/{}", base, path)};
  request.headers = {{"Accept", "application/vnd.github+json"},
                     {"X-GitHub-Api-Version", "2022-11-28"}};
  if (const std::string token = Token(host_); !token.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + token);
  }
  for (int tried = 1;; ++tried) {
    const HttpAnswer answer = http_.Send(request);
    if (answer.good()) {
      nlohmann::json json = nlohmann::json::parse(answer.body, nullptr, false);
      if (!json.is_discarded()) return json;
      problem = fmt::format("GitHub's answer about {} is no JSON", path);
      return std::nullopt;
    }
    problem = ProblemOf(answer, path);
    const bool again = answer.status >= 500 || answer.problem == HttpAnswer::Problem::kCut ||
                       answer.problem == HttpAnswer::Problem::kTimeout ||
                       answer.problem == HttpAnswer::Problem::kUnreached;
    if (!again || tried == kTries) return std::nullopt;
    host_.sleep(std::chrono::milliseconds(500) * tried * tried);
  }
}

}  // namespace wheelwright
