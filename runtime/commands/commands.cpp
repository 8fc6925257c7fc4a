#include "runtime/commands/commands.h"

#include <array>

#include "base/program_version.h"

namespace wheelwright {

const Program& Wheelrun() {
  static const std::array kCommands{
      ConfigureCommand(),
      HipCompileCommand(),
      ResolveCommand(),
      CheckoutCommand(),
      HipifyCommand(),
      ManifestCommand(),
      PythonSelectCommand(),
      RocmInstallCommand(),
      BuildCommand(),
      WaitForCommand(),
      VenvCommand(),
      TestCommand(),
      PlanSchemaCommand(),
      AttestCommand(),
      AttestCollectCommand(),
      PromoteCommand(),
      ReleaseCheckCommand(),
      ReleaseResolveCommand(),
      ReleaseYankCommand(),
      ReleaseRollbackCommand(),
      PruneCommand(),
      VerifyCommand(),
      IndexCommand(),
      IndexYankCommand(),
      IndexMirrorCommand(),
      UploadCommand(),
      FetchArtifactsCommand(),
      FetchPackagesCommand(),
      SummaryCommand(),
      VersionRocmCommand(),
      VersionSuffixCommand(),
      WheelCheckCommand(),
      WheelInspectCommand(),
      WheelVersionsCommand(),
      CompletionCommand("wheelrun",
                        [](const Arguments& arguments, Environment& environment) {
                          return PrintCompletion(Wheelrun(), arguments, environment);
                        }),
      VersionCommand("wheelrun", [](const Arguments&, Environment& environment) {
        return PrintVersion(Wheelrun(), environment);
      })};
  static const Program kProgram{
      .name = "wheelrun",
      .version = OwnVersion(),
      .purpose = "Runs the steps of the generated workflows, in a job or on a laptop.",
      .commands = kCommands,
      .topics = {},
      .statuses = {{kSuccess, "success"},
                   {kFound, "a step failed, or a check found something"},
                   {kWrongInput, "the input or the command line is wrong; nothing was changed"},
                   {kInternalError, "internal error of wheelrun"}},
      .reference_note =
          "`wheelrun help COMMAND` prints this text. Outside of a job, values for later steps are "
          "printed as NAME=VALUE.",
      .empty_is_absent = true,
      // Builds read those of compilers, of Python's tools and of the build systems of projects.
      .variables = {"*FLAGS",
                    "*_PROXY",
                    "*_proxy",
                    "ACTIONS_*",
                    "AWS_*",
                    "BUILD_*",
                    "CC",
                    "CCACHE_*",
                    "CLICOLOR*",
                    "CMAKE_*",
                    "CXX",
                    "GH_TOKEN",
                    "GITHUB_*",
                    "GIT_*",
                    "HIP_*",
                    "HOME",
                    "IS_PR_FROM_FORK",
                    "LD_LIBRARY_PATH",
                    "MAX_JOBS",
                    "NO_COLOR",
                    "PATH",
                    "PIP_*",
                    "PYTEST_*",
                    "PYTHON*",
                    "ROCM_HOME",
                    "ROCM_PATH",
                    "RUNNER_*",
                    "SCCACHE_*",
                    "SSL_CERT_*",
                    "TMPDIR",
                    "USERPROFILE",
                    "USE_*",
                    "UV_*",
                    "VIRTUAL_ENV",
                    "VSCMD_*",
                    "WHEELRUN_*",
                    "XDG_*"},
  };
  return kProgram;
}

}  // namespace wheelwright
