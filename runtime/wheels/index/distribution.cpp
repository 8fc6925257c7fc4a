#include "runtime/wheels/index/distribution.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

constexpr std::string_view kWheel = ".whl";
constexpr std::array<std::string_view, 2> kSources{".tar.gz", ".zip"};

}  // namespace

std::optional<Distribution> ReadDistributionName(std::string_view file) {
  if (file.ends_with(kWheel)) {
    WheelNameReading reading = ReadWheelName(file);
    if (!reading.name) return std::nullopt;
    return Distribution{.project = reading.name->Project(),
                        .version = std::move(reading.name->version),
                        .wheel = true};
  }
  const auto ending =
      std::ranges::find_if(kSources, [&](std::string_view end) { return file.ends_with(end); });
  if (ending == kSources.end()) return std::nullopt;
  file.remove_suffix(ending->size());
  const std::size_t dash = file.rfind('-');
  if (dash == std::string_view::npos || !IsProjectName(file.substr(0, dash))) return std::nullopt;
  const std::string_view text = file.substr(dash + 1);
  // ParsePackageVersion() allows blanks; file names must not have any.
  if (text.find_first_of(" \t\r\n\f\v") != std::string_view::npos) return std::nullopt;
  std::optional<PackageVersion> version = ParsePackageVersion(text);
  if (!version) return std::nullopt;
  return Distribution{.project = NormalizeProject(file.substr(0, dash)),
                      .version = *std::move(version)};
}

bool EndsLikeDistribution(std::string_view file) {
  return file.ends_with(kWheel) ||
         std::ranges::any_of(kSources, [&](std::string_view end) { return file.ends_with(end); });
}

}  // namespace wheelwright
