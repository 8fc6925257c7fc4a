// Requirements of packages: "triton==3.5.1; platform_system == 'Linux'".
// https://packaging.python.org/specifications/dependency-specifiers/ (PEP 508)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/version/python_version.h"
#include "runtime/wheels/version/version_specifier.h"

namespace wheelwright {

struct Requirement {
  std::string text;  // without the marker: "rocm[libraries]==7.12.0"
  std::string name;  // as it is written
  std::vector<std::string> extras;
  VersionSpecifier versions;  // no clauses: any version
  std::string url;            // behind `@`; "": none
  std::string marker;         // behind `;`; "": it always counts
};

// Nothing for text that is no requirement, and for `===`, which compares texts.
std::optional<Requirement> ReadRequirement(std::string_view text);

// An interpreter, as markers see it.
struct MarkerEnvironment {
  std::optional<PythonVersion> python;  // nothing: any
  bool windows = false;                 // else Linux; both x86-64
  std::string extra{};                  // that was asked for; "": none
};

// Whether the marker holds. Nothing where it cannot be read, or asks for what is not
// known, such as the release of the system.
std::optional<bool> MarkerHolds(std::string_view marker, const MarkerEnvironment& environment);

}  // namespace wheelwright
