// The commands of wheelrun.
#pragma once

#include "cli/program.h"

namespace wheelwright {

// Each in a file of its name.
Command BuildCommand();
Command CheckoutCommand();
Command ConfigureCommand();
Command FetchArtifactsCommand();
Command FetchPackagesCommand();
Command HipCompileCommand();
Command HipifyCommand();
Command IndexCommand();
Command IndexYankCommand();
Command IndexMirrorCommand();
Command ManifestCommand();
Command PromoteCommand();
Command PythonSelectCommand();
Command ResolveCommand();
Command RocmInstallCommand();
Command SummaryCommand();
Command TestCommand();
Command UploadCommand();
Command VenvCommand();
Command VersionRocmCommand();
Command VersionSuffixCommand();
Command WheelCheckCommand();
Command WheelInspectCommand();
Command WheelVersionsCommand();

// Its commands run on a Host: give RunProgram one.
const Program& Wheelrun();

}  // namespace wheelwright
