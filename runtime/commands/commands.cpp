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
      VenvCommand(),
      TestCommand(),
      PlanSchemaCommand(),
      PromoteCommand(),
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
      .purpose = "Does the steps of the generated workflows, in a job or on a laptop.",
      .commands = kCommands,
      .topics = {},
      .statuses = {{kFine, "all is well"},
                   {kFound, "a step failed, or a check found something"},
                   {kWrongInput, "the input or the command line is wrong; nothing was done"},
                   {kOwnFault, "wheelrun itself failed"}},
      .reference_note =
          "`wheelrun help COMMAND` prints what stands here. Outside of a job, what a command hands "
          "to later steps is printed as NAME=VALUE.",
      .empty_is_absent = true,
  };
  return kProgram;
}

}  // namespace wheelwright
