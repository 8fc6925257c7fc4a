// Requirements among the wheels of a set: torchaudio needs one version of torch, torch one of
// triton. https://packaging.python.org/specifications/dependency-specifiers/ (PEP 508)
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

struct Requirement {
  std::string project;   // normalised
  PackageVersion exact;  // behind `==`
};

// "triton==3.5.1; platform_system == 'Linux'". Nothing for requirements that allow several versions
// or belong to an extra.
std::optional<Requirement> ReadExact(std::string_view text) {
  const std::size_t marker = std::min(text.find(';'), text.size());
  if (text.find("extra", marker) != std::string_view::npos) return std::nullopt;
  text = Trim(text.substr(0, marker));
  const std::size_t name = std::min(text.find_first_of(" [(<>=!~"), text.size());
  std::string_view rest = text.substr(name);
  if (const std::size_t extras = rest.find(']'); extras != std::string_view::npos) {
    rest.remove_prefix(extras + 1);
  }
  rest = Trim(rest);
  if (rest.starts_with('(') && rest.ends_with(')')) rest = Trim(rest.substr(1, rest.size() - 2));
  if (!rest.starts_with("==") || rest.starts_with("===")) return std::nullopt;
  const auto version = ParsePackageVersion(rest.substr(2));
  if (!version) return std::nullopt;  // "==2.10.*", or several
  return Requirement{NormalizeProject(text.substr(0, name)), *version};
}

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
    const std::optional<Requirement> wanted = ReadExact(header.value);
    if (!wanted) continue;
    const auto of_project = [&](const WheelContents& other) {
      return other.reading.name && other.reading.name->Project() == wanted->project;
    };
    const auto meets = [&](const WheelContents& other) {
      return of_project(other) && Meets(other.reading.name->version, wanted->exact);
    };
    const auto other = std::ranges::find_if(all, of_project);
    if (other == all.end() || std::ranges::any_of(all, meets)) continue;
    findings.Report(
        {.code = "wheel-requirement",
         .message = fmt::format("it needs {} {}, but {} lies beside it", wanted->project,
                                wanted->exact.ToString(), other->reading.name->version.ToString()),
         .where = WheelFindings::Place(wheel.metadata, header.value_part),
         .hint = "no installer can take both"});
  }
}

}  // namespace wheelwright
