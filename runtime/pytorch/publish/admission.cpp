#include "runtime/pytorch/publish/admission.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/pytorch/build/triton.h"
#include "runtime/wheels/wheel/wheel_check.h"

namespace wheelwright {
namespace {

// The project name of the wheel.
std::string WheelProject(std::string_view project, const Host& host) {
  return project == "triton" ? NormalizeProject(TritonWheelName({}, host.variables))
                             : NormalizeProject(project);
}

}  // namespace

std::string Admission::Problem(std::string_view project, const PackageVersion& version,
                               bool wheel) const {
  if (!projects && !versions) return {};
  if (!wheel) {
    return fmt::format(
        "it is a source archive of {}, and nobody checks the code that runs when one is installed",
        project);
  }
  if (projects && std::ranges::find(*projects, project) == projects->end()) {
    return fmt::format(
        "the matrix does not build {} for {}, so this index must not contain it: there are {}",
        project, platform, JoinWords(*projects));
  }
  if (!versions) return {};
  const auto resolved = std::ranges::find(*versions, project, &ResolvedVersion::project);
  if (resolved == versions->end()) return fmt::format("no version of {} was resolved", project);
  if (resolved->version == version) return {};
  return fmt::format("{} is {}, but {} was resolved", project, version.ToString(),
                     resolved->version.ToString());
}

std::optional<std::vector<ResolvedVersion>> TakeResolvedVersions(const Arguments& arguments,
                                                                 const Host& host,
                                                                 SourceManager& sources,
                                                                 Diagnostics& diagnostics) {
  const std::string_view text = arguments.Get("versions");
  if (text.empty()) return std::nullopt;
  auto versions =
      ReadResolvedVersions(sources, sources.Add("<--versions>", std::string(text)), diagnostics);
  if (!versions) return std::nullopt;
  for (ResolvedVersion& row : *versions) row.project = WheelProject(row.project, host);
  return versions;
}

Admission TakeAdmission(const Arguments& arguments, std::string_view platform, bool release,
                        const Plan& plan, const Host& host, SourceManager& sources,
                        Diagnostics& diagnostics) {
  Admission admission{.platform = std::string(platform)};
  if (release) {
    admission.projects.emplace();
    const PlatformRow* packages = plan.selection.FindPlatform(platform);
    for (const std::string& project : packages != nullptr ? packages->packages : Texts()) {
      admission.projects->push_back(WheelProject(project, host));
    }
  }
  admission.versions = TakeResolvedVersions(arguments, host, sources, diagnostics);
  return admission;
}

OptionSpec VersionsOption() {
  return {.name = "versions",
          .argument = "JSON",
          .help =
              "The resolved versions, {\"torch\": \"2.10.0\"}: wheels of other projects, or in "
              "other versions, are rejected (default: any version)"};
}

}  // namespace wheelwright
