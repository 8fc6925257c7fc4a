// Versions of Python, as jobs and wheels name them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// "3.12", or "3.13t" for a free-threaded one.
struct PythonVersion {
  std::string number;          // "3.13"
  bool free_threaded = false;  // https://peps.python.org/pep-0703/

  std::string Text() const { return number + (free_threaded ? "t" : ""); }
  // "cp313-cp313t": the tag of the interpreter and of its ABI. The tag of a free-threaded one
  // differs in its ABI alone:
  // https://packaging.python.org/specifications/platform-compatibility-tags/
  std::string Tag() const;
};

// Digits and a dot: one digit from 1 on, a number without leading zeros, perhaps "t". Nothing else.
std::optional<PythonVersion> ParsePythonVersion(std::string_view text);

}  // namespace wheelwright
