#include "runtime/commands/input/run_packages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/log.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/index_page.h"
#include "runtime/wheels/transfer/run_lookup.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// A page has a hundred runs; these cover some weeks of a busy branch.
constexpr std::size_t kMostPages = 5;

struct Found {
  std::string project;
  PackageVersion version;
};

class Finder {
 public:
  Finder(const Arguments& arguments, const Plan& plan, const WantedPackages& wanted,
         StoragePlace store, Host& host)
      : arguments_(arguments),
        plan_(plan),
        wanted_(wanted),
        store_(std::move(store)),
        host_(host),
        log_(host),
        repository_(TakeRepository(arguments, host, plan)),
        group_(arguments.Has("artifact-group") ? std::string(arguments.Get("artifact-group"))
                                               : plan.FolderOf(arguments.Get("family"))) {}

  std::optional<RunPackages> Find() {
    if (arguments_.Has("latest")) return FindNewest();
    std::string missing;
    auto packages =
        LookInto(LookUpRun(repository_, std::string(arguments_.Get("run-id")), host_), missing);
    if (!packages) log_.Error(missing);
    return packages;
  }

 private:
  std::optional<RunPackages> FindNewest() {
    std::string problem;
    std::string branch(arguments_.Get("branch"));
    if (branch.empty()) {
      const auto usual = DefaultBranchOf(repository_, host_, problem);
      if (!usual) return Fail(problem);
      branch = *usual;
    }
    const std::string workflow(arguments_.Get("workflow"));
    std::size_t seen = 0;
    std::string newest_lacks;
    bool more = true;
    for (std::size_t page = 1; more && page <= kMostPages; ++page) {
      const auto runs = RunsOfBranch(repository_, branch, workflow, page, host_, more, problem);
      if (!runs) return Fail(problem);
      for (const FoundRun& run : *runs) {
        ++seen;
        std::string missing;
        if (auto packages = LookInto(run, missing)) {
          log_.Say(fmt::format("run {} of {} ({}, commit {}) is the newest that has it", run.id,
                               branch, run.conclusion, run.commit.substr(0, 8)));
          return packages;
        }
        if (newest_lacks.empty() && has_packages_) newest_lacks = missing;
      }
    }
    if (!newest_lacks.empty())
      log_.Say(fmt::format("of the newest run with packages: {}", newest_lacks));
    return Fail(fmt::format("none of the newest {} of {} has the requested packages",
                            Count(seen, "run"), Quoted(branch)));
  }

  std::nullopt_t Fail(const std::string& problem) {
    log_.Error(problem);
    return std::nullopt;
  }

  // Nothing when a package is missing; `missing` names it.
  std::optional<RunPackages> LookInto(const FoundRun& run, std::string& missing) {
    const StoragePlace place =
        PlaceOfRun(store_, OriginOf(run, arguments_), run.id, arguments_, plan_, host_);
    const std::unique_ptr<Storage> storage = OpenStorage(place, host_);
    const std::string folder = place.prefix + PackageFolder(group_);
    const std::vector<Found> there = ListPackages(*storage, folder);
    const std::string name = storage->NameOf(folder);
    has_packages_ = !there.empty();
    if (!has_packages_) {
      missing = fmt::format("{} holds no packages for Python {}", name, wanted_.python.Text());
      return std::nullopt;
    }
    RunPackages packages;
    const std::string page = folder + std::string(kFindLinksPage);
    packages.source.find_links =
        place.folder.empty() ? storage->UrlOf(page) : fmt::format("{}/{}", place.folder, folder);
    const bool any = !wanted_.torch && !wanted_.rocm && wanted_.projects.empty();
    if (wanted_.torch || any) {
      packages.torch_version = Newest(there, "torch", wanted_.torch, name);
      if (wanted_.torch && packages.torch_version.empty()) {
        missing = Lacks(there, "torch", wanted_.torch->text, name);
        return std::nullopt;
      }
    }
    if (wanted_.rocm || (any && packages.torch_version.empty())) {
      packages.rocm_version = Newest(there, "rocm", wanted_.rocm, name);
      if (packages.rocm_version.empty()) {
        missing = Lacks(there, "rocm", wanted_.rocm ? wanted_.rocm->text : "", name);
        return std::nullopt;
      }
    }
    for (const std::string& project : wanted_.projects) {
      if (std::ranges::find(there, project, &Found::project) != there.end()) continue;
      missing = Lacks(there, project, "", name);
      return std::nullopt;
    }
    return packages;
  }

  // The packages that an installer for this interpreter and platform accepts.
  std::vector<Found> ListPackages(Storage& storage, const std::string& folder) const {
    const bool windows = TakePlatform(arguments_, host_) == "windows";
    const WheelPlatform platform = windows ? WheelPlatform::kWindows : WheelPlatform::kLinux;
    std::vector<Found> found;
    for (const ObjectInfo& object : storage.List(folder)) {
      const std::string file = object.key.substr(folder.size());
      const auto read = ReadDistributionName(file);
      if (!read || file.find('/') != std::string::npos) continue;
      const auto fits = [&](const WheelTag& tag) {
        return Installable(tag, wanted_.python, platform);
      };
      if (read->wheel && std::ranges::none_of(ReadWheelName(file).name->tags, fits)) continue;
      found.push_back({read->project, read->version});
    }
    return found;
  }

  // "" when there is none.
  std::string Newest(const std::vector<Found>& there, std::string_view project,
                     const std::optional<VersionSpecifier>& specifier, const std::string& name) {
    std::vector<PackageVersion> fitting;
    for (const Found& found : there) {
      if (found.project == project && (!specifier || specifier->Allows(found.version))) {
        fitting.push_back(found.version);
      }
    }
    std::ranges::sort(fitting);
    const auto [first, last] = std::ranges::unique(fitting);
    fitting.erase(first, last);
    if (fitting.empty()) return {};
    if (fitting.size() > 1) {
      std::vector<std::string> texts;
      for (const PackageVersion& version : fitting) texts.push_back(version.ToString());
      log_.Say(fmt::format("{} has {} {}; using the last", name, project, JoinWords(texts)));
    }
    return fitting.back().ToString();
  }

  std::string Lacks(const std::vector<Found>& there, std::string_view project,
                    std::string_view version, const std::string& name) const {
    std::vector<std::string> others;
    for (const Found& found : there) {
      const std::string text = found.version.ToString();
      if (found.project == project && !HasText(others, text)) others.push_back(text);
    }
    return fmt::format("{} has no {}{} for Python {}{}", name, project, version,
                       wanted_.python.Text(),
                       others.empty() ? "" : fmt::format("; it has {}", JoinWords(others)));
  }

  const Arguments& arguments_;
  const Plan& plan_;
  const WantedPackages& wanted_;
  StoragePlace store_;
  Host& host_;
  Log log_;
  std::string repository_;
  std::string group_;
  bool has_packages_ = false;  // of the last run
};

std::optional<VersionSpecifier> TakeSpecifier(const Arguments& arguments, std::string_view option,
                                              Diagnostics& diagnostics) {
  if (!arguments.Has(option)) return std::nullopt;
  auto specifier = ParseVersionSpecifier(arguments.Get(option));
  if (!specifier) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--{}' does not take {}", option, Quoted(arguments.Get(option))),
         .hint = "of a run, it takes a version or bounds, such as '==2.10.*'"});
  }
  return specifier;
}

}  // namespace

std::vector<OptionSpec> RunPackagesOptions() {
  return Joined(
      {{.name = "run-id",
        .argument = "ID",
        .help = "Install the packages of this GitHub run, instead of those of an index"},
       {.name = "latest",
        .argument = {},
        .help = "Install the packages of the newest run that has the requested ones"},
       {.name = "branch",
        .argument = "NAME",
        .help =
            "With --latest: only runs of this branch (default: the repository's default branch)"},
       {.name = "workflow",
        .argument = "FILE",
        .help = "With --latest: only runs of this workflow, such as ci_nightly.yml"},
       RepositoryOption(),
       {.name = "artifact-group",
        .argument = "NAME",
        .help = "The build of the run, if its name is not the family"}},
      RunStoreOptions());
}

bool WantsRun(const Arguments& arguments) {
  return arguments.Has("run-id") || arguments.Has("latest");
}

std::optional<WantedPackages> TakeWanted(const Arguments& arguments, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  if (arguments.Has("run-id") && arguments.Has("latest")) {
    diagnostics.Report({.code = "two-places",
                        .message = "'--run-id' and '--latest' give two runs",
                        .hint = "remove one of them"});
  }
  for (const std::string_view option : {"index", "index-url", "find-links"}) {
    if (!arguments.Has(option)) continue;
    diagnostics.Report({.code = "package-source",
                        .message = fmt::format("'--{}' and a run are two sources", option),
                        .hint = "remove one of them"});
  }
  if (!arguments.Has("family") && !arguments.Has("artifact-group")) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "a run has builds of several families",
                        .hint = "name one, such as --family gfx94X-dcgpu"});
  }
  WantedPackages wanted{.torch = TakeSpecifier(arguments, "torch-version", diagnostics),
                        .rocm = TakeSpecifier(arguments, "rocm-version", diagnostics),
                        .projects = {},
                        .python = {}};
  for (const std::string& text : arguments.All("packages")) {
    for (const std::string_view word : Split(text, ' ')) {
      const std::string_view name = word.substr(0, word.find_first_of("[=<>!~;@ "));
      if (!name.empty()) wanted.projects.push_back(NormalizeProject(name));
    }
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  return wanted;
}

std::optional<RunPackages> FindRunPackages(const Arguments& arguments, const Plan& plan,
                                           const WantedPackages& wanted, Host& host,
                                           Diagnostics& diagnostics) {
  const std::optional<StoragePlace> place = TakeRunStore(arguments, host, diagnostics);
  if (!place) return std::nullopt;
  return Finder(arguments, plan, wanted, *place, host).Find();
}

}  // namespace wheelwright
