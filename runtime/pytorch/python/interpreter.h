// Finds Python interpreters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/version/python_version.h"

namespace wheelwright {

struct Interpreter {
  std::string path;  // absolute
  PythonVersion version;
  bool serves_others = false;  // its pip installs into other environments: --python of pip 22.3
};

// The interpreter of a version: from a manylinux image (<root>/<tag>/bin/python), else on the PATH
// by a name with the version, else any `python` of that version, on Windows also from the tool
// cache of GitHub's runners or by the launcher `py`. Nothing when there is none.
std::optional<Interpreter> FindInterpreter(const PythonVersion& version, const std::string& root,
                                           Runner& runner);

// The interpreter that `python select` chose for this job (the variable WHEELRUN_PYTHON), else the
// `python3` or `python` of the PATH. Reports when there is none.
std::optional<Interpreter> SelectedInterpreter(Runner& runner, Diagnostics& diagnostics);

}  // namespace wheelwright
