// Requirements among the wheels of a set: torchaudio needs one version of torch, torch one of
// triton.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

// `==2.10.0` allows any local label, `==2.10.0+rocm7.10.0` only that one.
bool Meets(PackageVersion version, const PackageVersion& exact) {
  if (exact.local.empty()) version.local.clear();
  return version == exact;
}

}  // namespace

void CheckWheelRequirements(const WheelContents& wheel, std::span<const WheelContents> all,
                            WheelFindings& findings) {
  for (const Header& header : ReadHeaders(wheel.metadata.text).fields) {
    if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
    const std::optional<Requirement> wanted = ReadRequirement(header.value);
    if (!wanted || !wanted->versions.exact || wanted->marker.find("extra") != std::string::npos)
      continue;
    const std::string project = NormalizeProject(wanted->name);
    const PackageVersion& exact = *wanted->versions.exact;
    const auto of_project = [&](const WheelContents& other) {
      return other.reading.name && other.reading.name->Project() == project;
    };
    const auto meets = [&](const WheelContents& other) {
      return of_project(other) && Meets(other.reading.name->version, exact);
    };
    const auto other = std::ranges::find_if(all, of_project);
    if (other == all.end() || std::ranges::any_of(all, meets)) continue;
    findings.Report(
        {.code = "wheel-requirement",
         .message = fmt::format("it needs {} {}, but {} lies beside it", project, exact.ToString(),
                                other->reading.name->version.ToString()),
         .where = WheelFindings::Place(wheel.metadata, header.value_part),
         .hint = "no installer can take both"});
  }
}

}  // namespace wheelwright
