// Selects archives of a build by their names: {artifact}_{component}_{GPUs}.tar.xz.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/hip/code/gfx_target.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// --target, --include and --exclude.
std::vector<OptionSpec> ArchiveFilterOptions();

// An archive is for all GPUs (`generic`), for the family (also in builds of a variant), or, if
// device code is split, for one target.
class ArchiveFilter {
 public:
  // Reads the options; reports invalid targets, and those that the family does not have.
  ArchiveFilter(const Arguments& arguments, const Plan& plan, std::string_view group,
                std::string_view platform, Diagnostics& diagnostics);

  // Whether an archive belongs to the build and the wanted targets. `own_folder`: the folder has
  // archives of this build only, so that only other targets are excluded.
  bool IsOfBuild(std::string_view stem, bool own_folder) const;
  // Whether the patterns allow it.
  bool Matches(std::string_view stem) const;
  // The problem with these archives: a pattern of --include matches none, or the patterns leave
  // none. "" when there is no problem.
  std::string ProblemWith(const Texts& stems) const;

 private:
  Texts groups_;  // the build's name, and the family's
  std::vector<GfxTarget> targets_;
  Texts include_, exclude_;
};

}  // namespace wheelwright
