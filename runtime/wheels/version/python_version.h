// Versions of Python.
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

// Reads "3.12" or "3.13t". Nothing for any other form.
std::optional<PythonVersion> ParsePythonVersion(std::string_view text);

}  // namespace wheelwright
