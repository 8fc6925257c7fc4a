// Which archives of a build are wanted, by their names: {artifact}_{component}_{GPUs}.tar.xz.
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

// An archive is for all GPUs (`generic`), for the family that was built (also where the build is a
// variant of it), or, where device code is split off, for one target of it.
class ArchiveFilter {
 public:
  // Reads the options; reports targets that are none, and those that the family does not have.
  ArchiveFilter(const Arguments& arguments, const Plan& plan, std::string_view group,
                std::string_view platform, Diagnostics& diagnostics);

  // Whether an archive belongs to the build and the targets that are asked for. `own_folder`: it
  // lies where only archives of the build do, so that only those of other targets are left out.
  bool IsOfBuild(std::string_view stem, bool own_folder) const;
  // Whether the patterns let it through.
  bool Matches(std::string_view stem) const;
  // Why nothing can be taken of these archives: a pattern of --include matches none of them, which
  // somebody misses then, or no pattern leaves any. "" when all is well.
  std::string ProblemWith(const Texts& stems) const;

 private:
  Texts groups_;  // the build's name, and the family's
  std::vector<GfxTarget> targets_;
  Texts include_, exclude_;
};

}  // namespace wheelwright
