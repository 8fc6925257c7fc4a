#include "runtime/pytorch/build/msvc.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// A line between the output of the script and that of `set`.
constexpr std::string_view kMark = "wheelrun-environment-begins";

// Names may have brackets: "ProgramFiles(x86)".
bool IsVariableName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return IsLetterOrDigit(c) ||
           std::string_view("_()-.").find(c) != std::string_view::npos;
  });
}

}  // namespace

Variables ParseSet(std::string_view output) {
  if (const std::size_t mark = output.rfind(kMark); mark != std::string_view::npos) {
    output.remove_prefix(mark + kMark.size());
  }
  Variables variables;
  for (std::string_view line : Split(output, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || !IsVariableName(line.substr(0, equals))) continue;
    std::string name(line.substr(0, equals));
    if (EqualsIgnoringCase(name, "PATH")) name = "PATH";
    variables[name] = line.substr(equals + 1);
  }
  return variables;
}

bool EnterMsvcEnvironment(Runner& runner) {
  Host& host = runner.host();
  if (EqualsIgnoringCase(host.Variable("VSCMD_ARG_TGT_ARCH"), "x64")) return true;
  std::string programs = host.Variable("ProgramFiles(x86)");
  if (programs.empty()) programs = "C:/Program Files (x86)";
  const auto found =
      runner.Ask({.title = "find Visual Studio",
                  .arguments = {programs + "/Microsoft Visual Studio/Installer/vswhere.exe",
                                "-latest", "-products", "*", "-requires",
                                "Microsoft.VisualStudio.Component.VC.Tools.x86.x64", "-property",
                                "installationPath", "-utf8"}},
                 "VISUAL_STUDIO");
  if (!found) return false;
  const std::string folder(Trim(*found));
  if (folder.empty()) {
    runner.log().Error("install its component for C++ on x64",
                       "there is no Visual Studio with a compiler");
    return false;
  }
  const auto output = runner.Ask(
      {.title = "ask for the compiler's environment",
       .arguments = {"cmd", "/d", "/c",
                     fmt::format("call \"{}\\VC\\Auxiliary\\Build\\vcvarsall.bat\" x64 && echo {} "
                                 "&& set",
                                 folder, kMark)}});
  if (!output) return false;
  for (auto& [name, value] : ParseSet(*output)) {
    // This process may have the name in another case.
    const auto same = std::ranges::find_if(
        host.variables, [&](const auto& pair) { return EqualsIgnoringCase(pair.first, name); });
    if (same != host.variables.end()) host.variables.erase(same);
    host.variables[name] = value;
  }
  if (!runner.dry_run() && host.Variable("VCToolsInstallDir").empty()) {
    runner.log().Error("vcvarsall.bat set no VCToolsInstallDir",
                       "the compiler's environment is incomplete");
    return false;
  }
  return true;
}

}  // namespace wheelwright
