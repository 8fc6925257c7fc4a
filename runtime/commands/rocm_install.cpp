#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/pytorch/build/rocm.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/wheels/version/version_specifier.h"

namespace wheelwright {
namespace {

std::optional<VersionSpecifier> TakeVersion(const Arguments& arguments, Diagnostics& diagnostics) {
  if (!Require(arguments, "rocm install", "version", "--version 7.12.0a20260219", diagnostics)) {
    return std::nullopt;
  }
  const std::string_view text = arguments.Get("version");
  auto version = ParseVersionSpecifier(text);
  if (!version) {
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--version' does not take {}", Quoted(text)),
                        .hint = "it takes a version, such as 7.12.0a20260219, or bounds, such as "
                                "'>=7.12,<8'"});
  }
  return version;
}

// pip writes a package's RECORD last, and cannot replace a package without it: after a killed
// install, every later one would fail with "uninstall-no-record-file".
Step ForgetUnfinishedStep(const std::string& python) {
  return {.title = "remove incomplete ROCm packages",
          .arguments = {python, "-c",
                        "import pathlib, shutil, sysconfig\n"
                        "for info in pathlib.Path(sysconfig.get_path('purelib')).glob("
                        "'rocm*.dist-info'):\n"
                        "    if not (info / 'RECORD').exists(): shutil.rmtree(info)"},
          .quiet = true};
}

int RunRocmInstall(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  const std::string platform = TakePlatform(arguments, host);
  std::optional<PackageSource> source;
  if (plan) source = TakePackageSource(arguments, "rocm install", *plan, diagnostics);
  const auto version = TakeVersion(arguments, diagnostics);
  Runner runner(host, arguments.Has("dry-run"));
  std::optional<Texts> targets;
  if (plan) targets = TakeTargets(arguments, "rocm install", platform, *plan, diagnostics);
  std::optional<Interpreter> python;
  if (diagnostics.errors() == 0) python = SelectedInterpreter(runner, diagnostics);
  if (diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const std::string family(arguments.Get("family"));
  if (!runner.Run(ForgetUnfinishedStep(python->path))) return kFound;
  if (!InstallBuildTools(python->path, runner)) return kFound;

  // The package `rocm` is built during its installation for certain GPUs, so a wheel in pip's cache
  // may be for others. Failure is fine: there may be no cache.
  Step forget =
      PipStep("remove an older rocm from pip's cache", python->path, {"cache", "remove", "rocm"});
  std::vector<std::string> words{"install", "--force-reinstall", "--no-build-isolation"};
  if (arguments.Has("cache-dir")) {
    const std::string folder(arguments.Get("cache-dir"));
    forget.arguments.insert(forget.arguments.end(), {"--cache-dir", folder});
    words.insert(words.end(), {"--cache-dir", folder});
  }
  if (runner.dry_run()) {
    runner.Run(forget);
  } else {
    runner.Try(forget);
  }
  // Nightly versions are pre-releases, which bounds exclude without --pre.
  if (!version->exact) words.emplace_back("--pre");
  words.push_back("rocm[libraries,devel]" + version->text);
  Step install = PipStepFrom(*source, fmt::format("install ROCm {}", arguments.Get("version")),
                             python->path, words);
  for (auto& pair : FamilyVariable(family, platform, *plan)) {
    install.variables.push_back(std::move(pair));
  }
  if (!runner.Run(install)) return kFound;

  const std::optional<RocmPackages> rocm = AskRocm(python->path, runner);
  if (runner.dry_run()) return kSuccess;
  const std::string wanted = version->exact ? version->exact->ToString() : std::string();
  if (!rocm || !CheckRocm(*rocm, wanted, family, *targets, runner.log())) return kFound;
  runner.log().Say(
      fmt::format("ROCm {} for {} is in {}", rocm->version, JoinWords(rocm->targets), rocm->root));
  JobFiles job(host);
  job.SetOutput("rocm_version", rocm->version);
  job.SetOutput("rocm_root", rocm->root);
  return kSuccess;
}

}  // namespace

Command RocmInstallCommand() {
  return {
      .name = "rocm install",
      .purpose = "Install the ROCm packages for the build",
      .usage = "--family FAMILY --version VERSION --index NAME|--index-url URL|--find-links URL",
      .about =
          "Installs rocm[libraries,devel] in that version into the selected interpreter (`wheelrun "
          "python select`), only from that source. Then it reads the version and targets of the "
          "installed packages, and fails if they are not those of the family.\n\nJobs give one "
          "version. Bounds are allowed too: '>1.0' installs the newest version of the source, "
          "including nightly ones.\n\nOutputs: rocm_version, and rocm_root, the folder that "
          "corresponds to /opt/rocm.\n",
      .options = WithDryRun(
          Joined({FamilyOption(),
                  {.name = "version",
                   .argument = "VERSION",
                   .help = "The version of the packages: 7.12.0a20260219, or bounds: '>=7.12,<8'"}},
                 Joined(SourceOptions(), {{.name = "cache-dir",
                                           .argument = "DIR",
                                           .help = "pip's cache (default: pip's own default)"},
                                          PlatformOption(),
                                          PlanOption()}))),
      .examples = {{"wheelrun rocm install --family gfx94X-dcgpu --version 7.12.0a20260219 "
                    "--index-url https://rocm.nightlies.amd.com/v2",
                    "The packages with which the nightly wheels of that day were built"},
                   {"wheelrun rocm install --family gfx1151 --version 7.12.0 --find-links dist "
                    "--dry-run",
                    "Show the commands without running them"}},
      .outputs = {"rocm_version", "rocm_root"},
      .run_on_host = RunRocmInstall,
  };
}

}  // namespace wheelwright
