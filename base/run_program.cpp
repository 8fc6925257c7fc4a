#include "base/run_program.h"

#include <system_error>

#include "base/platform/child_process.h"
#include "base/platform/files.h"
#include "base/platform/machine.h"

namespace wheelwright {

std::optional<Printed> RunProgram(const std::vector<std::string>& words,
                                  const std::vector<std::string>& variables) {
  constexpr std::size_t kMostErrors = 8 << 10;
  Printed printed;
  ProcessRequest request{.arguments = words, .variables = OwnVariables()};
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) {
      request.variables.erase(variable);
    } else {
      request.variables[variable.substr(0, equals)] = variable.substr(equals + 1);
    }
  }
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, printed.out); };
  request.on_error = [&](std::string_view piece) {
    AppendUpTo(kMostErrors, piece, printed.errors);
  };
  const ProcessEnd end = RealProcesses().Run(request);
  constexpr int kNotFound = 127;  // says a shell that a script was to be run by
  if (end.how == ProcessEnd::How::kNotStarted || end.status == kNotFound) return std::nullopt;
  printed.good = end.good();
  return printed;
}

TemporaryFolder::TemporaryFolder() : path_(MakeTemporaryFolder("wheelwright")) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) RemoveAll(path_, ignored);
}

}  // namespace wheelwright
