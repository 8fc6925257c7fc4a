// Dead ends: wheels that are built for a release and that no event promotes, so that they stay in
// staging for good.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "generator/matrix/combos.h"

namespace wheelwright {

// Which members keep a build from being promoted; `tests` is false for combos that are not tested.
std::vector<const GfxMember*> UnpromotedMembers(const GfxBuild& build, bool tests,
                                                const Node* policy);

// "no runner, no bypass"; in a group with the names of its members.
std::string CauseOfDeadEnd(const GfxBuild& build, bool tests,
                           const std::vector<const GfxMember*>& unpromoted);

// "give gfx1150 (matrix/families.yml:72) a test_runs_on or bypass_tests_for_releases". `untested`
// are the columns of a combo that is not tested, or null.
std::string MendOfDeadEnd(const GfxBuild& build, const ExtraColumns* untested,
                          const std::vector<const GfxMember*>& unpromoted,
                          const SourceManager& sources);

}  // namespace wheelwright
