#include "runtime/pytorch/sources/text_at.h"

#include <fmt/format.h>

#include <chrono>

#include "base/file_system.h"
#include "base/quote.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {
namespace {

constexpr RetryPolicy kPatience{
    .tries = 4, .first = std::chrono::seconds(4), .longest = std::chrono::seconds(16)};

}  // namespace

std::optional<std::string> ReadTextAt(std::string_view place, Host& host, std::string& problem) {
  if (!place.starts_with("https://") && !place.starts_with("http://")) {
    try {
      std::optional<std::string> text = host.files.Read(AbsolutePath(place, host));
      if (!text) problem = fmt::format("there is no file {}", QuotedPath(place));
      return text;
    } catch (const FileError& error) {
      problem = error.what();
      return std::nullopt;
    }
  }
  HttpAnswer answer = HttpClient(host).Send({.url = std::string(place)}, kPatience);
  if (answer.good()) return std::move(answer.body);
  problem = answer.problem == HttpAnswer::Problem::kNone
                ? fmt::format("{} answers with status {}", WithoutCredentials(place), answer.status)
                : fmt::format("{}: {}", WithoutCredentials(place), answer.reason);
  return std::nullopt;
}

}  // namespace wheelwright
