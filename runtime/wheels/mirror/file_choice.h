// Which files of a project's page the index of dependencies gets.
#pragma once

#include <string>
#include <vector>

#include "runtime/wheels/mirror/remote_page.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

struct FileChoice {
  std::vector<RemoteFile> files;      // in the order of the page
  std::vector<std::string> problems;  // what the list asks for and the page has not
  std::vector<std::string> warnings;
};

// For each version of the row, each Python and each platform: of bounds the newest version that has
// a wheel there; of it, all wheels that an installer there would take. Versions before a release
// count when a bound is one; a yanked file, when its version is named exactly. Source archives are
// never taken: who installs one runs its code.
FileChoice ChooseFiles(const DependencyRow& row, const std::vector<RemoteFile>& page);

}  // namespace wheelwright
