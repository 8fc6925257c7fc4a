// A client of GitHub's REST API.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {

// Uses the server of GITHUB_API_URL, else api.github.com, and GITHUB_TOKEN or GH_TOKEN if set.
class Github {
 public:
  explicit Github(Host& host) : host_(host), http_(host) {}

  // Gets "repos/OWNER/NAME/...". Nothing on failure; then `problem` says whether the rate limit is
  // used up, access is denied, the thing is missing, or server or network failed.
  std::optional<nlohmann::json> Get(std::string_view path, std::string& problem);

 private:
  std::string ProblemOf(const HttpAnswer& answer, std::string_view path) const;

  Host& host_;
  HttpClient http_;
};

}  // namespace wheelwright
