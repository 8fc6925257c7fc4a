#include "generator/lint/process.h"

#include <system_error>

#include "base/platform/child_process.h"
#include "base/platform/files.h"
#include "base/platform/machine.h"

namespace wheelwright {

std::optional<std::string> RunProgram(const std::vector<std::string>& words) {
  std::string printed;
  ProcessRequest request{.arguments = words, .variables = OwnVariables()};
  request.on_output = [&](std::string_view piece) { printed += piece; };
  request.on_error = [](std::string_view) {};
  const ProcessEnd end = RealProcesses().Run(request);
  constexpr int kNotFound = 127;  // says a shell that a script was to be run by
  if (end.how == ProcessEnd::How::kNotStarted || end.status == kNotFound) return std::nullopt;
  return printed;
}

TemporaryFolder::TemporaryFolder() : path_(MakeTemporaryFolder("wheelwright")) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) RemoveAll(path_, ignored);
}

}  // namespace wheelwright
