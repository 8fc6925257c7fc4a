#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/platform/child_process.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/log.h"
#include "runtime/host/environment/retry.h"
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/acceptance/installation.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/mirror/version_lookup.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// An index lagged behind an upload by up to about three minutes:
// https://github.com/ROCm/TheRock/issues/5455
constexpr seconds kLimit{600};
constexpr milliseconds kLongestPause{15'000};
constexpr milliseconds kFirstPause{2'000};
constexpr milliseconds kSignOfLife{60'000};

// "90s", "10m", "1h". Nothing for other text, and for more than a day.
std::optional<milliseconds> ParseDuration(std::string_view text) {
  constexpr std::int64_t kMost = 24 * 60 * 60;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::int64_t factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || number < 0 || number > kMost / factor) {
    return std::nullopt;
  }
  return seconds(number * factor);
}

milliseconds TakeDuration(const Arguments& arguments, std::string_view option,
                          milliseconds otherwise, Diagnostics& diagnostics) {
  if (!arguments.Has(option)) return otherwise;
  const auto duration = ParseDuration(arguments.Get(option));
  if (duration) return *duration;
  diagnostics.Report(
      {.code = "option-value",
       .message = fmt::format("'--{}' does not take {}", option, Quoted(arguments.Get(option))),
       .hint = "it takes up to a day, such as 90s, 10m or 1h"});
  return otherwise;
}

// Reads "torch==2.10.0+rocm7.12.0". An extra names no file of its own.
std::optional<AwaitedPackage> ReadAwaited(std::string_view text, Diagnostics& diagnostics) {
  const std::optional<Requirement> read = ReadRequirement(text);
  if (read && read->url.empty() && read->marker.empty() && read->versions.exact) {
    return AwaitedPackage{.project = NormalizeProject(read->name),
                          .version = read->versions,
                          .file = {},
                          .sha256 = {}};
  }
  diagnostics.Report({.code = "option-value",
                      .message = fmt::format("'wait-for' cannot wait for {}", Quoted(text)),
                      .hint = "it takes one version: torch==2.10.0+rocm7.12.0"});
  return std::nullopt;
}

struct WaitRequest {
  std::vector<AwaitedPackage> packages;
  std::vector<std::string> urls;
  bool find_links = false;
  std::optional<PythonVersion> python;
  std::string platform;
  milliseconds limit{0};
  milliseconds pause{0};  // the longest
};

void TakePackages(const Arguments& arguments, WaitRequest& request, Diagnostics& diagnostics) {
  if (arguments.Has("wheels")) {
    const auto wheels = ReadPinnedWheels(arguments.Get("wheels"), diagnostics);
    for (const PinnedWheel& wheel : wheels.value_or(std::vector<PinnedWheel>())) {
      request.packages.push_back({.project = wheel.project,
                                  .version = *ParseVersionSpecifier(wheel.version),
                                  .file = wheel.file,
                                  .sha256 = wheel.sha256});
    }
  }
  for (const std::string& text : arguments.positional) {
    std::optional<AwaitedPackage> package = ReadAwaited(text, diagnostics);
    if (!package) continue;
    const auto same =
        std::ranges::find(request.packages, package->project, &AwaitedPackage::project);
    if (same == request.packages.end()) {
      request.packages.push_back(*std::move(package));
    } else if (*same->version.exact != *package->version.exact) {
      diagnostics.Report({.code = "option-value",
                          .message = fmt::format("{} and {} are different versions", same->Text(),
                                                 package->Text()),
                          .hint = "no installer can install both"});
    }
  }
  const bool any = std::ranges::any_of(request.packages,
                                       [](const AwaitedPackage& one) { return one.file.empty(); });
  if (any) Require(arguments, "wait-for", "python", "--python 3.12", diagnostics);
  if (request.packages.empty() && diagnostics.errors() == 0) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'wait-for' needs something to wait for",
                        .hint = "such as torch==2.10.0+rocm7.12.0, or '--wheels'"});
  }
}

// Reports a place that cannot be asked over HTTP.
void CheckUrls(const WaitRequest& request, Diagnostics& diagnostics) {
  for (const std::string& url : request.urls) {
    HttpUrl parts;
    if (ReadHttpUrl(url, parts)) continue;
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'wait-for' cannot ask {}", Quoted(WithoutPassword(url))),
         .hint = "it takes the URL of an index, or of a page of links"});
  }
}

WaitRequest ReadRequest(const Arguments& arguments, const Host& host, const Plan& plan,
                        Diagnostics& diagnostics) {
  WaitRequest request{.platform = TakePlatform(arguments, host)};
  const auto source = TakePackageSource(arguments, "wait-for", plan, diagnostics);
  if (source) {
    request.find_links = source->index_url.empty();
    request.urls.push_back(request.find_links ? source->find_links : source->index_url);
    const std::string dependencies = arguments.Has("dependencies-url")
                                         ? std::string(arguments.Get("dependencies-url"))
                                         : source->dependencies_url;
    if (!dependencies.empty()) request.urls.push_back(dependencies);
  }
  CheckUrls(request, diagnostics);
  if (arguments.Has("python")) {
    request.python = ParsePythonVersion(arguments.Get("python"));
    if (!request.python) {
      diagnostics.Report(
          {.code = "option-value",
           .message = fmt::format("'--python' does not take {}", Quoted(arguments.Get("python"))),
           .hint = "it takes a version, such as 3.12"});
    }
  }
  TakePackages(arguments, request, diagnostics);
  request.limit = TakeDuration(arguments, "for", kLimit, diagnostics);
  request.pause = TakeDuration(arguments, "every", kLongestPause, diagnostics);
  return request;
}

class Wait {
 public:
  Wait(const WaitRequest& request, Host& host)
      : request_(request),
        host_(host),
        log_(host),
        index_(host, request.urls, request.find_links, request.python, request.platform),
        missing_(request.packages.size()),
        started_(host.now()),
        last_sign_(started_) {
    for (std::size_t i = 0; i < missing_.size(); ++i) open_.push_back(i);
  }

  int Run() {
    const std::string packages = Count(open_.size(), "package");
    std::vector<std::string> shown;
    for (const std::string& url : request_.urls) shown.push_back(WithoutPassword(url));
    const std::string urls = JoinWords(shown);
    log_.Say(request_.limit.count() == 0
                 ? fmt::format("looking for {} on {}", packages, urls)
                 : fmt::format("waiting up to {} for {} on {}", DurationText(request_.limit),
                               packages, urls));
    Retry retry({.tries = std::numeric_limits<int>::max(),
                 .first = std::min(kFirstPause, request_.pause),
                 .longest = request_.pause,
                 .least = 0.5,
                 .deadline = request_.limit},
                host_);
    for (bool last = request_.limit.count() == 0;;) {
      Look();
      if (open_.empty()) return Tell();
      if (last) return TellMissing();
      Live();
      if (const std::optional<milliseconds> pause = retry.Next()) {
        if (!retry.Begin(*pause)) break;
      } else {
        // Once more, when the time is over.
        last = true;
        if (!retry.Begin(std::max(milliseconds(0), request_.limit - Elapsed()))) break;
      }
    }
    log_.Error(fmt::format("cancelled after {}", DurationText(Elapsed())));
    return kFound;
  }

 private:
  milliseconds Elapsed() const {
    return std::chrono::duration_cast<milliseconds>(host_.now() - started_);
  }

  // Asks for what is still missing, and says what changed.
  void Look() {
    std::erase_if(open_, [&](std::size_t i) {
      const AwaitedPackage& package = request_.packages[i];
      Sighting sighting = index_.Look(package);
      const bool found = !sighting.file.empty();
      if (found) {
        log_.Say(fmt::format("{} is there: {}", package.Text(), sighting.file));
      } else if (sighting.why != missing_[i].why || sighting.had != missing_[i].had) {
        log_.Say(
            fmt::format("{} is not there: {}{}", package.Text(), sighting.why,
                        sighting.had.empty() ? "" : fmt::format("; there is {}", sighting.had)));
        last_sign_ = host_.now();
      }
      missing_[i] = std::move(sighting);
      return found;
    });
  }

  // A line now and then, so that nobody takes the step for dead.
  void Live() {
    if (host_.now() - last_sign_ < kSignOfLife) return;
    last_sign_ = host_.now();
    log_.Say(fmt::format("... {} of {} still missing after {} of {}", open_.size(),
                         Count(missing_.size(), "package"), DurationText(Elapsed()),
                         DurationText(request_.limit)));
  }

  int Tell() {
    log_.Say(fmt::format("{} can be installed, after {}", Count(missing_.size(), "package"),
                         DurationText(Elapsed())));
    return kSuccess;
  }

  int TellMissing() {
    std::string text =
        fmt::format("{} of {} {} missing after {}", open_.size(), Count(missing_.size(), "package"),
                    open_.size() == 1 ? "is" : "are", DurationText(Elapsed()));
    for (const std::size_t i : open_) {
      const Sighting& sighting = missing_[i];
      const AwaitedPackage& package = request_.packages[i];
      text += fmt::format("\n{}{}\n  asked: {}\n  found: {}\n  there: {}\n  next:  {}",
                          package.Text(), For(package), sighting.asked, sighting.why,
                          sighting.had.empty() ? "nothing" : sighting.had, sighting.next);
    }
    log_.Error(text, "not published");
    return kFound;
  }

  std::string For(const AwaitedPackage& package) const {
    if (!package.file.empty()) return fmt::format(", as {}", package.file);
    return fmt::format(" for Python {} on {}", request_.python->Text(), request_.platform);
  }

  const WaitRequest& request_;
  Host& host_;
  Log log_;
  VersionLookup index_;
  std::vector<std::size_t> open_;  // indexes of the packages
  std::vector<Sighting> missing_;  // the last of each package
  std::chrono::system_clock::time_point started_;
  std::chrono::system_clock::time_point last_sign_;
};

int RunWaitFor(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  const WaitRequest request = ReadRequest(arguments, host, *plan, diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  return Wait(request, host).Run();
}

}  // namespace

Command WaitForCommand() {
  return {
      .name = "wait-for",
      .purpose = "Wait until an index has exact versions",
      .usage = "[PROJECT==VERSION...] --index NAME|--index-url URL|--find-links URL",
      .about =
          "For jobs that install what another job has published: an index may lag behind an "
          "upload. Each package is there when a page lists a file of the version for this Python "
          "and platform that is not yanked, and the server has the file, and the metadata beside "
          "it, with the size and the SHA-256 that the page names. Sums are compared as far as the "
          "server states them; no wheel is downloaded.\n\nWith --wheels exactly the uploaded files "
          "are awaited: a file of the same name with another SHA-256 does not count.\n\nPackages "
          "of an index of the matrix may also be in its index of dependencies, as for `wheelrun "
          "venv`. Caches are asked for a new answer, at the same URLs that installers use.\n\nThe "
          "status is 1 at the limit; then the log says for each missing package which pages were "
          "asked, what they have, and what to do.\n",
      .options = Joined(
          {{.name = "python", .argument = "VERSION", .help = "The Python to install for: 3.12"},
           PlatformOption(),
           FamilyOption(),
           {.name = "wheels",
            .argument = "JSON",
            .help = "The output of `wheelrun upload`, SHA-256 by file name: these files"}},
          Joined(SourceOptions(),
                 {{.name = "dependencies-url",
                   .argument = "URL",
                   .help = "Another index that may have them (default: that of the matrix)"},
                  {.name = "for",
                   .argument = "TIME",
                   .help = "The limit: 90s, 10m, 1h (default: 10m); 0s asks once"},
                  {.name = "every",
                   .argument = "TIME",
                   .help = "The longest pause between two tries (default: 15s)"},
                  PlanOption()})),
      .examples =
          {{"wheelrun wait-for torch==2.10.0+rocm7.12.0 --python 3.12 --family gfx94X-dcgpu "
            "--index nightly",
            "Until users of Python 3.12 can install it"},
           {"wheelrun wait-for --wheels \"$WHEELS\" --family gfx94X-dcgpu --index-url "
            "\"$INDEX_URL\" --for 5m",
            "As called by the jobs that test staged wheels"}},
      .most_positional = 100,
      .run_on_host = RunWaitFor,
  };
}

}  // namespace wheelwright
