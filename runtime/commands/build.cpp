#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/pytorch/build/msvc.h"
#include "runtime/pytorch/build/project_build.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/wheels/wheel/wheel_check.h"

namespace wheelwright {
namespace {

class BuildRun {
 public:
  BuildRun(const Arguments& arguments, Host& host, const Plan& plan)
      : arguments_(arguments),
        host_(host),
        runner_(host, arguments.Has("dry-run")),
        build_{.plan = plan} {}

  int Run() {
    if (!Read()) return Refuse(diagnostics_, arguments_, host_, sources_);
    const auto cache =
        ChooseCache(arguments_.Has("cache") ? arguments_.Get("cache") : "auto", runner_);
    if (!cache) return kFound;
    build_.cache = *cache;
    if (!FindRocm()) return kFound;
    if (build_.windows() && !EnterMsvcEnvironment(runner_)) return kFound;
    std::string summary = "| wheel | size | built in |\n| --- | --- | --- |\n";
    for (const ProjectRow* project : projects_) {
      const std::optional<BuiltWheel> wheel = BuildProject(build_, *project, runner_);
      if (!wheel) return kFound;
      if (runner_.dry_run()) continue;
      constexpr double kMegabyte = 1024.0 * 1024.0;
      const double size = static_cast<double>(wheel->bytes) / kMegabyte;
      runner_.log().Say(fmt::format("{} ({:.1f} MB) is in {}, after {}", wheel->file, size,
                                    build_.output, DurationText(wheel->duration)));
      summary += fmt::format("| `{}` | {:.1f} MB | {} |\n", wheel->file, size,
                             DurationText(wheel->duration));
    }
    if (!runner_.dry_run()) JobFiles(host_).AddSummary(summary);
    return kSuccess;
  }

 private:
  bool Read() {
    build_.platform = TakePlatform(arguments_, host_);
    build_.family = arguments_.Get("family");
    if (build_.windows() != host_.machine.windows && !runner_.dry_run()) {
      diagnostics_.Report(
          {.code = "option-value",
           .message = fmt::format("nothing can be built for {} on this machine", build_.platform),
           .hint = "'--dry-run' prints the commands for it"});
    }
    if (auto targets =
            TakeTargets(arguments_, "build", build_.platform, build_.plan, diagnostics_)) {
      build_.targets = *std::move(targets);
    }
    for (const auto& [option, says] :
         {std::pair("root", "--root src"), std::pair("output-dir", "--output-dir dist"),
          std::pair("versions", "--versions '{\"torch\": \"2.10.0+rocm7.12.0\"}'")}) {
      Require(arguments_, "build", option, says, diagnostics_);
    }
    build_.root = AbsolutePath(arguments_.Get("root"), host_);
    build_.output = AbsolutePath(arguments_.Get("output-dir"), host_);
    build_.jobs = TakeNumber(arguments_, "jobs");
    build_.clean = arguments_.Has("clean");
    build_.build_number = arguments_.Get("build-number");
    if (arguments_.Has("index") || arguments_.Has("index-url") || arguments_.Has("find-links")) {
      build_.tools = TakePackageSource(arguments_, "build", build_.plan, diagnostics_);
    }
    ReadVersions();
    ReadProjects();
    ReadFlashAttention();
    if (diagnostics_.errors() == 0) {
      const auto python = SelectedInterpreter(runner_, diagnostics_);
      if (python) build_.python = python->path;
    }
    return diagnostics_.errors() == 0;
  }

  void ReadVersions() {
    const std::string_view text = arguments_.Get("versions");
    if (text.empty()) return;
    const auto versions = ReadResolvedVersions(
        sources_, sources_.Add("<--versions>", std::string(text)), diagnostics_);
    if (!versions) return;
    for (const ResolvedVersion& row : *versions) {
      build_.versions.emplace_back(row.project, row.version.ToString());
    }
  }

  // In the order of building: torch needs triton, and the others need torch.
  void ReadProjects() {
    Texts order;
    if (const PlatformRow* packages = build_.plan.selection.FindPlatform(build_.platform)) {
      order = packages->packages;
    }
    for (const std::string& name : arguments_.positional) {
      if (HasText(order, name)) continue;
      const std::vector<std::string_view> known(order.begin(), order.end());
      diagnostics_.Report({.code = "unknown-project",
                           .message = fmt::format("{} is not a project that is built on {}",
                                                  Quoted(name), build_.platform),
                           .hint = DidYouMean(name, known, "there are")});
    }
    for (const std::string& name : order) {
      if (!arguments_.positional.empty() && !HasText(arguments_.positional, name)) continue;
      const ProjectRow* project = build_.plan.FindProject(name);
      if (project == nullptr) continue;
      projects_.push_back(project);
      if (arguments_.Has("versions") && build_.VersionOf(name).empty()) {
        diagnostics_.Report({.code = "option-value",
                             .message = fmt::format("'--versions' has no version of {}", name),
                             .hint = "`wheelrun resolve` computes it"});
      }
    }
  }

  void ReadFlashAttention() {
    const bool wanted = arguments_.Has("flash-attention");
    if (!wanted && !arguments_.Has("no-flash-attention")) return;
    build_.flash_attention = wanted;
    if (wanted && arguments_.Has("no-flash-attention")) {
      diagnostics_.Report(
          {.code = "option-value",
           .message = "'--flash-attention' and '--no-flash-attention' contradict each other"});
    }
    const PlatformRow* packages = build_.plan.selection.FindPlatform(build_.platform);
    const bool builds_torch = std::ranges::any_of(
        projects_, [](const ProjectRow* project) { return project->name == "torch"; });
    if (!wanted || !builds_torch || packages == nullptr || !arguments_.Has("versions")) return;
    for (const TorchFeature& feature : build_.plan.build_rules.features) {
      if (feature.name != kFlashAttention || !HasText(packages->packages, feature.needs) ||
          !build_.VersionOf(feature.needs).empty()) {
        continue;
      }
      diagnostics_.Report(
          {.code = "option-value",
           .message = fmt::format("'--flash-attention' needs {0}, and '--versions' has no {0}",
                                  feature.needs),
           .hint = fmt::format("on {} torch with flash attention requires the {} that it was built "
                               "with",
                               build_.platform, feature.needs)});
    }
  }

  bool FindRocm() {
    // A dry run may look for packages but does not need them.
    if (runner_.dry_run()) {
      Runner real(host_, false);
      const auto there = real.Try({.title = {},
                                   .arguments = {build_.python, "-m", "rocm_sdk", "version"},
                                   .limit = std::chrono::seconds(60)});
      const auto rocm = there ? AskRocm(build_.python, real) : std::nullopt;
      build_.rocm = rocm ? *rocm : ImaginedRocm("ROCM_VERSION", build_.targets);
      if (!rocm) {
        host_.out << "# no ROCm packages are installed (`wheelrun rocm install`): ROCM_ROOT and "
                     "ROCM_VERSION are placeholders\n";
      }
      return true;
    }
    const auto rocm = AskRocm(build_.python, runner_);
    if (!rocm || !CheckRocm(*rocm, "", build_.family, build_.targets, runner_.log())) {
      runner_.log().Say("`wheelrun rocm install` installs them");
      return false;
    }
    build_.rocm = *rocm;
    return true;
  }

  const Arguments& arguments_;
  Host& host_;
  SourceManager sources_;
  Diagnostics diagnostics_;
  Runner runner_;
  WheelBuild build_;
  std::vector<const ProjectRow*> projects_;
};

}  // namespace

Command BuildCommand() {
  return {
      .name = "build",
      .purpose = "Build wheels of PyTorch and its companion projects for the GPUs of a family",
      .usage = "[PROJECT...] --root DIR --family FAMILY --versions JSON --output-dir DIR",
      .about =
          "Builds the projects that are checked out below the root with the ROCm packages of the "
          "selected interpreter, dependencies first. Without projects it builds all projects of "
          "the platform. Each build must give exactly one wheel, in the resolved version. "
          "docs/building.md lists all variables, and why they are set.\n\nThe first error of a "
          "build is repeated at its end, and is an annotation of the run, with file and line.\n",
      .options = WithDryRun(Joined(
          {{.name = "root",
            .argument = "DIR",
            .help = "The folder in which `wheelrun checkout` put the sources"},
           FamilyOption(),
           {.name = "versions",
            .argument = "JSON",
            .help = "The version that each wheel must have: {\"torch\": \"2.10.0+rocm7.12.0\"}"},
           {.name = "output-dir", .argument = "DIR", .help = "The folder for the wheels"},
           {.name = "jobs",
            .argument = "N",
            .help = "How many compilers run at once (default: one for each core, fewer if the "
                    "memory is too small for that)",
            .number = true},
           {.name = "cache",
            .argument = "NAME",
            .help = "The compiler cache (default: auto: sccache if SCCACHE_BUCKET is set, else "
                    "ccache, if installed)",
            .values = {"auto", "ccache", "sccache", "none"}},
           {.name = "clean", .argument = {}, .help = "Remove the files of earlier builds first"},
           {.name = "build-number",
            .argument = "N",
            .help = "The build number in the names of the wheels: of equal versions, installers "
                    "prefer the highest",
            .number = true},
           {.name = "flash-attention",
            .argument = {},
            .help = "Build torch with it (default: if the GPUs have it); on Linux it needs triton"},
           {.name = "no-flash-attention", .argument = {}, .help = "Build torch without it"}},
          Joined(SourceOptions(), {PlatformOption(), PlanOption()}))),
      .examples = {{"wheelrun build torch --root src --family gfx94X-dcgpu --output-dir dist "
                    "--versions '{\"torch\": \"2.10.0+rocm7.12.0\"}'",
                    "Build torch alone"},
                   {"wheelrun build --platform windows --root B:/src --family gfx1151 --output-dir "
                    "dist --versions '{\"torch\": \"2.10.0\", \"torchaudio\": \"2.10.0\", "
                    "\"torchvision\": \"0.25.0\"}' --dry-run",
                    "Show the commands for Windows, with all variables"}},
      .most_positional = 100,
      .run_on_host = RunByPlan<BuildRun>,
  };
}

}  // namespace wheelwright
