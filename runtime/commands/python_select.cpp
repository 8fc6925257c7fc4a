#include <fmt/format.h>

#include <filesystem>

#include "base/platform/files.h"
#include "base/quote.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/pytorch/python/interpreter.h"

namespace wheelwright {
namespace {

constexpr std::string_view kManylinuxRoot = "/opt/python";

int RunPythonSelect(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  if (!Require(arguments, "python select", "version", "--version 3.12", diagnostics)) {
    return Refuse(diagnostics, arguments, host);
  }
  const std::optional<PythonVersion> version = ParsePythonVersion(arguments.Get("version"));
  if (!version) {
    return Refuse(
        {.code = "option-value",
         .message = fmt::format("'--version' does not take {}", Quoted(arguments.Get("version"))),
         .hint = "it takes a minor version, such as 3.12 or 3.13t"},
        arguments, host);
  }
  const std::string root(arguments.Has("root") ? arguments.Get("root") : kManylinuxRoot);
  Runner runner(host, false);
  const std::optional<Interpreter> found = FindInterpreter(*version, root, runner);
  if (!found) {
    Log(host).Error(
        host.machine.windows
            ? fmt::format(
                  "looked on the PATH, in RUNNER_TOOL_CACHE, and asked py -{}: install it, or let "
                  "actions/setup-python do so",
                  version->Text())
            : fmt::format(
                  "looked for {}/{}/bin/python, and on the PATH for python{}: install it, or use "
                  "an image that has it",
                  root, version->Tag(), version->Text()),
        fmt::format("there is no Python {}", version->Text()));
    return kFound;
  }
  JobFiles job(host);
  job.SetOutput("cp_version", version->Tag());
  job.SetOutput("python", found->path);
  job.SetVariable("WHEELRUN_PYTHON", found->path);
  job.AddPath(PathText(SystemPath(found->path).parent_path()));
  Log(host).Say(fmt::format("Python {} is {}", version->Text(), found->path));
  return kSuccess;
}

}  // namespace

Command PythonSelectCommand() {
  return {
      .name = "python select",
      .purpose = "Select the Python interpreter for the job",
      .usage = "--version VERSION [--root DIR]",
      .about =
          "Looks in the folders of a manylinux image, then on the PATH; on Windows also in the "
          "tool cache of GitHub's runners, and through the launcher py. It asks each interpreter "
          "for its version. Later steps get it as the variable WHEELRUN_PYTHON, and first on their "
          "PATH.\n\nOutputs: cp_version, the tag of its wheels, and python, its path. A "
          "free-threaded interpreter, such as 3.13t, has the tag cp313-cp313t.\n",
      .options = {{.name = "version",
                   .argument = "VERSION",
                   .help = "A minor version: 3.12, or 3.13t for the free-threaded one"},
                  {.name = "root",
                   .argument = "DIR",
                   .help = "The folder with interpreters by their tags (default: /opt/python)"}},
      .examples = {{"wheelrun python select --version 3.12", "Build for Python 3.12"},
                   {"wheelrun python select --version 3.13t",
                    "Build for the free-threaded Python 3.13"}},
      .outputs = {"cp_version", "python"},
      .run_on_host = RunPythonSelect,
  };
}

}  // namespace wheelwright
