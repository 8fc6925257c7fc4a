#include "runtime/pytorch/build/tools.h"

#include <fmt/format.h>

#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

constexpr std::chrono::seconds kLimit{60};


}  // namespace

std::string ToolVersion(std::string_view printed) {
  for (std::size_t at = 0; at < printed.size(); ++at) {
    if (!IsDigit(printed[at])) continue;
    std::size_t end = at;
    bool dots = false;
    while (end < printed.size() &&
           (IsDigit(printed[end]) ||
            (printed[end] == '.' && end + 1 < printed.size() && IsDigit(printed[end + 1])))) {
      dots = dots || printed[end] == '.';
      ++end;
    }
    if (dots) return std::string(printed.substr(at, end - at));
    at = end;
  }
  return {};
}

std::optional<std::string> FindTool(std::string_view name, std::string_view version,
                                    Runner& runner) {
  const Host& host = runner.host();
  const auto wanted = ParsePackageVersion(version);
  const std::string folders = host.Variable("PATH");
  std::vector<std::string> older;
  for (const std::string_view folder : Split(folders, host.machine.windows ? ';' : ':')) {
    if (folder.empty()) continue;
    const std::string path = FindProgram(
        fmt::format("{}/{}{}", folder, name, host.machine.windows ? ".exe" : ""), host.variables);
    if (path.empty()) continue;
    const auto printed = runner.Try({.title = fmt::format("ask {} for its version", name),
                                     .arguments = {path, "--version"},
                                     .limit = kLimit});
    const std::string found = printed ? ToolVersion(*printed) : std::string();
    const auto has = ParsePackageVersion(found);
    if (has && wanted && *has >= *wanted) return std::string(folder);
    older.push_back(fmt::format("{} is {}", path, found.empty() ? "no such program" : found));
  }
  const std::string how =
      host.machine.windows ? fmt::format(": choco install {} --version {}", name, version) : "";
  runner.log().Error(
      fmt::format("{}install it{}", older.empty() ? std::string() : JoinWords(older) + "; ", how),
      fmt::format("there is no {} {} or newer on the PATH", name, version));
  return std::nullopt;
}

}  // namespace wheelwright
