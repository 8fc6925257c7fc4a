#include "base/program_version.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/text.h"

namespace wheelwright {

std::string_view OwnVersion() { return WHEELWRIGHT_VERSION; }

std::optional<ProgramVersion> ReadProgramVersion(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  ProgramVersion version;
  std::size_t place = 0;
  for (const std::string_view part : Split(text, '.')) {
    if (place == version.numbers.size() || part.size() > kMostDigits) {
      return std::nullopt;
    }
    const auto number = ReadWholeNumber<std::uint32_t>(part);
    if (!number) return std::nullopt;
    version.numbers[place++] = *number;
  }
  return version;
}

std::optional<VersionRange> VersionRange::Read(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Comparator>, 5> kComparators{{
      {"==", Comparator::kEqual},
      {">=", Comparator::kAtLeast},
      {"<=", Comparator::kAtMost},
      {">", Comparator::kAbove},
      {"<", Comparator::kBelow},
  }};
  VersionRange range;
  for (std::string_view part : Split(text, ',')) {
    part = Trim(part);
    std::optional<Bound> bound;
    for (const auto& [written, comparator] : kComparators) {
      if (!part.starts_with(written)) continue;
      const std::optional<ProgramVersion> version =
          ReadProgramVersion(Trim(part.substr(written.size())));
      if (version) bound = {comparator, *version};
      break;
    }
    if (!bound) return std::nullopt;
    range.bounds_.push_back(*bound);
  }
  return range;
}

std::string VersionRange::SeriesOf(const ProgramVersion& version) {
  const auto [major, minor, patch] = version.numbers;
  return fmt::format(">={0}.{1},<{0}.{2}", major, minor, minor + 1);
}

std::string_view WordFor(VersionRange::Side side) {
  switch (side) {
    case VersionRange::Side::kOlder:
      return "which is older";
    case VersionRange::Side::kNewer:
      return "which is newer";
    case VersionRange::Side::kWithin:
      break;
  }
  return {};
}

std::string InstallNote(std::string_view range) {
  return fmt::format("install one that fits: pip install 'wheelwright-actions{}'", range);
}

VersionRange::Side VersionRange::SideOf(const ProgramVersion& version) const {
  for (const Bound& bound : bounds_) {
    const bool older = version < bound.version;
    const bool newer = version > bound.version;
    switch (bound.comparator) {
      case Comparator::kEqual:
        if (older || newer) return older ? Side::kOlder : Side::kNewer;
        break;
      case Comparator::kAtLeast:
        if (older) return Side::kOlder;
        break;
      case Comparator::kAbove:
        if (!newer) return Side::kOlder;
        break;
      case Comparator::kAtMost:
        if (newer) return Side::kNewer;
        break;
      case Comparator::kBelow:
        if (!older) return Side::kNewer;
        break;
    }
  }
  return Side::kWithin;
}

}  // namespace wheelwright
