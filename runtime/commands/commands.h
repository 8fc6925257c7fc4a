// The commands of wheelrun, each in a source of its name.
#pragma once

#include "cli/program.h"

namespace wheelwright {

Command AttestCommand();
Command AttestCollectCommand();
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
Command PlanSchemaCommand();
Command PromoteCommand();
Command PruneCommand();
Command PythonSelectCommand();
Command ReleaseCheckCommand();
Command ReleaseResolveCommand();
Command ReleaseRollbackCommand();
Command ReleaseYankCommand();
Command ResolveCommand();
Command RocmInstallCommand();
Command SummaryCommand();
Command TestCommand();
Command UploadCommand();
Command VenvCommand();
Command VerifyCommand();
Command VersionRocmCommand();
Command VersionSuffixCommand();
Command WaitForCommand();
Command WheelCheckCommand();
Command WheelInspectCommand();
Command WheelVersionsCommand();

// Pass a Host to RunProgram() with it.
const Program& Wheelrun();

}  // namespace wheelwright
