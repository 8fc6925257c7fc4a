// The grammar of environment markers: "python_version < '3.13' and extra == 'test'".
// https://packaging.python.org/specifications/dependency-specifiers/ (PEP 508)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// Brackets within brackets that markers may have here. Installers have a limit too.
inline constexpr int kMostNestedBrackets = 50;

struct MarkerProblem {
  std::size_t at = 0;   // offset in the text
  std::string message;  // "'=' is no comparison: expected ==, ..."
  std::string hint;     // "did you mean python_version?"; or ""
};

// Why a text is no marker; the text is what stands behind the `;` of a requirement. Nothing for
// markers, whatever they compare.
std::optional<MarkerProblem> FindMarkerProblem(std::string_view marker);

// The offset of the `;` before the marker of a requirement; npos: it has none.
std::size_t FindMarker(std::string_view requirement);

}  // namespace wheelwright
