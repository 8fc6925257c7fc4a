#include "runtime/python/packages.h"

#include <fmt/format.h>

#include <utility>

namespace wheelwright {
namespace {

constexpr int kTries = 5;

// How a machine may be configured to ask other sources.
constexpr const char* kSourceVariables[] = {"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
                                            "PIP_FIND_LINKS", "PIP_NO_INDEX"};

std::string_view WithoutSlash(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

}  // namespace

std::vector<OptionSpec> SourceOptions() {
  return {{.name = "index-url",
           .argument = "URL",
           .help = "The index to install from; of one that the matrix knows, the family's folder"},
          {.name = "find-links",
           .argument = "URL",
           .help = "A page of links or a folder to install from, in place of an index"}};
}

std::optional<PackageSource> TakePackageSource(const Arguments& arguments, std::string_view command,
                                               Diagnostics& diagnostics) {
  PackageSource source{.index_url = std::string(arguments.Get("index-url")),
                       .find_links = std::string(arguments.Get("find-links"))};
  if (source.index_url.empty() == source.find_links.empty()) {
    const bool none = source.index_url.empty();
    diagnostics.Report(
        {.code = "package-source",
         .message = none ? fmt::format("'{}' is told no source to install from", command)
                         : fmt::format("'{}' is told two sources to install from", command),
         .hint = "give one of '--index-url' and '--find-links'",
         .notes = none ? std::vector<std::string>{"without a source pip would ask the public "
                                                  "index, which has other packages of these names"}
                       : std::vector<std::string>()});
    return std::nullopt;
  }
  return source;
}

std::string IndexOfFamily(std::string_view url, std::string_view family, const Plan& plan) {
  const std::string_view bare = WithoutSlash(url);
  for (const ReleaseIndex& index : plan.indexes) {
    if (bare == WithoutSlash(index.index_url) || bare == WithoutSlash(index.staging_index_url)) {
      return fmt::format("{}/{}/", bare, family);
    }
  }
  return std::string(url);
}

Step PipStep(std::string title, const std::string& python, std::vector<std::string> words) {
  Step step{
      .title = std::move(title),
      .arguments = {python, "-m", "pip"},
      // A log with one letter that the code page does not have would end pip.
      .variables = {
          {"PYTHONUTF8", "1"}, {"PIP_DISABLE_PIP_VERSION_CHECK", "1"}, {"PIP_NO_INPUT", "1"}}};
  const bool network = words.front() == "install" || words.front() == "download";
  if (network) step.tries = kTries;
  step.arguments.insert(step.arguments.end(), words.begin(), words.end());
  return step;
}

Step PipStepFrom(const PackageSource& source, std::string title, const std::string& python,
                 std::vector<std::string> words) {
  std::vector<std::string> flags{words.front()};
  if (source.index_url.empty()) {
    flags.insert(flags.end(), {"--no-index", "--find-links", source.find_links});
  } else {
    flags.insert(flags.end(), {"--index-url", source.index_url});
  }
  flags.insert(flags.end(), words.begin() + 1, words.end());
  Step step = PipStep(std::move(title), python, std::move(flags));
  step.unset.assign(std::begin(kSourceVariables), std::end(kSourceVariables));
  return step;
}

Step BuildToolsStep(const std::string& python) {
  return PipStep("install what builds packages", python, {"install", "setuptools", "wheel"});
}

}  // namespace wheelwright
