#include "runtime/pytorch/python/packages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/python/installed.h"

namespace wheelwright {
namespace {

constexpr int kTries = 5;

// Variables that configure other sources.
constexpr const char* kSourceVariables[] = {"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
                                            "PIP_FIND_LINKS", "PIP_NO_INDEX"};

constexpr const char* kUvSourceVariables[] = {
    "UV_INDEX",       "UV_DEFAULT_INDEX", "UV_INDEX_URL",  "UV_EXTRA_INDEX_URL",
    "UV_FIND_LINKS",  "UV_NO_INDEX",      "UV_PRERELEASE", "UV_INDEX_STRATEGY",
    "UV_CONFIG_FILE", "UV_CONSTRAINT",    "UV_OVERRIDE"};

// The options that name a source, the same for pip and uv.
std::vector<std::string> SourceWords(const PackageSource& source) {
  if (source.index_url.empty()) return {"--no-index", "--find-links", source.find_links};
  std::vector<std::string> words{"--index-url", source.index_url};
  if (!source.dependencies_url.empty()) {
    words.insert(words.end(), {"--extra-index-url", source.dependencies_url});
  }
  return words;
}

std::string_view WithoutSlash(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

}  // namespace

std::vector<OptionSpec> SourceOptions() {
  return {{.name = "index",
           .argument = "NAME",
           .help = "The index to install from: a release type such as nightly, or stable"},
          {.name = "index-url",
           .argument = "URL",
           .help = "The index by its URL; for an index of the matrix, the family's folder in it"},
          {.name = "find-links",
           .argument = "URL",
           .help = "A page of links or a folder to install from, instead of an index"}};
}

std::optional<PackageSource> TakePackageSource(const Arguments& arguments, std::string_view command,
                                               const Plan& plan, Diagnostics& diagnostics) {
  const std::string_view name = arguments.Get("index");
  PackageSource source{.index_url = std::string(arguments.Get("index-url")),
                       .find_links = std::string(arguments.Get("find-links"))};
  const int named = (name.empty() ? 0 : 1) + (source.index_url.empty() ? 0 : 1) +
                    (source.find_links.empty() ? 0 : 1);
  if (named != 1) {
    diagnostics.Report(
        {.code = "package-source",
         .message = named == 0 ? fmt::format("'{}' needs a source to install from", command)
                               : fmt::format("'{}' has two sources to install from", command),
         .hint = "give one of '--index', '--index-url' and '--find-links'",
         .notes = named == 0
                      ? std::vector<std::string>{"without a source pip would use the public index, "
                                                 "which has other packages of these names"}
                      : std::vector<std::string>()});
    return std::nullopt;
  }
  if (!name.empty()) {
    source.index_url = plan.IndexUrl(name);
    const std::vector<std::string_view> names = plan.IndexNames();
    if (source.index_url.empty()) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("no index is called {}", Quoted(name)),
                          .hint = DidYouMean(name, names, "there are ")});
    } else if (!arguments.Has("family")) {
      diagnostics.Report({.code = "missing-argument",
                          .message = fmt::format("'--index {}' needs '--family'", name),
                          .hint = "such as --family gfx94X-dcgpu",
                          .notes = {"it has a folder for each family"}});
    }
  }
  source.index_url = IndexOfFamily(source.index_url, arguments.Get("family"), plan);
  source.dependencies_url = DependenciesOf(source.index_url, plan);
  return source;
}

std::string IndexOfFamily(std::string_view url, std::string_view family, const Plan& plan) {
  const std::string_view bare = WithoutSlash(url);
  const auto is = [&](std::string_view other) { return bare == WithoutSlash(other); };
  const bool known =
      std::ranges::any_of(plan.selection.release_types,
                          [&](const ReleaseTypeRow& row) {
                            return is(row.index_url) || is(row.staging_index_url);
                          }) ||
      std::ranges::any_of(plan.named_indexes, [&](const NamedIndex& row) { return is(row.url); });
  return known ? fmt::format("{}/{}/", bare, plan.FolderOf(family)) : std::string(url);
}

bool PackageSource::local() const {
  const std::string& place = index_url.empty() ? find_links : index_url;
  const bool folder = index_url.empty() && place.find("://") == std::string::npos;
  return folder || place.starts_with("file://");
}

std::string DependenciesOf(std::string_view index_url, const Plan& plan) {
  const std::string whole = fmt::format("{}/", WithoutSlash(index_url));
  for (const ReleaseTypeRow& row : plan.selection.release_types) {
    if (row.dependencies_url.empty()) continue;
    for (const std::string* url : {&row.index_url, &row.staging_index_url}) {
      if (whole.starts_with(fmt::format("{}/", WithoutSlash(*url)))) {
        return row.dependencies_url + "/";
      }
    }
  }
  return {};
}

Step PipStep(std::string title, const std::string& python, std::vector<std::string> words) {
  Step step{
      .title = std::move(title),
      .arguments = {python, "-m", "pip"},
      // pip fails on output that is not in the code page.
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
  for (std::string& word : SourceWords(source)) flags.push_back(std::move(word));
  flags.insert(flags.end(), words.begin() + 1, words.end());
  Step step = PipStep(std::move(title), python, std::move(flags));
  if (source.local()) step.tries = 1;
  step.unset.assign(std::begin(kSourceVariables), std::end(kSourceVariables));
  return step;
}

Step UvStep(std::string title, const std::string& uv, const std::string& python,
            std::vector<std::string> words) {
  Step step{.title = std::move(title),
            .arguments = {uv, "pip", words.front(), "--python", python},
            .variables = {{"UV_NO_PROGRESS", "1"}}};
  if (words.front() == "install") step.tries = kTries;
  step.arguments.insert(step.arguments.end(), words.begin() + 1, words.end());
  return step;
}

Step UvStepFrom(const PackageSource& source, std::string title, const std::string& uv,
                const std::string& python, std::vector<std::string> words) {
  std::vector<std::string> flags{words.front(), "--no-config", "--prerelease", "allow"};
  for (std::string& word : SourceWords(source)) flags.push_back(std::move(word));
  flags.insert(flags.end(), words.begin() + 1, words.end());
  Step step = UvStep(std::move(title), uv, python, std::move(flags));
  if (source.local()) step.tries = 1;
  step.unset.assign(std::begin(kUvSourceVariables), std::end(kUvSourceVariables));
  return step;
}

bool InstallBuildTools(const std::string& python, Runner& runner) {
  return RunUnlessMet(
      PipStep("install what builds packages", python, {"install", "setuptools", "wheel"}),
      {"setuptools", "wheel"}, runner);
}

}  // namespace wheelwright
