#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/sources/checkout.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

class HipifyRun {
 public:
  HipifyRun(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments), host_(host), plan_(plan), runner_(host, arguments.Has("dry-run")) {}

  int Run() {
    Read();
    if (diagnostics_.errors() > 0) return Refuse(diagnostics_, arguments_, host_);
    if (projects_.empty()) {
      runner_.log().Error(fmt::format("{} has none of {}: `wheelrun checkout` checks them out",
                                      root_, JoinWords(Hipified())),
                          "there is nothing to hipify");
      return kFound;
    }
    for (const ProjectRow* project : projects_) {
      const CheckoutRequest request{
          .project = project->name, .folder = FolderOf(*project), .python = python_};
      if (!Checkout(request, runner_).RunHipify()) return kFound;
    }
    return kSuccess;
  }

 private:
  std::string FolderOf(const ProjectRow& project) const {
    return fmt::format("{}/{}", root_, project.folder);
  }

  Texts Hipified() const {
    Texts names;
    for (const ProjectRow& project : plan_.projects) {
      if (project.hipify) names.push_back(project.name);
    }
    return names;
  }

  void Read() {
    const PlatformRow* packages = plan_.selection.FindPlatform(TakePlatform(arguments_, host_));
    root_ = arguments_.Get("root");
    if (root_.empty() && packages != nullptr) root_ = packages->checkout_root;
    root_ = AbsolutePath(root_, host_);
    std::vector<std::string_view> known;
    for (const ProjectRow& project : plan_.projects) known.push_back(project.name);
    for (const std::string& name : arguments_.positional) {
      const ProjectRow* project = plan_.FindProject(name);
      if (project != nullptr) {
        projects_.push_back(project);
        continue;
      }
      diagnostics_.Report({.code = "unknown-project",
                           .message = fmt::format("no project is called {}", Quoted(name)),
                           .hint = DidYouMean(name, known, "there are")});
    }
    if (arguments_.positional.empty()) {
      for (const ProjectRow& project : plan_.projects) {
        const CheckoutRequest request{.project = project.name, .folder = FolderOf(project)};
        if (project.hipify && Checkout(request, runner_).HasHipify()) projects_.push_back(&project);
      }
    }
    if (diagnostics_.errors() > 0) return;
    if (const auto python = SelectedInterpreter(runner_, diagnostics_)) python_ = python->path;
  }

  const Arguments& arguments_;
  Host& host_;
  const Plan& plan_;
  Runner runner_;
  Diagnostics diagnostics_;
  std::string root_;
  std::string python_;
  std::vector<const ProjectRow*> projects_;
};

}  // namespace

Command HipifyCommand() {
  return {
      .name = "hipify",
      .purpose = "Translate checked-out sources of PyTorch for AMD GPUs",
      .usage = "[PROJECT]... [--root DIR]",
      .about =
          "Runs only the last step of `wheelrun checkout`, on sources that were checked out with "
          "--no-hipify, cloned by hand, or changed by commits since: it runs "
          "tools/amd_build/build_amd.py of the project, commits the changes, also in submodules, "
          "and tags them THEROCK_HIPIFY_DIFFBASE. Without projects it hipifies all below the root "
          "that have this script.\n\nUncommitted changes are an error, because hipify's commit "
          "must only contain its own changes.\n",
      .options = WithDryRun({{.name = "root",
                              .argument = "DIR",
                              .help = "The folder in which `wheelrun checkout` put the sources "
                                      "(default: checkout_root of the platform)"},
                             PlanOption()}),
      .examples = {{"wheelrun hipify torch --root src",
                    "Hipify PyTorch after a checkout with --no-hipify"},
                   {"wheelrun hipify torch --root src --dry-run",
                    "Show the commands without running them"}},
      .most_positional = 16,
      .run_on_host = RunByPlan<HipifyRun>,
  };
}

}  // namespace wheelwright
