#include "runtime/pytorch/sources/checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/sources/checkout_origins.h"
#include "runtime/pytorch/sources/commits.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/manifest.h"
#include "runtime/pytorch/sources/resolver.h"
#include "runtime/pytorch/sources/text_at.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

constexpr std::size_t kDefaultJobs = 10;
constexpr std::size_t kDefaultDepth = 1;

class CheckoutRun {
 public:
  CheckoutRun(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments),
        host_(host),
        plan_(plan),  // a copy: forks change it
        runner_(host, arguments.Has("dry-run")),
        ref_(arguments.Get("torch-ref")) {}

  int Run() {
    const bool good = Read() && FindCommits() && FindPython();
    const int wrong = Refuse(diagnostics_, arguments_, host_, sources_);
    if (!good) return wrong == kSuccess ? kFound : wrong;
    for (const ProjectRow& project : plan_.projects) {
      if (HasText(projects_, project.name) && !CheckOut(project)) return kFound;
    }
    return kSuccess;
  }

 private:
  bool Read() {
    TakeOrigins(arguments_, plan_, diagnostics_);
    if (arguments_.Has("manifest") && (diagnostics_.errors() > 0 || !ReadManifestFile())) {
      return false;
    }
    const bool told = !ref_.empty() || Require(arguments_, "checkout", "torch-ref",
                                               "--torch-ref release/2.10", diagnostics_);
    if (told && !IsRefName(ref_)) {
      diagnostics_.Report(
          {.code = "ref-name",
           .message = fmt::format("{} is not a valid name of a branch", Quoted(ref_))});
    }
    const PlatformRow* packages = plan_.selection.FindPlatform(TakePlatform(arguments_, host_));
    root_ = arguments_.Get("root");
    if (root_.empty() && packages != nullptr) root_ = packages->checkout_root;
    if (root_.empty()) {
      Require(arguments_, "checkout", "root", "--root src", diagnostics_);
    }
    root_ = AbsolutePath(root_, host_);
    if (arguments_.Has("jobs")) jobs_ = std::max<std::size_t>(TakeNumber(arguments_, "jobs"), 1);
    if (arguments_.Has("depth")) depth_ = TakeNumber(arguments_, "depth");
    std::vector<std::string_view> known;
    for (const ProjectRow& project : plan_.projects) known.push_back(project.name);
    for (const std::string& name : arguments_.positional) {
      if (plan_.FindProject(name) == nullptr) {
        diagnostics_.Report({.code = "unknown-project",
                             .message = fmt::format("no project is called {}", Quoted(name)),
                             .hint = DidYouMean(name, known, "there are")});
      }
    }
    projects_ = arguments_.positional;
    if (projects_.empty() && packages != nullptr) projects_ = packages->packages;
    return diagnostics_.errors() == 0;
  }

  // Projects that are not in the manifest are not resolved by a ref.
  bool ReadManifestFile() {
    const std::string_view place = arguments_.Get("manifest");
    std::string problem;
    const std::optional<std::string> text = ReadTextAt(place, host_, problem);
    if (!text) {
      runner_.log().Error(problem, "there is no manifest");
      return false;
    }
    auto entries = ReadManifest(*text, WithoutCredentials(place), plan_, diagnostics_);
    if (!entries) return false;
    manifest_ = *std::move(entries);
    const std::string& branch =
        std::ranges::find(manifest_, "torch", &ManifestEntry::project)->branch;
    if (ref_.empty()) {
      ref_ = branch.empty() ? "nightly" : branch;
    } else if (!branch.empty() && branch != ref_) {
      diagnostics_.Report(
          {.code = "manifest",
           .message = fmt::format("the manifest is for {}, but '--torch-ref' is {}", branch, ref_),
           .hint = "remove '--torch-ref'"});
    }
    return true;
  }

  bool TakeManifest() {
    for (const ManifestEntry& entry : manifest_) {
      commits_.emplace_back(entry.project, entry.commit);
    }
    if (arguments_.positional.empty()) {
      std::erase_if(projects_, [&](const std::string& project) {
        return FindProject(commits_, project) == nullptr;
      });
    }
    for (const std::string& project : projects_) {
      if (FindProject(commits_, project) != nullptr) continue;
      diagnostics_.Report(
          {.code = "manifest",
           .message = fmt::format("the manifest does not say where {} is from", project)});
    }
    if (arguments_.Has("commits")) {
      diagnostics_.Report({.code = "option-value",
                           .message = "'--manifest' and '--commits' both give the commits",
                           .hint = "remove one of them"});
    }
    if (diagnostics_.errors() > 0 || !arguments_.Has("commit")) return diagnostics_.errors() == 0;
    // The manifest must agree with the caller's commit.
    const ByProject said = std::exchange(commits_, {});
    if (!TakeCommit()) return false;
    const std::string& commit = *FindProject(said, projects_.front());
    if (commit != commits_.front().second) {
      diagnostics_.Report(
          {.code = "manifest",
           .message = fmt::format("the manifest has another commit of {} than '--commit': {}",
                                  projects_.front(), commit),
           .hint = "were these wheels built from the resolved commits?"});
    }
    return diagnostics_.errors() == 0;
  }

  bool FindCommits() {
    if (arguments_.Has("manifest")) return TakeManifest();
    const TorchRow* row = plan_.FindTorch(ref_);
    const std::string id = row == nullptr ? ref_ : row->id;
    if (arguments_.Has("commit")) return TakeCommit();
    if (!arguments_.Has("commits")) {
      Resolver resolver(plan_, runner_, sources_, diagnostics_);
      if (runner_.dry_run()) {
        diagnostics_.Report({.code = "missing-argument",
                             .message = "'checkout --dry-run' needs '--commits' or '--commit'",
                             .notes = {"to resolve them, commands must run"}});
        return false;
      }
      const auto found = resolver.Commits({{.id = id, .ref = ref_, .projects = projects_}});
      if (found) commits_ = found->front().second;
      return found.has_value();
    }
    auto given = ReadCommitRow(arguments_.Get("commits"), id, plan_, diagnostics_);
    if (!given) return false;
    commits_ = *std::move(given);
    for (const std::string& project : projects_) {
      if (FindProject(commits_, project) != nullptr) continue;
      diagnostics_.Report(
          {.code = "option-value",
           .message = fmt::format("'--commits' has no commit of {}", project),
           .notes = {fmt::format("to check out the others alone, name them: wheelrun checkout {}",
                                 commits_.front().first)}});
    }
    return diagnostics_.errors() == 0;
  }

  bool TakeCommit() {
    const std::string commit(arguments_.Get("commit"));
    if (!IsCommitId(commit)) {
      diagnostics_.Report({.code = "option-value",
                           .message = fmt::format("'--commit' does not take {}", Quoted(commit)),
                           .hint = "a commit is 40 hexadecimal digits"});
    }
    if (arguments_.Has("commits") || projects_.size() != 1) {
      diagnostics_.Report({.code = "option-value",
                           .message = "'--commit' is for one project",
                           .hint = "name it, or give --commits instead",
                           .notes = {"wheelrun checkout torch --commit COMMIT"}});
    }
    commits_.emplace_back(projects_.empty() ? "" : projects_.front(), commit);
    return diagnostics_.errors() == 0;
  }

  bool Hipifies(const ProjectRow& project) const {
    return project.hipify && !arguments_.Has("no-hipify");
  }

  bool FindPython() {
    const bool needed = std::ranges::any_of(plan_.projects, [&](const ProjectRow& project) {
      return HasText(projects_, project.name) && Hipifies(project);
    });
    if (!needed) return true;
    const auto found = SelectedInterpreter(runner_, diagnostics_);
    if (found) python_ = found->path;
    return found.has_value();
  }

  bool CheckOut(const ProjectRow& project) {
    const auto said = std::ranges::find(manifest_, project.name, &ManifestEntry::project);
    const std::string_view repository = said != manifest_.end()
                                            ? std::string_view(said->repository)
                                            : RepositoryOf(plan_, ref_, project.name);
    if (repository.empty()) {
      runner_.log().Error(fmt::format("torch_sources has no {}", project.name),
                          "the plan does not say where it comes from");
      return false;
    }
    return Checkout({.project = project.name,
                     .repository = std::string(repository),
                     .commit = *FindProject(commits_, project.name),
                     .folder = fmt::format("{}/{}", root_, project.folder),
                     .jobs = jobs_,
                     .depth = depth_,
                     .submodules = !arguments_.Has("no-submodules"),
                     .hipify = Hipifies(project),
                     .python = python_},
                    runner_)
        .Run();
  }

  const Arguments& arguments_;
  Host& host_;
  Plan plan_;
  Runner runner_;
  SourceManager sources_;
  Diagnostics diagnostics_;
  std::string ref_;
  std::string root_;
  std::size_t jobs_ = kDefaultJobs;
  std::size_t depth_ = kDefaultDepth;
  Texts projects_;
  ByProject commits_;
  std::vector<ManifestEntry> manifest_;
  std::string python_;
};

}  // namespace

Command CheckoutCommand() {
  return {
      .name = "checkout",
      .purpose = "Check out PyTorch and what is built with it, at frozen commits",
      .usage =
          "[PROJECT]... (--torch-ref REF [--commits JSON | --commit COMMIT] | --manifest FILE|URL) "
          "[--root DIR] "
          "[--origin PROJECT=URL]... "
          "[--jobs N] [--depth N] [--no-submodules] [--no-hipify] [--plan FILE] [--dry-run]",
      .about =
          "Each project gets a folder below --root, named as in matrix/pytorch.yml, with its "
          "submodules. Projects that PyTorch translates for AMD GPUs are hipified, and the changes "
          "are committed, so that later changes can be distinguished from them: the tag "
          "THEROCK_UPSTREAM_DIFFBASE marks the original sources, THEROCK_HIPIFY_DIFFBASE the "
          "hipified ones, also in submodules.\n\nThe command can be repeated on its own folders: "
          "after an interruption, for another commit, or after manual changes, which `git stash` "
          "saves.\n\nWithout --commits and --commit it resolves the commits like `wheelrun "
          "resolve`. A manifest, which is stored beside each uploaded wheel, has addresses and "
          "commits, and so restores the sources of the wheel. --commit then only verifies the "
          "commit.\n",
      .options = WithDryRun(
          {{.name = "root",
            .argument = "DIR",
            .help = "The folder for the checkouts (default: checkout_root of the platform)"},
           {.name = "torch-ref",
            .argument = "REF",
            .help = "The branch of PyTorch that the commits belong to: release/2.10"},
           {.name = "commits",
            .argument = "JSON",
            .help = "The commit of each project, as `wheelrun resolve` gives them"},
           {.name = "commit",
            .argument = "COMMIT",
            .help = "The commit of the only project on the command line"},
           {.name = "manifest",
            .argument = "FILE|URL",
            .help = "The manifest of wheels whose sources to check out"},
           OriginOption(),
           {.name = "jobs",
            .argument = "N",
            .help = "How many submodules are fetched at a time (default: 10)",
            .number = true},
           {.name = "depth",
            .argument = "N",
            .help = "Commits of history to fetch; 0: all of it (default: 1)",
            .number = true},
           {.name = "no-submodules", .argument = {}, .help = "Check out no submodules"},
           {.name = "no-hipify", .argument = {}, .help = "Do not hipify the sources"},
           PlanOption()}),
      .examples = {{"wheelrun checkout --root src --torch-ref release/2.10",
                    "All sources of the newest release/2.10, ready to build"},
                   {"wheelrun checkout torch --root src --torch-ref nightly --no-hipify "
                    "--no-submodules",
                    "PyTorch's tests alone"},
                   {"wheelrun checkout --root src --manifest therock-manifest_torch_py3.12_release-"
                    "2.10.json",
                    "The sources of existing wheels"},
                   {"wheelrun checkout torch --root src --torch-ref my-branch --origin "
                    "torch=https://github.com/somebody/pytorch.git",
                    "PyTorch from a branch of somebody's fork"}},
      .most_positional = 16,
      .run_on_host = RunByPlan<CheckoutRun>,
  };
}

}  // namespace wheelwright
