#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/platform/child_process.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/run_packages.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/pytorch/acceptance/installation.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/python/virtual_environment.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

// Reports an invalid --torch-version, and one that differs from the pinned wheel.
void CompareTorch(const Installation& installation, Diagnostics& diagnostics) {
  const auto torch = std::ranges::find(installation.wheels, "torch", &PinnedWheel::project);
  const bool is_there = torch != installation.wheels.end();
  const auto wanted = ParsePackageVersion(installation.torch_version);
  if (!wanted) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--torch-version' does not take '{}'", installation.torch_version),
         .hint = "it takes a version, such as 2.10.0+rocm7.12.0"});
  } else if (!installation.wheels.empty() &&
             (!is_there || *ParsePackageVersion(torch->version) != *wanted)) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("'--wheels' has {}, but '--torch-version' is {}",
                                is_there ? "torch " + torch->version : std::string("no torch"),
                                installation.torch_version)});
  }
}

// The installer: uv if present, as it is much faster.
std::string TakeUv(const Arguments& arguments, const Host& host, Diagnostics& diagnostics) {
  if (arguments.Get("installer") == "pip") return {};
  std::string path = FindProgram("uv", host.variables);
  if (path.empty() && arguments.Has("installer")) {
    diagnostics.Report(
        {.code = "option-value",
         .message = "there is no uv on the PATH",
         .hint = "`pip install uv` installs it; '--installer pip' uses pip instead"});
  }
  return path;
}

// Reads the options for the source of packages, unless it is a run.
void TakeSource(const Arguments& arguments, Installation& installation, Diagnostics& diagnostics) {
  const auto source = TakePackageSource(arguments, "venv", installation.plan, diagnostics);
  if (source) installation.source = *source;
  for (const std::string_view option :
       {"branch", "workflow", "repository", "artifact-group", "store", "bucket"}) {
    if (!arguments.Has(option)) continue;
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--{}' needs a run", option),
                        .hint = "name one: '--run-id ID' or '--latest'"});
  }
  installation.torch_version = arguments.Get("torch-version");
  installation.rocm_version = arguments.Get("rocm-version");
}

// `wanted`: the packages to find in a run; nothing if no run is given.
bool Read(const Arguments& arguments, Host& host, Runner& runner, Installation& installation,
          std::optional<WantedPackages>& wanted, Diagnostics& diagnostics) {
  std::optional<WantedPackages> of_run;
  installation.platform = TakePlatform(arguments, host);
  installation.family = arguments.Get("family");
  installation.folder = AbsolutePath(arguments.positional.front(), host);
  installation.clean = arguments.Has("clean");
  installation.uv = TakeUv(arguments, host, diagnostics);
  if (WantsRun(arguments)) {
    of_run = TakeWanted(arguments, diagnostics);
  } else {
    TakeSource(arguments, installation, diagnostics);
  }
  if (arguments.Has("family")) {
    TakeTargets(arguments, "venv", installation.platform, installation.plan, diagnostics);
  }
  if (arguments.Has("rocm-extras")) installation.rocm_extras = arguments.Get("rocm-extras");
  for (const std::string& text : arguments.All("packages")) {
    for (const std::string_view word : Split(text, ' ')) {
      if (!word.empty()) installation.packages.emplace_back(word);
    }
  }
  if (arguments.Has("wheels")) {
    if (auto wheels = ReadPinnedWheels(arguments.Get("wheels"), diagnostics)) {
      installation.wheels = *std::move(wheels);
    }
  }
  if (WantsRun(arguments)) {
    if (!installation.wheels.empty()) {
      diagnostics.Report({.code = "option-value",
                          .message = "'--wheels' cannot be combined with a run",
                          .hint = "give the run's page: '--find-links URL'"});
    }
  } else if (!installation.torch_version.empty() || !installation.wheels.empty()) {
    CompareTorch(installation, diagnostics);
  } else if (installation.rocm_version.empty() && installation.packages.empty()) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'venv' needs something to install",
                        .hint = "give '--torch-version', '--rocm-version' or '--packages'"});
  }
  if (!installation.clean && Exists(installation.folder)) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("{} exists already", arguments.positional.front()),
         .hint = "'--clean' removes it first",
         .notes = {"an environment with other packages would not show what the wheels need"}});
  }
  if (diagnostics.errors() > 0) return false;
  const auto python = SelectedInterpreter(runner, diagnostics);
  if (!python) return false;
  installation.python = *python;
  if (of_run) of_run->python = python->version;
  wanted = std::move(of_run);
  return true;
}

// Logs an error and returns false if the run does not have the packages.
bool LookUp(const Arguments& arguments, const WantedPackages& wanted, Host& host,
            Installation& installation, Diagnostics& diagnostics) {
  try {
    auto packages = FindRunPackages(arguments, installation.plan, wanted, host, diagnostics);
    if (!packages) return false;
    installation.source = std::move(packages->source);
    installation.torch_version = std::move(packages->torch_version);
    installation.rocm_version = std::move(packages->rocm_version);
    return true;
  } catch (const StorageError& error) {
    Log(host).Error(error.what());
    return false;
  }
}

int RunVenv(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  Runner runner(host, arguments.Has("dry-run"));
  Installation installation{.plan = *plan};
  std::optional<WantedPackages> wanted;
  if (!Read(arguments, host, runner, installation, wanted, diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  if (wanted && !LookUp(arguments, *wanted, host, installation, diagnostics)) {
    return diagnostics.errors() > 0 ? Refuse(diagnostics, arguments, host) : kFound;
  }
  if (!Install(installation, runner)) return kFound;
  if (arguments.Has("activate") && !runner.dry_run()) {
    JobFiles job(host);
    job.AddPath(ProgramsOfEnvironment(installation.folder, host.machine.windows));
    job.SetVariable("VIRTUAL_ENV", installation.folder);
  }
  return kSuccess;
}

}  // namespace

Command VenvCommand() {
  return {
      .name = "venv",
      .purpose = "Install wheels into a new virtual environment, like a user",
      .usage =
          "DIR --index NAME|--index-url URL|--find-links URL|--run-id ID|--latest "
          "[--torch-version VERSION]",
      .about =
          "Makes the environment with the selected interpreter. torch, ROCm and the packages that "
          "belong to them are installed in exact versions, only from the given source; with "
          "--wheels exactly the uploaded files are installed, and their checksums are verified "
          "before any of them runs. Other requirements come from the index or, with --find-links, "
          "from pip's configured index.\n\nWith --run-id or --latest the source is the page of "
          "links of a GitHub run. By default the newest torch on it for this Python is installed, "
          "with its ROCm, or else the ROCm packages. Versions may be bounds: --torch-version "
          "'==2.10.*'. --latest uses the newest run of a branch that has the packages, even if "
          "other jobs of it failed; runs of forks are skipped.\n\nuv installs if it is on the "
          "PATH, else pip. Both get the same source, and their own configuration is ignored for "
          "it.\n\nAn index may lag behind an upload: `wheelrun wait-for` waits for it.\n",
      .options = WithDryRun(Joined(
          {FamilyOption(),
           {.name = "torch-version",
            .argument = "VERSION",
            .help = "The torch to install, with its local part: 2.10.0+rocm7.12.0"},
           {.name = "wheels",
            .argument = "JSON",
            .help = "The output of `wheelrun upload`, SHA-256 by file name: of their projects, "
                    "only these files are installed"},
           {.name = "rocm-version",
            .argument = "VERSION",
            .help = "The ROCm packages to install (default: those that torch requires)"},
           {.name = "rocm-extras",
            .argument = "LIST",
            .help = "The extras of the ROCm packages, separated by commas (default: libraries)"},
           {.name = "packages",
            .argument = "LIST",
            .help =
                "More packages of the source, separated by blanks; may be given several times"}},
          Joined(SourceOptions(),
                 Joined(RunPackagesOptions(),
                        {{.name = "installer",
                          .argument = "NAME",
                          .help = "The installer (default: uv if it is on the PATH, else pip)",
                          .values = {"uv", "pip"}},
                         {.name = "clean",
                          .argument = {},
                          .help = "Remove an existing environment first"},
                         {.name = "activate",
                          .argument = {},
                          .help = "Put it first on the PATH of the following steps"},
                         PlatformOption(),
                         PlanOption()})))),
      .examples =
          {{"wheelrun venv .venv --family gfx94X-dcgpu --run-id 19000000000",
            "The packages of a CI run"},
           {"wheelrun venv .venv --family gfx94X-dcgpu --latest --workflow ci_nightly.yml",
            "The packages of the newest nightly run"},
           {"wheelrun venv .venv --family gfx94X-dcgpu --index stable --rocm-version 7.12.0",
            "A release"},
           {"wheelrun venv .venv --family gfx94X-dcgpu --torch-version 2.10.0+rocm7.12.0 "
            "--index-url https://rocm.nightlies.amd.com/v2",
            "A published torch with its ROCm"},
           {"wheelrun venv .venv --rocm-version 7.12.0 --rocm-extras libraries,devel "
            "--find-links dist --dry-run",
            "Show the commands that install ROCm packages from a folder"}},
      .least_positional = 1,
      .most_positional = 1,
      .run_on_host = RunVenv,
  };
}

}  // namespace wheelwright
