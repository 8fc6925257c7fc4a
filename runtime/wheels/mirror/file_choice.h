// Chooses the files of a project as installers do, for the index of dependencies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/mirror/remote_page.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/python_version.h"

namespace wheelwright {

// Whether an installer for that Python and platform ("linux") takes the wheel, by its tags and by
// its requires-python. As in installers, unreadable text forbids nothing.
bool FitsInterpreter(const RemoteFile& file, const PythonVersion& python,
                     std::string_view platform);

struct FileChoice {
  std::vector<RemoteFile> files;      // in the order of the page
  std::vector<std::string> problems;  // requested files that the page does not have
  std::vector<std::string> warnings;
};

// For each version, Python and platform of the row: the newest version within the bounds that has a
// wheel, and all its wheels that an installer would take. Considers pre-releases only if a bound is
// one, and yanked files only if their version is named exactly. Never takes source archives,
// because installing one runs its code.
FileChoice ChooseFiles(const DependencyRow& row, const std::vector<RemoteFile>& page);

}  // namespace wheelwright
