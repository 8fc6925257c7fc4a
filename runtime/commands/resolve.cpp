#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/resolver.h"
#include "runtime/pytorch/sources/rocm_index.h"
#include "runtime/pytorch/sources/scope.h"
#include "runtime/pytorch/sources/wheel_version.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/version_suffix.h"

namespace wheelwright {
namespace {

struct Resolved {
  ByRow commits;
  ByRow versions;
  std::string rocm_version;
  std::string package_index_url;
};

// The refs of the combos, each once, with the projects of all its combos.
std::vector<RefRequest> RefsOf(const ResolveScope& scope, const Plan& plan) {
  std::vector<RefRequest> refs;
  for (const ResolveScope::Combo& combo : scope.combos) {
    auto found = std::ranges::find(refs, combo.torch, &RefRequest::ref);
    if (found == refs.end()) {
      const TorchRow* row = plan.FindTorch(combo.torch);
      refs.push_back({.id = row == nullptr ? combo.torch : row->id, .ref = combo.torch});
      found = std::prev(refs.end());
    }
    for (const std::string& project : combo.projects) {
      if (!HasText(found->projects, project)) found->projects.push_back(project);
    }
  }
  return refs;
}

// The URL of the index of `--release-type` or `--index-url` for the family; "" when neither is
// given.
std::string IndexUrl(const Arguments& arguments, const Plan& plan, const ResolveScope& scope) {
  if (arguments.Has("index-url")) return std::string(arguments.Get("index-url"));
  if (scope.gfx.empty()) return {};
  for (const ReleaseTypeRow& index : plan.selection.release_types) {
    if (index.name != arguments.Get("release-type")) continue;
    std::string url = index.index_url;
    while (url.ends_with('/')) url.pop_back();
    return url.empty() ? url : fmt::format("{}/{}/", url, scope.gfx);
  }
  return {};
}

class Resolve {
 public:
  Resolve(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments), host_(host), plan_(plan), runner_(host, false) {}

  int Run() {
    const bool good = Find();
    const int wrong = Refuse(diagnostics_, arguments_, host_, sources_);
    if (!good) return wrong == kSuccess ? kFound : wrong;
    HandOver();
    return kSuccess;
  }

 private:
  bool Find() {
    const auto scope = FindScope(plan_,
                                 {.set = arguments_.Get("set"),
                                  .platform = arguments_.Get("platform"),
                                  .family = arguments_.Get("family"),
                                  .release_type = arguments_.Get("release-type")},
                                 diagnostics_);
    if (!scope) return false;
    refs_ = RefsOf(*scope, plan_);
    resolved_.package_index_url = IndexUrl(arguments_, plan_, *scope);
    if (!FindRocm()) return false;
    Resolver resolver(plan_, runner_, sources_, diagnostics_);
    return FindCommits(resolver) && FindVersions(*scope, resolver);
  }

  // First, because it fails the fastest.
  bool FindRocm() {
    const std::string_view given = arguments_.Get("rocm-version");
    if (!given.empty()) {
      rocm_ = ParsePackageVersion(given);
      if (!rocm_) {
        diagnostics_.Report(
            {.code = "option-value",
             .message = fmt::format("'--rocm-version' does not take {}", Quoted(given)),
             .hint = "it takes a version, such as 7.12.0a20260101"});
        return false;
      }
    } else if (arguments_.Has("family")) {
      const std::string& url = resolved_.package_index_url;
      if (url.empty()) {
        diagnostics_.Report(
            {.code = "missing-argument",
             .message = "'resolve' needs '--rocm-version' for a family",
             .notes = {"or an index whose newest version to take: --release-type nightly, or "
                       "--index-url URL"}});
        return false;
      }
      const auto python = SelectedInterpreter(runner_, diagnostics_);
      if (!python) return false;
      rocm_ =
          AskNewestRocm(python->path, url, arguments_.Get("release-type"), runner_, diagnostics_);
      if (!rocm_) return false;
    } else {
      return true;
    }
    resolved_.rocm_version = rocm_->ToString();
    suffix_ = VersionSuffix(*rocm_, SuffixForm::kCompatible);
    if (suffix_) return true;
    diagnostics_.Report({.code = "option-value",
                         .message = fmt::format("the version of a wheel cannot end in ROCm {}",
                                                resolved_.rocm_version)});
    return false;
  }

  bool FindCommits(Resolver& resolver) {
    if (!arguments_.Has("commits")) {
      auto commits = resolver.Commits(refs_);
      if (!commits) return false;
      resolved_.commits = *std::move(commits);
      return true;
    }
    auto given = ReadCommitRows(arguments_.Get("commits"), plan_, diagnostics_);
    if (!given) return false;
    for (const RefRequest& ref : refs_) {
      if (FindRow(*given, ref.id) != nullptr) continue;
      diagnostics_.Report({.code = "option-value",
                           .message = fmt::format("'--commits' has nothing for {}", ref.id),
                           .notes = {"remove it to resolve all refs now"}});
    }
    resolved_.commits = *std::move(given);
    return diagnostics_.errors() == 0;
  }

  bool FindVersions(const ResolveScope& scope, Resolver& resolver) {
    if (!suffix_) return true;
    ByRow by_id;
    for (const RefRequest& ref : refs_) {
      const ByProject* commits = FindRow(resolved_.commits, ref.id);
      auto versions = resolver.Versions(ref.ref, ref.projects, *commits, *suffix_);
      if (!versions) return false;
      by_id.emplace_back(ref.id, *std::move(versions));
    }
    const Texts shared = TellVersionsApart(by_id);
    if (!shared.empty()) {
      runner_.log().Say(
          fmt::format("several branches of PyTorch have the same {}: the versions of these wheels "
                      "end in the branch",
                      JoinWords(shared)));
    }
    for (std::size_t i = 0; i < refs_.size(); ++i) {
      by_ref_.emplace_back(refs_[i].ref, std::move(by_id[i].second));
    }
    for (const ResolveScope::Combo& combo : scope.combos) {
      ByProject versions;
      for (const auto& [project, version] : *FindRow(by_ref_, combo.torch)) {
        if (HasText(combo.projects, project)) versions.emplace_back(project, version);
      }
      resolved_.versions.emplace_back(combo.id, std::move(versions));
    }
    return true;
  }

  // A table for each ref with its commits and versions.
  std::string Summary() const {
    std::string text = "### Commits and versions\n\n";
    if (!resolved_.rocm_version.empty()) {
      text += fmt::format("ROCm packages {}", resolved_.rocm_version);
      if (!resolved_.package_index_url.empty()) {
        text += fmt::format(" from {}", WithoutCredentials(resolved_.package_index_url));
      }
      text += "\n\n";
    }
    text += "| ref | project | commit | version |\n| --- | --- | --- | --- |\n";
    for (const RefRequest& ref : refs_) {
      const ByProject* commits = FindRow(resolved_.commits, ref.id);
      for (const auto& [project, commit] : *commits) {
        text += fmt::format("| {} | {} | {} | {} |\n", ref.ref, project,
                            CommitLink(ref.ref, project, commit), VersionOf(ref.ref, project));
      }
    }
    return text;
  }

  std::string CommitLink(std::string_view ref, std::string_view project,
                         std::string_view commit) const {
    std::string url = WithoutCredentials(RepositoryOf(plan_, ref, project));
    if (!url.starts_with("https://")) return fmt::format("`{}`", commit.substr(0, 12));
    if (url.ends_with(".git")) url.resize(url.size() - 4);
    return fmt::format("[`{}`]({}/commit/{})", commit.substr(0, 12), url, commit);
  }

  std::string VersionOf(std::string_view ref, std::string_view project) const {
    const ByProject* versions = FindRow(by_ref_, ref);
    const std::string* version = versions == nullptr ? nullptr : FindProject(*versions, project);
    return version == nullptr ? std::string() : *version;
  }

  void HandOver() {
    const std::string commits = RowsAsJson(resolved_.commits);
    const std::string versions = RowsAsJson(resolved_.versions);
    if (arguments_.Has("output")) {
      const Json file = {{"rocm_version", resolved_.rocm_version},
                         {"package_index_url", resolved_.package_index_url},
                         {"commits", ParseOrderedJson(commits)},
                         {"versions", ParseOrderedJson(versions)}};
      host_.files.Write(std::string(arguments_.Get("output")), DumpJson(file, 2) + "\n");
    }
    JobFiles job(host_);
    job.SetOutput("commits", commits);
    job.SetOutput("versions", versions);
    job.SetOutput("rocm_version", resolved_.rocm_version);
    job.SetOutput("package_index_url", resolved_.package_index_url);
    job.AddSummary(Summary());
  }

  const Arguments& arguments_;
  Host& host_;
  const Plan& plan_;
  Runner runner_;
  SourceManager sources_;
  Diagnostics diagnostics_;
  std::vector<RefRequest> refs_;
  std::optional<PackageVersion> rocm_;
  std::optional<std::string> suffix_;
  ByRow by_ref_;  // versions
  Resolved resolved_;
};

}  // namespace

Command ResolveCommand() {
  return {
      .name = "resolve",
      .purpose = "Resolve every ref to a commit, and the version of every wheel, once for a run",
      .usage =
          "[--set NAME] [--platform PLATFORM] [--family FAMILY] [--release-type TYPE] "
          "[--commits JSON] [--rocm-version VERSION] [--index-url URL] [--output FILE] "
          "[--plan FILE]",
      .about =
          "Reads the branches of the plan from each repository once, the commits of the other "
          "projects from PyTorch's own files, and the version of each wheel from the version files "
          "at those commits. It downloads single files, and runs nothing of them.\n\nVersions end "
          "in the version of the ROCm packages. With a family, that is the newest in its index, "
          "unless --rocm-version is given; without both, there are no versions. If two branches "
          "would give wheels of a project the same name, the branch is appended.\n\nOutputs: "
          "commits, by the id of a branch (torch_210) and the project; versions, by the id of a "
          "combo (py312_torch210) and the project; rocm_version; and package_index_url, the "
          "family's own folder of the index. The step summary has a table of them.\n",
      .options = {{.name = "set",
                   .argument = "NAME",
                   .help = "The combos to resolve, a name under combos in matrix/pytorch.yml "
                           "(default: the first)"},
                  {.name = "platform",
                   .argument = "PLATFORM",
                   .help = "Only builds for this platform (default: all)"},
                  {.name = "family",
                   .argument = "FAMILY",
                   .help = "Only builds for this family: gfx94X-dcgpu, or gfx94x (default: all)"},
                  {.name = "release-type",
                   .argument = "TYPE",
                   .help = "Only builds of this release type; ROCm packages come from its index"},
                  {.name = "commits",
                   .argument = "JSON",
                   .help = "Commits that were resolved earlier; they are used unchanged"},
                  {.name = "rocm-version",
                   .argument = "VERSION",
                   .help = "The version of the ROCm packages (default: the newest)"},
                  {.name = "index-url",
                   .argument = "URL",
                   .help = "The index with the ROCm packages, as for pip (default: the family's "
                           "folder in that of the release type)"},
                  {.name = "output",
                   .argument = "FILE",
                   .help = "Also write everything to this file, as one JSON object"},
                  PlanOption()},
      .examples = {{"wheelrun resolve --set release --platform linux --family gfx94X-dcgpu "
                    "--rocm-version 7.12.0",
                    "What would be built, from which commits?"},
                   {"wheelrun resolve --set ci --output resolved.json",
                    "Only commits, also to a file"}},
      .outputs = {"commits", "versions", "rocm_version", "package_index_url"},
      .run_on_host = RunByPlan<Resolve>,
  };
}

}  // namespace wheelwright
