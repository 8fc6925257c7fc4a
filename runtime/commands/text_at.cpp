#include "runtime/commands/text_at.h"

#include <fmt/format.h>

#include <chrono>

#include "base/file_system.h"
#include "base/quote.h"
#include "runtime/commands/build_arguments.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/store/http/http_client.h"

namespace wheelwright {
namespace {

constexpr int kTries = 4;
constexpr std::chrono::seconds kRest{2};  // and twice as long before the next try

bool MayPass(const HttpAnswer& answer) {
  using Problem = HttpAnswer::Problem;
  if (answer.problem != Problem::kNone) {
    return answer.problem != Problem::kUrl && answer.problem != Problem::kTls &&
           answer.problem != Problem::kInterrupted;
  }
  return answer.status >= 500 || answer.status == 408 || answer.status == 429;
}

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
  HttpClient http(host, {});
  HttpAnswer answer;
  for (int tried = 1; tried <= kTries; ++tried) {
    answer = http.Send({.url = std::string(place)});
    if (answer.good()) return std::move(answer.body);
    if (!MayPass(answer) || tried == kTries) break;
    host.sleep(kRest * (1 << (tried - 1)));
  }
  problem = answer.problem == HttpAnswer::Problem::kNone
                ? fmt::format("{} answers with status {}", WithoutCredentials(place), answer.status)
                : fmt::format("{}: {}", WithoutCredentials(place), answer.reason);
  return std::nullopt;
}

}  // namespace wheelwright
