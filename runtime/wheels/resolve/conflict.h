// Explains for people why installers would refuse a release: which package asks for what, from
// which wheel, and what is there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/wheels/resolve/install_cell.h"
#include "runtime/wheels/resolve/install_view.h"

namespace wheelwright {

// "triton: no version is what all ask for" and lines with who asks for what. Follows the newest
// version that each asks for, so it may find nothing where a resolver has looked at more. With
// `others`, projects that are in neither folder are at another index, and say nothing.
std::vector<std::string> ExplainConflicts(InstallView& view, const InstallCell& cell,
                                          WheelPlatform platform, bool others);

// The faults of what a resolver has chosen: other versions of projects than those of the run, and
// extras that nothing provides, which installers only warn of.
using ChosenVersions = std::vector<std::pair<std::string, PackageVersion>>;  // normalised projects
std::vector<std::string> FaultsOfChoice(InstallView& view, const InstallCell& cell,
                                        const ChosenVersions& chosen, const RunVersions& run,
                                        WheelPlatform platform);

}  // namespace wheelwright
