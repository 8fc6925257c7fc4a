// Versions of wheelwright and wheelrun, and ranges of them: a matrix or a plan names the versions
// it is written for.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// The version of a release, "1.2.3", or of a bound, where "1.2" means 1.2.0.
struct ProgramVersion {
  std::array<std::uint32_t, 3> numbers{};
  auto operator<=>(const ProgramVersion&) const = default;
};

// This program's version, from CMakeLists.txt: "0.1.0".
std::string_view OwnVersion();

// Reads one to three numbers with dots between them: "1", "1.2", "1.2.3". Nothing for another text.
std::optional<ProgramVersion> ReadProgramVersion(std::string_view text);

// A version range such as ">=0.1,<0.2", whose bounds must all hold. It has the comparators ==, >=,
// <=, > and < of PEP 440 for versions of releases, so a package installer accepts the same text.
class VersionRange {
 public:
  // Nothing when the text is no such range.
  static std::optional<VersionRange> Read(std::string_view text);
  // The range of all versions with the same first two numbers, ">=1.2,<1.3". They read the same
  // matrix and plan.
  static std::string SeriesOf(const ProgramVersion& version);

  // Where a version is, relative to the range.
  enum class Side : std::uint8_t { kOlder, kWithin, kNewer };
  Side SideOf(const ProgramVersion& version) const;

 private:
  enum class Comparator : std::uint8_t { kEqual, kAtLeast, kAtMost, kAbove, kBelow };
  struct Bound {
    Comparator comparator;
    ProgramVersion version;
  };
  std::vector<Bound> bounds_;
};

// "which is older" or "which is newer" than a range; "" within it.
std::string_view WordFor(VersionRange::Side side);

// What to install instead: "install one that fits: pip install 'wheelwright-actions>=1.2'".
std::string InstallNote(std::string_view range);

}  // namespace wheelwright
