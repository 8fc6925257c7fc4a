#include "runtime/pytorch/build/project_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/platform/file_handle.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/pytorch/build/build_environment.h"
#include "runtime/pytorch/build/requirements.h"
#include "runtime/pytorch/build/tools.h"
#include "runtime/pytorch/build/triton.h"
#include "runtime/pytorch/python/installed.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// Microsoft's OpenMP for clang-cl, below the redistributable files.
constexpr std::string_view kOpenMp = "libomp140.x86_64.dll";

class Builder {
 public:
  Builder(const WheelBuild& build, const ProjectRow& project, Runner& runner)
      : build_(build),
        project_(project),
        runner_(runner),
        log_(runner.log()),
        folder_(fmt::format("{}/{}", build.root, project.folder)),
        version_(build.VersionOf(project.name)) {
    if (const ProjectRow* triton = build.plan.FindProject("triton")) {
      triton_file_ =
          ReadTritonFile(runner.host().files, fmt::format("{}/{}", build.root, triton->folder));
    }
    // Newer versions of triton have setup.py at the top.
    if (project.name == "triton" && Exists(folder_ + "/python/setup.py")) folder_ += "/python";
  }

  std::optional<BuiltWheel> Build() {
    const auto started = std::chrono::steady_clock::now();
    if (!Exists(folder_) && runner_.dry_run()) {
      Note(fmt::format(
          "the build of {} depends on {}, which is missing: `wheelrun checkout {}` creates it",
          name(), folder_, name()));
      return BuiltWheel{};
    }
    if (!Exists(folder_)) {
      log_.Error(fmt::format("there is no {}: `wheelrun checkout {}` creates it", folder_, name()),
                 fmt::format("cannot build {}", name()));
      return std::nullopt;
    }
    Remove("dist");
    if (build_.clean) Remove("build");
    if (!Prepare()) return std::nullopt;
    const std::optional<VariablePairs> environment = Environment();
    if (!environment || !Compile(*environment)) return std::nullopt;
    if (runner_.dry_run()) {
      const std::string wheels = ShellWord(folder_) + "/dist/*.whl";
      if (IsBuiltWith()) Install({}, wheels);
      const std::string output = ShellWord(build_.output);
      runner_.host().out << fmt::format("mkdir -p {0}\ncp {1} {0}/\n", output, wheels);
      if (name() == "torch") Import();
      return BuiltWheel{};
    }
    const std::optional<std::string> wheel = FindWheel();
    if (!wheel || (IsBuiltWith() && !Install(fmt::format("{}/dist/{}", folder_, *wheel)))) {
      return std::nullopt;
    }
    if (!Copy(*wheel) || (name() == "torch" && !Import())) return std::nullopt;
    return BuiltWheel{.file = *wheel,
                      .bytes = LookAtFile(build_.output + "/" + *wheel).value_or(FileFacts{}).size,
                      .duration = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::steady_clock::now() - started)};
  }

 private:
  const std::string& name() const { return project_.name; }
  // Prints a comment between the commands of a dry run.
  void Note(std::string_view text) { runner_.host().out << fmt::format("# {}\n", text); }
  std::string TritonName() const { return TritonWheelName(triton_file_, runner_.host().variables); }
  std::string WheelProject() const { return name() == "triton" ? TritonName() : name(); }
  // Whether other projects are built with it.
  bool IsBuiltWith() const { return name() == "torch" || name() == "triton"; }

  void Remove(const std::string& what) {
    const std::string path = folder_ + "/" + what;
    if (runner_.dry_run()) {
      runner_.host().out << fmt::format("rm -rf {}\n", ShellWord(path));
      return;
    }
    std::error_code error;
    RemoveAll(path, error);
    if (error) throw FileError(fmt::format("cannot remove {}: {}", path, error.message()));
  }

  // Installs the build requirements. Removes an older wheel of the project, whose files the build
  // would find.
  bool Prepare() {
    const InstalledPackages there = FindInstalled(build_.python, runner_);
    if (IsBuiltWith() && (runner_.dry_run() || there.Has(name()) || there.Has(WheelProject()))) {
      Step uninstall = PipStep(fmt::format("uninstall an older {}", name()), build_.python,
                               {"uninstall", "--yes", name()});
      // A renamed triton has the same files.
      if (WheelProject() != name()) uninstall.arguments.push_back(WheelProject());
      uninstall.quiet = true;
      if (!runner_.Run(uninstall)) return false;
    }
    std::vector<std::string> words{"install", "build", "setuptools", "wheel"};
    Texts needed(words.begin() + 1, words.end());
    for (const std::string& file : RequirementFiles(name(), folder_)) {
      words.insert(words.end(), {"-r", file});
      const std::string text = runner_.host().files.Read(file).value_or("");
      for (const std::string_view line : Split(text, '\n')) needed.emplace_back(line);
    }
    const std::string title = fmt::format("install what {} is built with", name());
    if (!there.Meet(needed) &&
        !runner_.Run(build_.tools ? PipStepFrom(*build_.tools, title, build_.python, words)
                                  : PipStep(title, build_.python, words))) {
      return false;
    }
    // ninja of the public index is old, and one of its versions never ends on Windows.
    return name() != "torch" || !build_.windows() ||
           runner_.Run(
               PipStep("uninstall pip's ninja", build_.python, {"uninstall", "--yes", "ninja"}));
  }

  std::optional<VariablePairs> Environment() {
    const std::string& rocm = build_.rocm.root;
    BuildContext context{
        .project = name(),
        .windows = build_.windows(),
        .rocm = build_.rocm,
        .targets = build_.targets,
        .version = version_,
        .triton_name = TritonName(),
        .triton_version = TritonVersion(),
        .jobs = Jobs(),
        .own = runner_.host().variables,
        .has_device_libraries = !build_.rocm.there || Exists(rocm + "/lib/llvm/amdgcn/bitcode"),
        .has_host_math = Exists(rocm + "/lib/host-math"),
        .triton_file = triton_file_};
    if (!FindTools(context.tool_folders)) return std::nullopt;
    if (name() == "torch" && !PrepareTorch(context)) return std::nullopt;
    VariablePairs environment = BuildEnvironment(context);
    const VariablePairs cache = CacheEnvironment(
        build_.cache.cache, build_.cache.path, build_.windows(),
        fmt::format("{}/{}/", build_.platform, build_.family), runner_.host().variables);
    environment.insert(environment.end(), cache.begin(), cache.end());
    return environment;
  }

  std::size_t Jobs() const {
    const Machine& machine = runner_.host().machine;
    return build_.jobs != 0 ? build_.jobs : ParallelJobs(machine.cores, machine.memory, name());
  }

  // The version of triton that torch requires, if the platform builds it.
  std::string TritonVersion() const {
    const PlatformRow* packages = build_.plan.selection.FindPlatform(build_.platform);
    const bool built = packages != nullptr && HasText(packages->packages, "triton");
    return built ? build_.VersionOf("triton") : std::string();
  }

  bool FindTools(Texts& folders) {
    const PlatformRow* packages = build_.plan.selection.FindPlatform(build_.platform);
    if (packages == nullptr) return true;
    for (const auto& [tool, version] : packages->build_tools) {
      // Only the build machine has the path.
      const auto folder =
          runner_.dry_run() ? "FOLDER_OF_" + tool : FindTool(tool, version, runner_);
      if (!folder) return false;
      folders.push_back(*folder);
    }
    return true;
  }

  bool PrepareTorch(BuildContext& context) {
    TorchWheel wheel{.platform = build_.platform,
                     .version = *ParsePackageVersion(version_),
                     .targets = build_.targets,
                     .flash_attention = build_.flash_attention};
    if (const PlatformRow* packages = build_.plan.selection.FindPlatform(build_.platform)) {
      wheel.built_here = packages->packages;
    }
    for (const auto& [project, version] : build_.versions) wheel.versions.push_back(project);
    context.features = ChooseFeatures(build_.plan.build_rules.features, wheel);
    for (const FeatureChoice& choice : context.features) {
      log_.Say(fmt::format("{}: {} ({})", choice.name, choice.on ? "on" : "off", choice.why));
    }
    const std::string sysdeps = build_.rocm.root + "/lib/rocm_sysdeps";
    if (!build_.windows() && !runner_.dry_run() && !Exists(sysdeps)) {
      log_.Error(fmt::format("there is no {}, from which torch takes liblzma: is rocm[devel] "
                             "installed?",
                             sysdeps),
                 "the ROCm packages are incomplete");
      return false;
    }
    static const Texts kNone;
    const Texts* preloads = build_.plan.build_rules.FindPreloads(build_.platform);
    WriteSource("torch/_rocm_init.py",
                RocmInitFile(preloads != nullptr ? *preloads : kNone, build_.rocm.version));
    return !build_.windows() || CopyOpenMp();
  }

  void WriteSource(const std::string& path, const std::string& text) {
    if (runner_.dry_run()) {
      runner_.host().out << fmt::format("cat > {} <<'END'\n{}END\n",
                                        ShellWord(folder_ + "/" + path), text);
    } else {
      runner_.host().files.Write(folder_ + "/" + path, text);
    }
    added_files_.push_back(path);
  }

  // clang-cl links with it, and users' machines do not have it.
  bool CopyOpenMp() {
    const std::string target = fmt::format("torch/lib/{}", kOpenMp);
    added_files_.push_back(target);
    if (runner_.dry_run()) {
      Note(fmt::format("{} of VCToolsRedistDir is copied to {}/{}", kOpenMp, folder_, target));
      return true;
    }
    const std::string redist = runner_.host().Variable("VCToolsRedistDir");
    std::vector<std::string> found;
    std::error_code error;
    if (!redist.empty()) {
      const auto visit = [&](const FolderEntry& entry) {
        if (entry.name == kOpenMp) found.push_back(entry.path);
        return true;
      };
      WalkBelow(redist, visit, error);
    }
    if (found.empty()) {
      log_.Error(redist.empty() ? std::string("VCToolsRedistDir is not set")
                                : fmt::format("{} has no {}", redist, kOpenMp),
                 "Visual Studio's OpenMP is missing");
      return false;
    }
    MakeFolders(folder_ + "/torch/lib", error);
    if (!CopyInto(*std::ranges::min_element(found), folder_ + "/" + target)) return false;
    const std::string uv = runner_.host().Variable("libuv_ROOT");
    if (!uv.empty() && Exists(uv + "/bin/uv.dll")) {
      if (!CopyInto(uv + "/bin/uv.dll", folder_ + "/torch/lib/uv.dll")) return false;
      added_files_.emplace_back("torch/lib/uv.dll");
    }
    return true;
  }

  bool CopyInto(const std::string& from, const std::string& to) {
    std::error_code error;
    CopyOver(from, to, error);
    if (error) log_.Error(ReasonFor(error, to), fmt::format("cannot copy {} to {}", from, to));
    return !error;
  }

  std::vector<std::string> Command() {
    // setup.py of the others imports files beside it, which a build frontend hides.
    const bool frontend = name() == "torch" || name() == "apex" || !Exists(folder_ + "/setup.py");
    const std::string& number = build_.build_number;
    if (!frontend) {
      std::vector<std::string> words{build_.python, "setup.py", "bdist_wheel"};
      if (!number.empty()) words.push_back("--build-number=" + number);
      return words;
    }
    std::vector<std::string> words{build_.python, "-m", "build", "--wheel", "--no-isolation"};
    if (build_.windows()) words.emplace_back("--skip-dependency-check");
    if (name() == "apex") {
      words.insert(words.end(), {"-C--build-option=--cpp_ext", "-C--build-option=--cuda_ext"});
    }
    const auto project = runner_.host().files.Read(folder_ + "/pyproject.toml");
    const bool scikit = project && project->find("scikit_build_core") != std::string::npos;
    if (!number.empty()) {
      words.push_back((scikit ? "-Cwheel.build-tag=" : "-C--build-option=--build-number=") +
                      number);
    }
    // It skips files that git ignores, such as those added above.
    if (name() == "torch" && scikit) {
      for (const std::string& file : added_files_) {
        words.push_back(fmt::format("-Cwheel.force-include.{0}={0}", file));
      }
    }
    return words;
  }

  bool Compile(const VariablePairs& environment) {
    ZeroCacheStatistics(build_.cache, runner_);
    log_.Say(fmt::format("building {} {} for {}, {} at a time", name(), version_,
                         JoinWords(build_.targets), Count(Jobs(), "compiler")));
    const bool good = runner_.Run({.title = fmt::format("build {}", name()),
                                   .arguments = Command(),
                                   .folder = folder_,
                                   .variables = environment});
    ShowCacheStatistics(build_.cache, runner_);
    return good;
  }

  std::optional<std::string> FindWheel() {
    Texts wheels;
    for (const std::string& file : runner_.host().files.List(folder_ + "/dist")) {
      if (file.ends_with(".whl")) wheels.push_back(file);
    }
    const std::string title = fmt::format("the build of {} did not produce its wheel", name());
    if (wheels.size() != 1) {
      log_.Error(wheels.empty() ? fmt::format("there is no wheel in {}/dist", folder_)
                                : fmt::format("there are {} wheels in {}/dist: {}", wheels.size(),
                                              folder_, JoinWords(wheels)),
                 title);
      return std::nullopt;
    }
    const WheelNameReading reading = ReadWheelName(wheels.front());
    if (!reading.name) {
      log_.Error(fmt::format("{}: {}", wheels.front(), reading.problem), title);
      return std::nullopt;
    }
    if (reading.name->Project() != NormalizeProject(WheelProject())) {
      log_.Error(fmt::format("{} is a wheel of {}", wheels.front(), reading.name->project), title);
      return std::nullopt;
    }
    if (reading.name->version != *ParsePackageVersion(version_)) {
      log_.Error(fmt::format("version {} was resolved for it, but it has version {}", version_,
                             reading.name->version_text),
                 fmt::format("the wheel of {} is of another version", name()));
      return std::nullopt;
    }
    if (!build_.build_number.empty() && reading.name->build != build_.build_number) {
      log_.Error(fmt::format("{} lacks the build number {}", wheels.front(), build_.build_number),
                 title);
      return std::nullopt;
    }
    return wheels.front();
  }

  // Without dependencies, which are installed.
  bool Install(const std::string& wheel, const std::string& pattern = {}) {
    Step step = PipStep(fmt::format("install the new {}", name()), build_.python,
                        {"install", "--no-deps", "--no-index"});
    if (!wheel.empty()) step.arguments.push_back(wheel);
    step.pattern = pattern;
    return runner_.Run(step);
  }

  // The copy appears in one step.
  bool Copy(const std::string& wheel) {
    const std::string target = build_.output + "/" + wheel;
    std::error_code error;
    MakeFolders(build_.output, error);
    if (!error) CopyOver(folder_ + "/dist/" + wheel, target + ".part", error);
    if (!error) PutInPlace(target + ".part", target, error);
    if (!error) return true;
    log_.Error(ReasonFor(error, target), fmt::format("cannot put {} into {}", wheel, build_.output));
    return false;
  }

  // Checks that it can be imported, with or without a GPU. Not in the folder of the sources, which
  // Python would import.
  bool Import() {
    const auto said = runner_.Ask(
        {.title = "import torch",
         .arguments = {build_.python, "-c", "import torch; print(torch.cuda.is_available())"},
         .folder = build_.output,
         .variables = {{"PYTHONUTF8", "1"}}});
    if (!said) return false;
    if (runner_.dry_run()) return true;
    if (Trim(*said).empty()) {
      log_.Error("it printed nothing", "torch cannot be imported");
      return false;
    }
    log_.Say(fmt::format("torch can be imported; a GPU is here: {}", Trim(*said)));
    return true;
  }

  const WheelBuild& build_;
  const ProjectRow& project_;
  Runner& runner_;
  Log& log_;
  std::string folder_;
  std::string version_;
  VariablePairs triton_file_;
  Texts added_files_;  // files added to torch's sources
};

}  // namespace

std::string WheelBuild::VersionOf(std::string_view project) const {
  const auto found =
      std::ranges::find_if(versions, [&](const auto& pair) { return pair.first == project; });
  return found == versions.end() ? std::string() : found->second;
}

std::optional<BuiltWheel> BuildProject(const WheelBuild& build, const ProjectRow& project,
                                       Runner& runner) {
  return Builder(build, project, runner).Build();
}

}  // namespace wheelwright
