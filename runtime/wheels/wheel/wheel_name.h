// Reads file names of wheels: project, version and tags.
// https://packaging.python.org/specifications/binary-distribution-format/ (PEP 427)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/version/package_version.h"
#include "runtime/wheels/version/python_version.h"

namespace wheelwright {

// Whether that is the name of a project or an extra: letters, digits, `-`, `_` and `.`, with a
// letter or digit at both ends.
// https://packaging.python.org/specifications/name-normalization/#name-format
bool IsProjectName(std::string_view text);

// The normal form of a project's name: lower case, and one `-` for each run of `-`, `_` and `.`.
// https://packaging.python.org/specifications/name-normalization/ (PEP 503)
std::string NormalizeProject(std::string_view name);
// The same for file names, where `-` separates fields: `amd_torch_device`.
std::string EscapeProject(std::string_view name);

struct WheelTag {
  std::string interpreter;  // "cp313", "py3"
  std::string abi;          // "cp313", "cp313t", "abi3", "none"
  std::string platform;     // "manylinux_2_28_x86_64", "win_amd64", "any"

  std::string ToString() const { return interpreter + "-" + abi + "-" + platform; }
  friend auto operator<=>(const WheelTag&, const WheelTag&) = default;
};

struct WheelName {
  std::string file;     // "torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl"
  std::string project;  // as it is written
  std::string version_text;
  PackageVersion version;
  std::string build;  // "1", "2local"; empty when there is none
  std::string tag;    // the last three fields, as they are written
  // Each combination of them, sorted: `py2.py3-none-any` says two.
  // https://packaging.python.org/specifications/platform-compatibility-tags/ (PEP 425)
  std::vector<WheelTag> tags;

  std::string Project() const { return NormalizeProject(project); }
};

struct WheelNameReading {
  std::optional<WheelName> name;
  std::string problem;  // why the name is invalid: "it has 4 fields". No full stop.
  std::string hint;
};
WheelNameReading ReadWheelName(std::string_view file);

// More than a wheel for every Python and platform has.
inline constexpr std::size_t kMostTags = 1000;
// All combinations of a compressed tag set, sorted; empty if it is invalid or has more than
// kMostTags: "cp312-cp312-linux_x86_64".
std::size_t CountTags(std::string_view compressed);
std::vector<WheelTag> ExpandTags(std::string_view compressed);

enum class WheelPlatform { kLinux, kWindows };

// Whether an installer for that interpreter and platform (x86-64) accepts the tag. It accepts the
// stable ABI of older Pythons, except for free-threaded ones.
bool Installable(const WheelTag& tag, const PythonVersion& python, WheelPlatform platform);

// The glibc version of a platform tag: 2.28 for "manylinux_2_28_x86_64"; nothing for tags without
// one. https://packaging.python.org/specifications/platform-compatibility-tags/ (PEP 600)
struct GlibcPromise {
  unsigned major = 0;
  unsigned minor = 0;
};
std::optional<GlibcPromise> GlibcPromiseOf(std::string_view platform);

}  // namespace wheelwright
