// Two lines are read as names of wheels, as versions and as suffixes: a parsed value is unchanged
// after it is written and read again, the order is consistent, and sortable suffixes keep it.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/wheels/version/version_suffix.h"
#include "runtime/wheels/wheel/wheel_name.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

void RunName(std::string_view file) {
  const WheelNameReading reading = ReadWheelName(file);
  Require(reading.name.has_value() == reading.problem.empty(), "neither read nor refused");
  if (!reading.name) return;
  Require(!reading.name->tags.empty(), "a wheel without a tag");
  Require(NormalizeProject(reading.name->Project()) == reading.name->Project(),
          "a normal name is not normal");
  for (const WheelTag& tag : reading.name->tags) {
    const auto again = ExpandTags(tag.ToString());
    Require(again.size() == 1 && again[0] == tag, "a tag is not itself");
    Installable(tag, *ParsePythonVersion("3.13t"), WheelPlatform::kLinux);
    Installable(tag, *ParsePythonVersion("3.12"), WheelPlatform::kWindows);
  }
}

void RunVersions(const PackageVersion& a, const PackageVersion& b) {
  const auto order = a <=> b;
  Require((b <=> a) == (0 <=> order), "the order depends on who asks");
  const auto first = VersionSuffix(a, SuffixForm::kSortable);
  const auto second = VersionSuffix(b, SuffixForm::kSortable);
  if (!first || !second) return;
  const auto x = ParsePackageVersion("2.10" + *first), y = ParsePackageVersion("2.10" + *second);
  Require(x && y, "a suffix is no local label");
  Require((*x <=> *y) == order, "sortable suffixes sort otherwise than the versions");
}

void RunVersion(const PackageVersion& version) {
  const auto again = ParsePackageVersion(version.ToString());
  Require(again && *again == version, "a version is read as another one");
  Require(again->ToString() == version.ToString(), "a normal form is not normal");
  if (const auto suffix = VersionSuffix(version, SuffixForm::kCompatible)) {
    Require(suffix->rfind('+') == 0, "a suffix has more than one +");
    Require(ParsePackageVersion("2.10" + *suffix).has_value(), "a suffix is no local label");
  }
}

const Fuzzer kWheelName("wheel_name", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::string_view one = text.substr(0, line);
  const std::string_view other = line < text.size() ? text.substr(line + 1) : "";
  RunName(one);
  const auto a = ParsePackageVersion(one), b = ParsePackageVersion(other);
  if (a) RunVersion(*a);
  if (b) RunVersion(*b);
  if (a && b) RunVersions(*a, *b);
});

}  // namespace
}  // namespace wheelwright
