// The commands of wheelrun.
#pragma once

#include "cli/program.h"

namespace wheelwright {

// Each in a file of its name.
Command BuildCommand();
Command CheckoutCommand();
Command ConfigureCommand();
Command ManifestCommand();
Command PythonSelectCommand();
Command ResolveCommand();
Command RocmInstallCommand();
Command SummaryCommand();
Command VersionRocmCommand();
Command VersionSuffixCommand();
Command WheelCheckCommand();
Command WheelVersionsCommand();

// Its commands run on a Host: give RunProgram one.
const Program& Wheelrun();

}  // namespace wheelwright
