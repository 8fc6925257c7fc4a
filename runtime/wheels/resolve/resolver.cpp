#include "runtime/wheels/resolve/resolver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::chrono::seconds kLongestCell{120};
// The versions of glibc that uv knows platforms of.
constexpr std::array<unsigned, 12> kGlibcMinors{17, 28, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
constexpr unsigned kLeastGlibcMinor = 28;  // what the wheels are built in

// The environment, without credentials, and without what would change the answer. Loopback needs no
// proxy.
Variables VariablesFor(const Host& host) {
  constexpr std::array<std::string_view, 5> kRemoved{"AWS_", "ACTIONS_", "GH_", "GITHUB_", "UV_"};
  constexpr std::array<std::string_view, 4> kKept{"UV_HTTP_RETRIES", "UV_HTTP_TIMEOUT",
                                                  "UV_NATIVE_TLS", "UV_SYSTEM_CERTS"};
  Variables variables;
  for (const auto& [name, value] : host.variables) {
    const bool removed = std::ranges::any_of(
        kRemoved, [&](std::string_view prefix) { return name.starts_with(prefix); });
    if (removed && std::ranges::find(kKept, name) == kKept.end()) continue;
    variables.emplace(name, value);
  }
  for (const char* name : {"NO_PROXY", "no_proxy"}) {
    std::string& value = variables[name];
    value += value.empty() ? "127.0.0.1" : ",127.0.0.1";
  }
  return variables;
}

// uv wants an interpreter, although it runs nothing by it, and would look at all of them for one of
// the cell's version.
std::string AnyPython(const Host& host) {
  std::string path = FindProgram("python3", host.variables);
  return path.empty() ? FindProgram("python", host.variables) : path;
}

ChosenVersions ReadPins(std::string_view text) {
  ChosenVersions chosen;
  for (const std::string_view line : Split(text, '\n')) {
    const std::optional<Requirement> pin = ReadRequirement(line.substr(0, line.find(" #")));
    if (pin && pin->versions.exact) {
      chosen.emplace_back(NormalizeProject(pin->name), *pin->versions.exact);
    }
  }
  return chosen;
}

}  // namespace

std::optional<std::string> FindUv(const Host& host, Diagnostics& diagnostics) {
  std::string path = FindProgram("uv", host.variables);
  if (!path.empty()) return path;
  diagnostics.Report({.code = "no-resolver",
                      .message = "there is no uv on the PATH, which resolves the release",
                      .hint = "`pip install uv` installs it; in a job, astral-sh/setup-uv does"});
  return std::nullopt;
}

std::string UvPlatform(std::span<const WheelName> wheels, WheelPlatform platform) {
  if (platform == WheelPlatform::kWindows) return "windows";
  unsigned least = kLeastGlibcMinor;
  for (const WheelName& wheel : wheels) {
    for (const WheelTag& tag : wheel.tags) {
      if (const auto promise = GlibcPromiseOf(tag.platform))
        least = std::max(least, promise->minor);
    }
  }
  const auto known = std::ranges::lower_bound(kGlibcMinors, least);
  return fmt::format("x86_64-manylinux_2_{}",
                     known == kGlibcMinors.end() ? kGlibcMinors.back() : *known);
}

std::string RefusalOf(std::string_view said) {
  constexpr std::string_view kBegin = "No solution found when resolving dependencies";
  const std::size_t begin = said.find(kBegin);
  if (begin == std::string_view::npos) return {};
  // The frame that uv draws around the sentence.
  std::string plain;
  for (const std::string_view line : Split(said.substr(said.find('\n', begin) + 1), '\n')) {
    std::string_view rest = Trim(line);
    if (rest.empty()) break;  // hints follow
    for (const std::string_view frame : {"│", "╰─▶", "├─▶", "×"}) {
      if (rest.starts_with(frame)) rest = Trim(rest.substr(frame.size()));
    }
    if (!plain.empty()) plain += ' ';
    plain += rest;
  }
  return OneLine(plain);
}

UvResolver::UvResolver(Host& host, std::string uv, std::string release_url,
                       std::string dependencies_url, std::string platform)
    : host_(host),
      uv_(std::move(uv)),
      release_url_(std::move(release_url)),
      dependencies_url_(std::move(dependencies_url)),
      platform_(std::move(platform)),
      python_(AnyPython(host)),
      variables_(VariablesFor(host)),
      work_(host, "resolve") {}

CellAnswer UvResolver::Resolve(const InstallCell& cell, std::size_t number) const {
  const std::string file = fmt::format("{}/{}.in", work_.path(), number);
  host_.files.Write(file, fmt::format("{}\n", fmt::join(cell.wants, "\n")));
  ProcessRequest request{
      .arguments = {uv_, "pip", "compile", file, "--no-config", "--no-header", "--no-annotate",
                    "--no-build", "--no-python-downloads", "--no-progress", "--color", "never",
                    "--cache-dir", work_.path() + "/cache", "--python-version", cell.python.Text(),
                    "--python-platform", platform_},
      .folder = work_.path(),
      .variables = variables_,
      .limit = kLongestCell};
  if (!python_.empty()) {
    request.arguments.insert(request.arguments.end(), {"--python", python_});
  }
  // The first index that has a project decides, so that nothing at another replaces it.
  const std::string& last = dependencies_url_.empty() ? release_url_ : dependencies_url_;
  if (last != release_url_) {
    request.arguments.insert(request.arguments.end(), {"--index", release_url_});
  }
  request.arguments.insert(request.arguments.end(), {"--default-index", last});
  std::string out, said;
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, out); };
  request.on_error = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, said); };
  const ProcessEnd end = host_.processes->Run(request);
  if (end.good()) return {.chosen = ReadPins(out)};
  CellAnswer answer{.refusal = RefusalOf(said)};
  if (answer.refusal.empty()) {
    answer.failure = end.how == ProcessEnd::How::kNotStarted ? end.reason
                     : end.how == ProcessEnd::How::kTimedOut ? "it did not end within two minutes"
                                                             : std::string(Trim(Printable(said)));
  }
  return answer;
}

}  // namespace wheelwright
