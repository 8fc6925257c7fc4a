#include "runtime/pytorch/acceptance/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "base/characters.h"
#include "base/json.h"
#include "base/platform/files.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/build/rocm.h"
#include "runtime/pytorch/python/virtual_environment.h"
#include "runtime/store/digest/sum.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAskRequirements =
    "import importlib.metadata, sys\n"
    "for name in sys.argv[1:]:\n"
    "    for line in importlib.metadata.requires(name) or []:\n"
    "        print(line)\n";

// pip takes upper-case digits too.
bool IsAnySha256(std::string_view text) { return text.size() == 64 && AreHexDigits(text); }

class Installer {
 public:
  Installer(const Installation& installation, Runner& runner)
      : i_(installation),
        runner_(runner),
        log_(runner.log()),
        python_(ProgramOfEnvironment(i_.folder, "python", i_.platform == "windows")),
        downloads_(i_.folder + "/wheelrun/wheels") {}

  bool Run() {
    if (!MakeEnvironment()) return false;
    if (!i_.rocm_version.empty() &&
        !InstallOwn({fmt::format("rocm[{}]=={}", i_.rocm_extras, i_.rocm_version)})) {
      return false;
    }
    if (!i_.torch_version.empty() && !InstallTorch()) return false;
    if (!i_.packages.empty() && !InstallOwn(i_.packages)) return false;
    return CheckRocmVersion() && runner_.Run(Anywhere("check what is installed", {"check"}));
  }

 private:
  bool MakeEnvironment() {
    if (i_.clean) {
      std::error_code error;
      if (runner_.dry_run()) {
        runner_.host().out << fmt::format("rm -rf {}\n", ShellWord(i_.folder));
      } else if (RemoveAll(i_.folder, error); error) {
        throw FileError(fmt::format("cannot remove {}: {}", i_.folder, error.message()));
      }
    }
    Step make{.title = "make a virtual environment",
              .arguments = {i_.python.path, "-m", "venv", i_.folder}};
    if (uv()) make.arguments = {i_.uv, "venv", "--python", i_.python.path, i_.folder};
    Step tools =
        Anywhere("bring pip up to date", {"install", "--upgrade", "pip", "setuptools", "wheel"});
    // The pip that Python carries along takes seconds to unpack, only to be replaced.
    if (!uv() && i_.python.serves_others) {
      make.arguments.emplace_back("--without-pip");
      tools.arguments[0] = i_.python.path;
      tools.arguments.insert(tools.arguments.begin() + 3, {"--python", python_});
    }
    return runner_.Run(make) && runner_.Run(tools);
  }

  bool uv() const { return !i_.uv.empty(); }

  // A call of the installer with the machine's configured index.
  Step Anywhere(std::string title, std::vector<std::string> words) const {
    return uv() ? UvStep(std::move(title), i_.uv, python_, std::move(words))
                : PipStep(std::move(title), python_, std::move(words));
  }

  // A call of the installer with the source alone.
  Step FromSource(std::string title, std::vector<std::string> words) const {
    return uv() ? UvStepFrom(i_.source, std::move(title), i_.uv, python_, std::move(words))
                : PipStepFrom(i_.source, std::move(title), python_, std::move(words));
  }

  // Installs requirements from the source alone.
  bool InstallOwn(const Texts& requirements) {
    std::vector<std::string> words{"install", "--no-build-isolation"};
    words.insert(words.end(), requirements.begin(), requirements.end());
    Step step = FromSource(fmt::format("install {}", JoinWords(requirements)), std::move(words));
    for (auto& pair : FamilyVariable(i_.family, i_.platform, i_.plan)) {
      step.variables.push_back(std::move(pair));
    }
    return runner_.Run(step);
  }

  bool InstallTorch() {
    Texts requirements;
    Texts names;
    for (const PinnedWheel& wheel : i_.wheels) {
      requirements.push_back(fmt::format("{}=={}", wheel.project, wheel.version));
      names.push_back(wheel.project);
    }
    if (requirements.empty()) {
      requirements.push_back(fmt::format("torch=={}", i_.torch_version));
      names.emplace_back("torch");
    }
    return uv() ? InstallTorchByUv(requirements, names) : InstallTorchByPip(requirements, names);
  }

  bool InstallTorchByPip(const Texts& requirements, const Texts& names) {
    std::vector<std::string> words{"download", "--no-deps", "--only-binary",
                                   ":all:",    "--dest",    downloads_};
    words.insert(words.end(), requirements.begin(), requirements.end());
    Step download = FromSource("download the wheels", std::move(words));
    if (!runner_.Run(download) || !CheckWheels()) return false;

    const std::vector<std::string> files = DownloadedFiles();
    if (!InstallFiles(
            PipStep("install the wheels", python_, {"install", "--no-deps", "--no-index"}),
            files) ||
        !InstallRequirements(names)) {
      return false;
    }
    return InstallFiles(InstallRemaining(), files);
  }

  // uv cannot only download. It checks the sums itself before it installs.
  bool InstallTorchByUv(const Texts& requirements, const Texts& names) {
    std::vector<std::string> words{"install", "--no-deps", "--only-binary", ":all:"};
    if (i_.wheels.empty()) {
      words.insert(words.end(), requirements.begin(), requirements.end());
    } else {
      words.insert(words.end(), {"--require-hashes", "-r", WriteHashes()});
    }
    Step install = FromSource("install the wheels", std::move(words));
    if (!runner_.Run(install)) {
      if (!i_.wheels.empty()) log_.Say("the source has no wheels with the sums that were given");
      return false;
    }
    Step remaining = InstallRemaining();
    remaining.arguments.insert(remaining.arguments.end(), requirements.begin(), requirements.end());
    return InstallRequirements(names) && runner_.Run(remaining);
  }

  // Returns the path.
  std::string WriteHashes() {
    std::string path = i_.folder + "/wheelrun/wheels.txt";
    std::string text;
    for (const PinnedWheel& wheel : i_.wheels) {
      text += fmt::format("{}=={} --hash=sha256:{}\n", wheel.project, wheel.version,
                          ToLower(wheel.sha256));
    }
    if (runner_.dry_run()) {
      runner_.host().out << fmt::format("mkdir -p {}\ncat > {} << END\n{}END\n",
                                        ShellWord(i_.folder + "/wheelrun"), ShellWord(path), text);
    } else {
      runner_.host().files.Write(path, text);
    }
    return path;
  }

  // The installer skips packages that are already installed in the right version.
  Step InstallRemaining() const {
    constexpr const char* kTitle = "install what else they require";
    return i_.source.index_url.empty() ? Anywhere(kTitle, {"install"})
                                       : FromSource(kTitle, {"install"});
  }

  // If nothing was downloaded: the pinned ones.
  std::vector<std::string> DownloadedFiles() {
    std::vector<std::string> files;
    if (runner_.dry_run()) {
      for (const PinnedWheel& wheel : i_.wheels) files.push_back(wheel.file);
      std::ranges::sort(files);
    } else {
      files = runner_.host().files.List(downloads_);
    }
    for (std::string& file : files) file = fmt::format("{}/{}", downloads_, file);
    return files;
  }

  bool InstallFiles(Step step, const std::vector<std::string>& files) {
    step.arguments.insert(step.arguments.end(), files.begin(), files.end());
    if (files.empty()) step.pattern = ShellWord(downloads_) + "/*.whl";
    return runner_.Run(step);
  }

  // Installs ROCm and the wheels of this build that were not pinned.
  bool InstallRequirements(const Texts& names) {
    std::vector<std::string> arguments{python_, "-c", std::string(kAskRequirements)};
    arguments.insert(arguments.end(), names.begin(), names.end());
    const auto lines = runner_.Ask({.title = "ask what the wheels require",
                                    .arguments = std::move(arguments),
                                    .variables = {{"PYTHONUTF8", "1"}}},
                                   "rocm[libraries]==ROCM_VERSION");
    if (!lines) return false;
    if (runner_.dry_run()) {
      runner_.host().out
          << "# the wheels say which ROCm they require; ROCM_VERSION stands for it\n";
    }
    Texts own{"rocm"};
    for (const ProjectRow& project : i_.plan.projects) own.push_back(project.name);
    Texts needed;
    for (const std::string_view line : Split(*lines, '\n')) {
      std::string requirement = OwnRequirement(line, own);
      const std::string project = requirement.substr(0, requirement.find_first_of("[= "));
      if (requirement.empty() || HasText(needed, requirement) || HasText(names, project)) continue;
      needed.push_back(std::move(requirement));
    }
    return needed.empty() || InstallOwn(needed);
  }

  bool CheckWheels() {
    if (runner_.dry_run()) return true;
    for (const PinnedWheel& wheel : i_.wheels) {
      const std::string path = downloads_ + "/" + wheel.file;
      const std::string sum = Sha256OfFile(path).value_or("");
      if (EqualsIgnoringCase(sum, wheel.sha256)) continue;
      const Texts there = runner_.host().files.List(downloads_);
      log_.Error(
          sum.empty()
              ? fmt::format("the source gave {}", there.empty() ? "nothing" : JoinWords(there))
              : fmt::format("its SHA-256 is {}, and {} was uploaded", sum, wheel.sha256),
          fmt::format("{} is not the wheel that was built", wheel.file));
      return false;
    }
    return true;
  }

  bool CheckRocmVersion() {
    if (i_.rocm_version.empty()) return true;
    const auto said = runner_.Ask({.title = "ask for the version of ROCm",
                                   .arguments = {python_, "-m", "rocm_sdk", "version"}},
                                  i_.rocm_version);
    if (!said) return false;
    return CheckRocm({.version = std::string(Trim(*said))}, i_.rocm_version, i_.family, {}, log_);
  }

  const Installation& i_;
  Runner& runner_;
  Log& log_;
  std::string python_;
  std::string downloads_;
};

}  // namespace

std::optional<std::vector<PinnedWheel>> ReadPinnedWheels(std::string_view json,
                                                         Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const auto refuse = [&](std::string message) {
    diagnostics.Report({.code = "option-value",
                        .message = fmt::format("'--wheels' {}", message),
                        .hint = "it takes what `wheelrun upload` gives out: {\"FILE.whl\": "
                                "\"SHA-256\"}"});
  };
  const auto object = ParseOrderedJson(json);
  if (!object.is_object()) {
    refuse("is no JSON object");
    return std::nullopt;
  }
  std::vector<PinnedWheel> wheels;
  std::set<std::string> projects;
  for (const auto& [file, sum] : object.items()) {
    const WheelNameReading reading = ReadWheelName(file);
    if (!reading.name || file.find_first_of("/\\") != std::string::npos) {
      refuse(fmt::format("names {}: {}", Quoted(file), reading.name ? "a path" : reading.problem));
    } else if (!sum.is_string() || !IsAnySha256(sum.get<std::string>())) {
      refuse(fmt::format("has no SHA-256 for {}", Quoted(file)));
    } else if (!projects.insert(reading.name->Project()).second) {
      refuse(fmt::format("has two wheels of {}", reading.name->Project()));
    } else {
      wheels.push_back({.file = file,
                        .project = reading.name->Project(),
                        .version = reading.name->version.ToString(),
                        .sha256 = sum.get<std::string>()});
    }
  }
  if (diagnostics.errors() > errors) return std::nullopt;
  return wheels;
}

std::string OwnRequirement(std::string_view requirement, const Texts& own_projects) {
  requirement = Trim(requirement.substr(0, requirement.find(';')));
  const std::size_t end = requirement.find_first_of("[=<>!~ (");
  const std::string project = NormalizeProject(requirement.substr(0, end));
  if (!HasText(own_projects, project)) return {};
  std::string text;
  for (const char c : requirement) {
    if (c != ' ' && c != '(' && c != ')') text += c;
  }
  const std::size_t exact = text.find("==");
  const bool is_exact = exact != std::string::npos &&
                        text.find_first_of("<>!~,", exact) == std::string::npos &&
                        !text.ends_with('*');
  return is_exact ? text : std::string();
}

bool Install(const Installation& installation, Runner& runner) {
  return Installer(installation, runner).Run();
}

}  // namespace wheelwright
