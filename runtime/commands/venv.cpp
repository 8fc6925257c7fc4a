#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "runtime/actions/job_files.h"
#include "runtime/commands/build_arguments.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/session.h"
#include "runtime/python/environment.h"
#include "runtime/python/interpreter.h"
#include "runtime/testing/installation.h"
#include "runtime/version/package_version.h"

namespace wheelwright {
namespace {

// The version of torch is said twice, and must be said alike.
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
         .message = fmt::format("'--wheels' has {}, and '--torch-version' says {}",
                                is_there ? "torch " + torch->version : std::string("no torch"),
                                installation.torch_version)});
  }
}

bool Read(const Arguments& arguments, Host& host, Runner& runner, Installation& installation,
          Diagnostics& diagnostics) {
  installation.platform = TakePlatform(arguments, host);
  installation.family = arguments.Get("family");
  installation.folder = AbsolutePath(arguments.positional.front(), host);
  installation.clean = arguments.Has("clean");
  if (auto source = TakePackageSource(arguments, "venv", diagnostics)) {
    installation.source = *std::move(source);
    installation.source.index_url =
        IndexOfFamily(installation.source.index_url, installation.family, installation.plan);
  }
  if (arguments.Has("family")) {
    TakeTargets(arguments, "venv", installation.platform, installation.plan, diagnostics);
  }
  installation.torch_version = arguments.Get("torch-version");
  installation.rocm_version = arguments.Get("rocm-version");
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
  if (!installation.torch_version.empty() || !installation.wheels.empty()) {
    CompareTorch(installation, diagnostics);
  } else if (installation.rocm_version.empty() && installation.packages.empty()) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'venv' is told nothing to install",
                        .hint = "give '--torch-version', '--rocm-version' or '--packages'"});
  }
  if (!installation.clean && std::filesystem::exists(installation.folder)) {
    diagnostics.Report(
        {.code = "option-value",
         .message = fmt::format("{} is there already", arguments.positional.front()),
         .hint = "'--clean' removes it first",
         .notes = {"an environment that something else was installed into proves nothing"}});
  }
  if (diagnostics.errors() == 0) {
    const auto python = SelectedInterpreter(runner, diagnostics);
    if (python) installation.python = python->path;
  }
  return diagnostics.errors() == 0;
}

int RunVenv(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  Runner runner(host, arguments.Has("dry-run"));
  Installation installation{.plan = *plan};
  if (!Read(arguments, host, runner, installation, diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  if (!Install(installation, runner)) return kFound;
  if (arguments.Has("activate") && !runner.dry_run()) {
    JobFiles job(host);
    job.AddPath(ProgramsOfEnvironment(installation.folder, host.machine.windows));
    job.SetVariable("VIRTUAL_ENV", installation.folder);
  }
  return kFine;
}

}  // namespace

Command VenvCommand() {
  return {
      .name = "venv",
      .purpose = "Install wheels into a fresh virtual environment, as users do",
      .usage = "DIR --index-url URL|--find-links URL [--torch-version VERSION] [--wheels JSON]",
      .about =
          "Makes the environment with the selected interpreter. torch, ROCm and what belongs to "
          "them come in exact versions from that source and no other; with --wheels they are "
          "exactly the files that were uploaded, whose sums are checked before anything of them "
          "runs. What else they require comes from the index or, with --find-links, from where pip "
          "is configured to look.\n\n"
          "A source may lag behind an upload, so that is tried for about three minutes.\n",
      .options = WithDryRun(Joined(
          {FamilyOption(),
           {.name = "torch-version",
            .argument = "VERSION",
            .help = "The torch to install, with its local part: 2.10.0+rocm7.12.0"},
           {.name = "wheels",
            .argument = "JSON",
            .help = "What `wheelrun upload` gave out, SHA-256 by file name: these are installed, "
                    "and no others of their projects"},
           {.name = "rocm-version",
            .argument = "VERSION",
            .help = "The ROCm packages to install (default: those that torch requires)"},
           {.name = "rocm-extras",
            .argument = "LIST",
            .help = "Their parts, with commas between them (default: libraries)"},
           {.name = "packages",
            .argument = "LIST",
            .help = "More packages of the source, with blanks between them; may be given several "
                    "times"}},
          Joined(SourceOptions(),
                 {{.name = "clean", .argument = {}, .help = "Remove what is there first"},
                  {.name = "activate",
                   .argument = {},
                   .help = "Put it in front of the PATH of the steps that follow"},
                  PlatformOption(),
                  PlanOption()}))),
      .examples = {{"wheelrun venv .venv --family gfx94X-dcgpu --torch-version 2.10.0+rocm7.12.0 "
                    "--index-url https://rocm.nightlies.amd.com/v2",
                    "A published torch with its ROCm"},
                   {"wheelrun venv .venv --rocm-version 7.12.0 --rocm-extras libraries,devel "
                    "--find-links dist --dry-run",
                    "See what would be called to install ROCm packages of a folder"}},
      .least_positional = 1,
      .most_positional = 1,
      .run = OnHost<RunVenv>,
  };
}

}  // namespace wheelwright
