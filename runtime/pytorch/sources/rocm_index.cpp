#include "runtime/pytorch/sources/rocm_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

bool Fits(const PackageVersion& version, std::string_view release_type) {
  if (version.release[0] == "0") return false;  // the placeholder
  if (release_type == "dev") return version.dev.has_value();
  if (release_type == "nightly") return version.pre && version.pre->phase == "a" && !version.dev;
  if (release_type == "prerelease") return version.pre && version.pre->phase == "rc";
  return true;
}

}  // namespace

std::vector<PackageVersion> ReadPipVersions(std::string_view output) {
  constexpr std::string_view kVersions = "Available versions:";
  std::vector<PackageVersion> versions;
  for (std::string_view line : Split(output, '\n')) {
    line = Trim(line);
    if (!line.starts_with(kVersions)) continue;
    for (const std::string_view word : Split(line.substr(kVersions.size()), ',')) {
      if (auto version = ParsePackageVersion(word)) versions.push_back(*std::move(version));
    }
  }
  return versions;
}

std::optional<PackageVersion> NewestRocm(const std::vector<PackageVersion>& versions,
                                         std::string_view release_type, std::string_view index,
                                         Diagnostics& diagnostics) {
  std::vector<PackageVersion> fitting;
  std::ranges::copy_if(versions, std::back_inserter(fitting),
                       [&](const PackageVersion& version) { return Fits(version, release_type); });
  if (fitting.empty()) {
    std::vector<std::string> others;
    for (const PackageVersion& version : versions) others.push_back(version.ToString());
    if (others.size() > 5) others.resize(5);
    const std::string kind =
        release_type.empty() ? std::string() : fmt::format(" for {} releases", release_type);
    diagnostics.Report(
        {.code = "no-rocm",
         .message = fmt::format("{} has no rocm package{}", index, kind),
         .hint = others.empty() ? std::string() : fmt::format("it has {}", JoinWords(others)),
         .notes = {"name one: --rocm-version VERSION"}});
    return std::nullopt;
  }
  const auto newest = std::ranges::max_element(
      fitting, [](const PackageVersion& a, const PackageVersion& b) { return a < b; });
  std::vector<std::string> equals;
  for (const PackageVersion& version : fitting) {
    if (version.Public() == newest->Public()) equals.push_back(version.ToString());
  }
  if (newest->dev && equals.size() > 1) {
    if (equals.size() > 5) equals.resize(5);
    diagnostics.Report(
        {.code = "no-rocm",
         .message = fmt::format("{} has several packages of rocm {}, and their commits do not tell "
                                "which is the newest",
                                index, newest->Public()),
         .hint = fmt::format("such as {}", JoinWords(equals)),
         .notes = {"name one: --rocm-version VERSION"}});
    return std::nullopt;
  }
  return *newest;
}

std::optional<PackageVersion> AskNewestRocm(const std::string& python, const std::string& index_url,
                                            std::string_view release_type, Runner& runner,
                                            Diagnostics& diagnostics) {
  const bool windows = runner.host().machine.windows;
  const std::string shown = WithoutCredentials(index_url);
  // No configuration may add the public index, which has a placeholder of that name.
  const Step step{
      .title = fmt::format("ask {} for rocm", shown),
      .arguments = {python, "-m", "pip", "index", "versions", "rocm", "--pre", "--index-url",
                    index_url, "--no-input", "--disable-pip-version-check", "--timeout", "60"},
      .folder = {},
      .variables = {{"PIP_CONFIG_FILE", windows ? "nul" : "/dev/null"}},
      .unset = {"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX",
                "PIP_REQUIREMENT", "PIP_CONSTRAINT"},
      .limit = std::chrono::minutes(10),
      .tries = 3};
  const auto output = runner.Ask(step);
  if (!output) return std::nullopt;
  return NewestRocm(ReadPipVersions(*output), release_type, shown, diagnostics);
}

}  // namespace wheelwright
