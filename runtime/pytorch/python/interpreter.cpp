#include "runtime/pytorch/python/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>
#include <vector>

#include "base/platform/child_process.h"
#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

// Prints version, "t" or nothing, path, and the version of its pip or nothing, one a line.
constexpr std::string_view kAsk =
    "import sys, sysconfig\n"
    "print('%d.%d' % sys.version_info[:2])\n"
    "print('t' if sysconfig.get_config_var('Py_GIL_DISABLED') else '')\n"
    "print(sys.executable)\n"
    "try: from pip import __version__ as pip\n"
    "except ImportError: pip = ''\n"
    "print(pip)";

// `words`: its path, and what stands in front of its own arguments.
std::optional<Interpreter> AskInterpreter(std::vector<std::string> words, Runner& runner) {
  words.insert(words.end(), {"-I", "-c", std::string(kAsk)});
  const auto answer = runner.Try({.title = "ask the interpreter",
                                  .arguments = std::move(words),
                                  .limit = std::chrono::seconds(60)});
  if (!answer) return std::nullopt;
  const auto lines = Split(*answer, '\n');
  if (lines.size() < 3) return std::nullopt;
  const std::string text = fmt::format("{}{}", Trim(lines[0]), Trim(lines[1]));
  const std::optional<PythonVersion> version = ParsePythonVersion(text);
  if (!version) return std::nullopt;
  std::string path(Trim(lines[2]));
  if (runner.host().machine.windows) std::ranges::replace(path, '\\', '/');
  const auto pip = lines.size() > 3 ? ParsePackageVersion(Trim(lines[3])) : std::nullopt;
  return Interpreter{.path = std::move(path),
                     .version = *version,
                     .serves_others = pip && *pip >= *ParsePackageVersion("22.3")};
}

// Those of a version that a runner of GitHub brought along: Python/3.12.7/x64/python.exe. The
// newest first.
std::vector<std::string> InToolCache(const PythonVersion& version, Host& host) {
  const std::string cache = host.Variable("RUNNER_TOOL_CACHE");
  if (cache.empty()) return {};
  std::string folder = cache + "/Python";
  std::ranges::replace(folder, '\\', '/');
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : host.files.ListFolders(folder)) {
    if (!name.starts_with(version.number + ".")) continue;
    std::size_t patch = 0;
    std::from_chars(name.data() + version.number.size() + 1, name.data() + name.size(), patch);
    found.emplace_back(patch, fmt::format("{}/{}/x64{}/python.exe", folder, name,
                                          version.free_threaded ? "-freethreaded" : ""));
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<std::string> paths;
  for (auto& [patch, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace

std::optional<Interpreter> FindInterpreter(const PythonVersion& version, const std::string& root,
                                           Runner& runner) {
  const Variables& variables = runner.host().variables;
  const auto fits = [&](const std::string& path,
                        const std::string& argument = {}) -> std::optional<Interpreter> {
    if (path.empty()) return std::nullopt;
    std::vector<std::string> words{path};
    if (!argument.empty()) words.push_back(argument);
    std::optional<Interpreter> found = AskInterpreter(std::move(words), runner);
    return found && found->version.Text() == version.Text() ? found : std::nullopt;
  };
  const std::string manylinux = fmt::format("{}/{}/bin/python", root, version.Tag());
  if (auto found = fits(FindProgram(manylinux, variables))) return found;
  for (const std::string& name :
       {fmt::format("python{}", version.Text()), fmt::format("python{}", version.number),
        std::string("python3"), std::string("python")}) {
    if (auto found = fits(FindProgram(name, variables))) return found;
  }
  if (!runner.host().machine.windows) return std::nullopt;
  for (const std::string& path : InToolCache(version, runner.host())) {
    if (auto found = fits(FindProgram(path, variables))) return found;
  }
  return fits(FindProgram("py", variables), "-" + version.Text());
}

std::optional<Interpreter> SelectedInterpreter(Runner& runner, Diagnostics& diagnostics) {
  const Host& host = runner.host();
  const std::string selected = host.Variable("WHEELRUN_PYTHON");
  if (!selected.empty()) {
    if (auto found = AskInterpreter({selected}, runner)) return found;
    diagnostics.Report(
        {.code = "no-python",
         .message = fmt::format("{}, which WHEELRUN_PYTHON names, is no Python", selected),
         .notes = {"`wheelrun python select --version 3.12` chooses one"}});
    return std::nullopt;
  }
  for (const std::string_view name : {"python3", "python"}) {
    const std::string path = FindProgram(name, host.variables);
    if (path.empty()) continue;
    if (auto found = AskInterpreter({path}, runner)) return found;
  }
  diagnostics.Report({.code = "no-python",
                      .message = "there is no python3 on the PATH",
                      .notes = {"`wheelrun python select --version 3.12` chooses one"}});
  return std::nullopt;
}

}  // namespace wheelwright
