#include "runtime/pytorch/python/interpreter.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/platform/child_process.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// Prints version, "t" or nothing, and path, one a line.
constexpr std::string_view kAsk =
    "import sys, sysconfig\n"
    "print('%d.%d' % sys.version_info[:2])\n"
    "print('t' if sysconfig.get_config_var('Py_GIL_DISABLED') else '')\n"
    "print(sys.executable)";

std::optional<Interpreter> AskInterpreter(const std::string& path, Runner& runner) {
  const auto answer = runner.Try({.title = "ask the interpreter",
                                  .arguments = {path, "-I", "-c", std::string(kAsk)},
                                  .limit = std::chrono::seconds(60)});
  if (!answer) return std::nullopt;
  const auto lines = Split(*answer, '\n');
  if (lines.size() < 3) return std::nullopt;
  const std::string text = fmt::format("{}{}", Trim(lines[0]), Trim(lines[1]));
  const std::optional<PythonVersion> version = ParsePythonVersion(text);
  if (!version) return std::nullopt;
  return Interpreter{.path = std::string(Trim(lines[2])), .version = *version};
}

}  // namespace

std::optional<Interpreter> FindInterpreter(const PythonVersion& version, const std::string& root,
                                           Runner& runner) {
  const Variables& variables = runner.host().variables;
  const auto fits = [&](const std::string& path) -> std::optional<Interpreter> {
    if (path.empty()) return std::nullopt;
    std::optional<Interpreter> found = AskInterpreter(path, runner);
    return found && found->version.Text() == version.Text() ? found : std::nullopt;
  };
  const std::string manylinux = fmt::format("{}/{}/bin/python", root, version.Tag());
  if (auto found = fits(FindProgram(manylinux, variables))) return found;
  for (const std::string& name :
       {fmt::format("python{}", version.Text()), fmt::format("python{}", version.number),
        std::string("python3"), std::string("python")}) {
    if (auto found = fits(FindProgram(name, variables))) return found;
  }
  return std::nullopt;
}

std::optional<Interpreter> SelectedInterpreter(Runner& runner, Diagnostics& diagnostics) {
  const Host& host = runner.host();
  const std::string selected = host.Variable("WHEELRUN_PYTHON");
  if (!selected.empty()) {
    if (auto found = AskInterpreter(selected, runner)) return found;
    diagnostics.Report(
        {.code = "no-python",
         .message = fmt::format("{}, which WHEELRUN_PYTHON names, is no Python", selected),
         .notes = {"`wheelrun python select --version 3.12` chooses one"}});
    return std::nullopt;
  }
  for (const std::string_view name : {"python3", "python"}) {
    const std::string path = FindProgram(name, host.variables);
    if (path.empty()) continue;
    if (auto found = AskInterpreter(path, runner)) return found;
  }
  diagnostics.Report({.code = "no-python",
                      .message = "there is no python3 on the PATH",
                      .notes = {"`wheelrun python select --version 3.12` chooses one"}});
  return std::nullopt;
}

}  // namespace wheelwright
