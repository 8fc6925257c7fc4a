// Interpreters: their names, their tags, and where they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "runtime/process/runner.h"

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

struct Interpreter {
  std::string path;  // absolute
  PythonVersion version;
};

// The interpreter of a version: in the layout of manylinux images (<root>/<tag>/bin/python), else
// on the PATH under the names that have the version in them, else any `python` that is of that
// version. Nothing when there is none.
std::optional<Interpreter> FindInterpreter(const PythonVersion& version, const std::string& root,
                                           Runner& runner);

// The interpreter that `python select` chose for this job (the variable WHEELRUN_PYTHON), else the
// `python3` or `python` of the PATH. Reports when there is none.
std::optional<Interpreter> SelectedInterpreter(Runner& runner, Diagnostics& diagnostics);

}  // namespace wheelwright
