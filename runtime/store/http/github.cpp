#include "runtime/store/http/github.h"

#include <fmt/format.h>

#include "base/json.h"

namespace wheelwright {
namespace {

constexpr RetryPolicy kRetries{
    .tries = 4, .first = std::chrono::seconds(1), .longest = std::chrono::seconds(8)};

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
               ? "GitHub's rate limit for requests without a token is reached: set GITHUB_TOKEN"
               : "GitHub's rate limit for this token is reached";
  }
  switch (answer.status) {
    case 401:
      return "GitHub rejects the token in GITHUB_TOKEN";
    case 403:
      return fmt::format("GitHub does not show {}: does the job have the permission actions: read?",
                         path);
    case 404:
      return fmt::format("GitHub has no {}, or the token may not read it", path);
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
  const HttpAnswer answer = http_.Send(request, kRetries);
  if (!answer.good()) {
    problem = ProblemOf(answer, path);
    return std::nullopt;
  }
  nlohmann::json json = ParseJson(answer.body);
  if (!json.is_discarded()) return json;
  problem = fmt::format("GitHub's answer about {} is no JSON", path);
  return std::nullopt;
}

}  // namespace wheelwright
