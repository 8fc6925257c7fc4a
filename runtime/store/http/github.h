// Questions to GitHub's REST API.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {

// Asks the server of GITHUB_API_URL, else api.github.com, with GITHUB_TOKEN or GH_TOKEN if there is
// one.
class Github {
 public:
  explicit Github(Host& host) : host_(host), http_(host) {}

  // The answer about "repos/OWNER/NAME/...". Nothing when there is none; `problem` says why, and
  // tells a used up limit, a refusal, a thing that is not there, a server that fails and a network
  // that does apart.
  std::optional<nlohmann::json> Get(std::string_view path, std::string& problem);

 private:
  std::string ProblemOf(const HttpAnswer& answer, std::string_view path) const;

  Host& host_;
  HttpClient http_;
};

}  // namespace wheelwright
