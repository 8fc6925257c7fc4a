// The version of the programs themselves, and ranges of it, by which a matrix or a plan says which
// programs it is written for.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// Of a release: "1.2.3". Also of a bound, where "1.2" means 1.2.0.
struct ProgramVersion {
  std::array<std::uint32_t, 3> numbers{};
  auto operator<=>(const ProgramVersion&) const = default;
};

// This program's, as CMakeLists.txt says it: "0.1.0".
std::string_view OwnVersion();

// Reads one to three numbers with dots between them: "1", "1.2", "1.2.3". Nothing for another text.
std::optional<ProgramVersion> ReadProgramVersion(std::string_view text);

// Bounds that all have to hold: ">=0.1,<0.2". The comparators are those of PEP 440, ==, >=, <=, >
// and <, in its meaning for versions of releases; a package installer takes the text as it is.
class VersionRange {
 public:
  // Nothing when the text is no such range.
  static std::optional<VersionRange> Read(std::string_view text);
  // Those that share the first two numbers: ">=1.2,<1.3". They take the same matrix and plan.
  static std::string SeriesOf(const ProgramVersion& version);

  // How a version lies to the range.
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
std::string_view Lies(VersionRange::Side side);

// What to install in its place: "install one that fits: pip install 'wheelwright-actions>=1.2'".
std::string InstallNote(std::string_view range);

}  // namespace wheelwright
