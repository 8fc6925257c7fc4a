#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/quote.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/commands/input/resolution.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/resolve/resolver.h"

namespace wheelwright {
namespace {

// What the release has of the projects of the matrix, for the platform.
std::vector<TestedWheel> PublishedWheels(Storage& storage, const ReleaseFolders& folders,
                                         const Plan& plan, std::string_view platform) {
  std::vector<TestedWheel> wheels;
  for (const ObjectInfo& object : storage.List(folders.release)) {
    const std::string file = object.key.substr(folders.release.size());
    const WheelNameReading name = ReadWheelName(file);
    if (!name.name || plan.FindProject(name.name->Project()) == nullptr) continue;
    const bool other = std::ranges::all_of(name.name->tags, [&](const WheelTag& tag) {
      return tag.platform != "any" && tag.platform.starts_with("win") != (platform == "windows");
    });
    if (!other) wheels.push_back({.file = file, .sha256 = {}});
  }
  return wheels;
}

int RunReleaseResolve(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  Require(arguments, "release resolve", "platform", "--platform linux", diagnostics);
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  const std::optional<StoragePlace> store = TakeStoragePlace(arguments, host, diagnostics);
  std::optional<ReleaseFolders> folders;
  if (plan) folders = TakeReleaseFolders(arguments, "release resolve", *plan, diagnostics);
  std::optional<std::vector<TestedWheel>> wheels;
  if (arguments.Has("wheels")) {
    wheels = ReadTestedWheels(arguments.Get("wheels"), arguments.Get("platform"), diagnostics);
  }
  for (const std::string& python : arguments.All("python")) {
    if (ParsePythonVersion(python)) continue;
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--python' does not take {}", Quoted(python)),
                        .hint = "it takes a version, such as 3.12"});
  }
  const std::optional<std::string> uv = FindUv(host, diagnostics);
  if (!store || !folders || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  Log log(host);
  try {
    const std::unique_ptr<Storage> storage = OpenStorage(*store, host);
    if (!wheels) wheels = PublishedWheels(*storage, *folders, *plan, arguments.Get("platform"));
    if (wheels->empty()) {
      log.Error(fmt::format("{} has no wheels of the matrix", storage->NameOf(folders->release)));
      return kFound;
    }
    std::string summary = "### Resolve\n\n";
    const bool good =
        ResolveBeforePublishing(*storage, *folders, *wheels, arguments, *plan, *uv, host, summary);
    JobFiles(host).AddSummary(summary);
    return good ? kSuccess : kFound;
  } catch (const StorageError& error) {
    log.Error(error.what(), "not resolved");
    return kFound;
  }
}

}  // namespace

Command ReleaseResolveCommand() {
  return {
      .name = "release resolve",
      .purpose = "Resolve a release as users would, before or after it is published",
      .usage = "--platform NAME --family FAMILY --bucket BUCKET [--wheels JSON]",
      .about =
          "Shows the index as it would be with these wheels to `uv`, on a port of this machine, "
          "and "
          "lets it resolve each wheel, each with each of its extras, and all of them together, for "
          "each Python that they are for. No wheel is downloaded, and nothing is written.\n\nThe "
          "status is 1 when there is no solution, when it has another version of a project than "
          "these wheels, or when a required extra does not exist, of which installers only warn. "
          "The log says which wheel requires what, and what is there.\n\nWithout --wheels, all "
          "wheels of the matrix in the release are resolved.\n",
      .options = Joined(
          WithStorage(Joined({{.name = "platform",
                               .argument = "NAME",
                               .help = "The platform of the wheels",
                               .values = {"linux", "windows"}},
                              FamilyOption(),
                              {.name = "wheels",
                               .argument = "JSON",
                               .help = "The wheels to publish: SHA-256 by file name, the output of "
                                       "the upload"},
                              ReleaseTypeOption()},
                             ResolutionOptions())),
          {PlanOption()}),
      .examples = {{"wheelrun release resolve --platform linux --family gfx94X-dcgpu --bucket "
                    "therock-nightly-python --wheels \"$WHEELS\"",
                    "Whether the staged wheels could be installed"},
                   {"wheelrun release resolve --platform linux --family gfx94X-dcgpu --bucket "
                    "therock-nightly-python",
                    "Whether all that was published still can be"}},
      .run_on_host = RunReleaseResolve,
  };
}

}  // namespace wheelwright
