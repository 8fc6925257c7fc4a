#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file_system.h"
#include "base/json.h"
#include "base/platform/files.h"
#include "base/text.h"
#include "runtime/pytorch/acceptance/gpus.h"
#include "runtime/pytorch/acceptance/skips.h"
#include "runtime/pytorch/build/compiler_cache.h"
#include "runtime/pytorch/build/features.h"
#include "runtime/pytorch/build/msvc.h"
#include "runtime/pytorch/build/rocm.h"
#include "runtime/pytorch/build/tools.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/wheels/plan/plan.h"
#include "tests/unit/said.h"
#include "tests/unit/source_path.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

// The project's own: what it decides is what jobs do.
const Plan& OwnPlan() {
  static const Plan kPlan = [] {
    Diagnostics diagnostics;
    const auto text = RealFileSystem().Read(SourcePath("generated-workflows/plan.json"));
    return ReadPlanText(text.value(), "plan.json", diagnostics).value();
  }();
  return kPlan;
}

TorchWheel Wheel(const std::string& platform, const std::string& version, Texts targets) {
  return {.platform = platform,
          .version = ParsePackageVersion(version).value(),
          .targets = std::move(targets),
          .built_here = OwnPlan().selection.FindPlatform(platform)->packages,
          .versions = {"torch", "triton"}};
}

std::string Choices(const TorchWheel& wheel) {
  std::string text;
  for (const FeatureChoice& choice : ChooseFeatures(OwnPlan().build_rules.features, wheel)) {
    text += choice.name + (choice.on ? "+ " : "- ");
  }
  return text;
}

TEST_CASE("which wheels have flash attention and fbgemm", "[build]") {
  struct Row {
    const char* platform;
    const char* version;
    Texts targets;
    const char* choices;
  };
  const Row rows[] = {
      {"linux", "2.10.0+rocm7", {"gfx942"}, "flash_attention+ fbgemm_genai- "},
      {"linux", "2.9.1", {"gfx942"}, "flash_attention+ fbgemm_genai+ "},
      {"linux", "2.9.0a0", {"gfx1030"}, "flash_attention- fbgemm_genai+ "},
      {"linux", "2.10.0", {"gfx1010", "gfx1011"}, "flash_attention- fbgemm_genai- "},
      {"linux", "2.10.0", {"gfx906", "gfx908", "gfx90a"}, "flash_attention+ fbgemm_genai- "},
      {"linux", "2.10.0", {"gfx1152"}, "flash_attention- fbgemm_genai- "},
      {"linux", "2.11.0a0", {"gfx1152"}, "flash_attention+ fbgemm_genai- "},
      {"linux", "2.10.0", {"gfx1030", "gfx1100"}, "flash_attention+ fbgemm_genai- "},
      {"windows", "2.10.0", {"gfx1151"}, "flash_attention+ "},
      {"windows", "2.10.0", {"gfx1030"}, "flash_attention- "},
  };
  for (const Row& row : rows) {
    INFO(row.platform << " " << row.version << " " << row.targets.front());
    CHECK(Choices(Wheel(row.platform, row.version, row.targets)) == row.choices);
  }
  TorchWheel wheel = Wheel("linux", "2.10.0", {"gfx942"});
  wheel.versions = {"torch"};
  CHECK(Choices(wheel) == "flash_attention- fbgemm_genai- ");
  wheel.flash_attention = true;
  CHECK(Choices(wheel) == "flash_attention+ fbgemm_genai- ");
  wheel.platform = "windows";
  wheel.built_here = OwnPlan().selection.FindPlatform("windows")->packages;
  wheel.flash_attention.reset();
  CHECK(Choices(wheel) == "flash_attention+ ");  // no triton is built there
}

TEST_CASE("as many compilers as the memory holds", "[build]") {
  constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;
  CHECK(ParallelJobs(64, 512 * kGigabyte, "torch") == 64);
  CHECK(ParallelJobs(64, 64 * kGigabyte, "torch") == 16);
  CHECK(ParallelJobs(64, 64 * kGigabyte, "torchvision") == 32);
  CHECK(ParallelJobs(8, 2 * kGigabyte, "torch") == 1);
  CHECK(ParallelJobs(8, 0, "torch") == 8);
  CHECK(ParallelJobs(0, 0, "torch") == 1);
}

TEST_CASE("the environment of Microsoft's compiler is read", "[build]") {
  const std::string output =
      "**********************************************************************\r\n"
      "** Visual Studio 2022 Developer Command Prompt v17.9\r\n"
      "[vcvarsall.bat] Environment initialized for: 'x64'\r\n"
      "A=in front of the mark\r\n"
      "wheelrun-environment-begins \r\n"
      "Path=C:\\VC\\bin;C:\\Windows\r\n"
      "ProgramFiles(x86)=C:\\Program Files (x86)\r\n"
      "INCLUDE=C:\\VC\\include\r\n"
      "VALUE=a=b\r\n"
      "EMPTY=\r\n"
      "no equals sign\r\n"
      "=C:=C:\\hidden\r\n";
  const Variables read = ParseSet(output);
  CHECK(read == Variables{{"EMPTY", ""},
                          {"INCLUDE", "C:\\VC\\include"},
                          {"PATH", "C:\\VC\\bin;C:\\Windows"},
                          {"ProgramFiles(x86)", "C:\\Program Files (x86)"},
                          {"VALUE", "a=b"}});
}

TEST_CASE("the compiler's environment is taken over once", "[build]") {
  TestHost test;
  test.host.variables = {{"Path", "C:\\Windows"}, {"ProgramFiles(x86)", "D:\\P"}};
  Runner runner(test.host, false);
  test.processes.answers = {
      {ScriptedProcesses::Exit(0), "C:\\VS\r\n"},
      {ScriptedProcesses::Exit(0),
       "wheelrun-environment-begins \r\nPATH=C:\\VC\r\nVCToolsInstallDir=C:\\VC\\\r\n"
       "VSCMD_ARG_TGT_ARCH=x64\r\n"}};
  CHECK(EnterMsvcEnvironment(runner));
  CHECK(std::ranges::count_if(test.host.variables, [](const auto& variable) {
          return ToLower(variable.first) == "path";
        }) == 1);
  CHECK(test.host.Variable("PATH") == "C:\\VC");
  REQUIRE(test.processes.requests.size() == 2);
  CHECK(test.processes.requests[0].arguments[0] ==
        "D:\\P/Microsoft Visual Studio/Installer/vswhere.exe");
  CHECK(test.processes.requests[1].arguments[3] ==
        "call \"C:\\VS\\VC\\Auxiliary\\Build\\vcvarsall.bat\" x64 && echo "
        "wheelrun-environment-begins && set");
  CHECK(EnterMsvcEnvironment(runner));
  CHECK(test.processes.requests.size() == 2);

  TestHost none;
  Runner other(none.host, false);
  none.processes.answers = {{ScriptedProcesses::Exit(0), "\r\n"}};
  CHECK_FALSE(EnterMsvcEnvironment(other));
  CHECK(none.err.str() ==
        "error: there is no Visual Studio with a compiler: install its component "
        "for C++ on x64\n");
}

TEST_CASE("a cache that is asked for has to be there", "[build]") {
  TestHost test;
  Runner runner(test.host, false);
  CHECK(ChooseCache("none", runner)->cache == CompilerCache::kNone);
  CHECK(ChooseCache("auto", runner)->cache == CompilerCache::kNone);
  CHECK_FALSE(ChooseCache("sccache", runner));
  CHECK(test.err.str() ==
        "error: there is no sccache on the PATH: install it, or build with '--cache auto'\n");
}

TEST_CASE("what a program prints has a version in it", "[build]") {
  CHECK(ToolVersion("1.13.1\n") == "1.13.1");
  CHECK(ToolVersion("1.12.1.git.kitware.jobserver-pipe-1\r\n") == "1.12.1");
  CHECK(ToolVersion("ccache version 4.8.2\nFeatures: file-storage\n") == "4.8.2");
  CHECK(ToolVersion("tool 7 of 9.0.") == "9.0");
  CHECK(ToolVersion("7").empty());
  CHECK(ToolVersion("").empty());
}

TEST_CASE("the first tool on the PATH that is new enough is taken", "[build]") {
  namespace fs = std::filesystem;
  const std::string root = MakeTemporaryFolder("wheelrun-tools");
  for (const char* folder : {"vs", "choco", "empty"}) {
    fs::create_directories(SystemPath(root) / folder);
    if (folder == std::string("empty")) continue;
    const fs::path program = SystemPath(root) / folder / "ninja.exe";
    std::ofstream(program) << "";
    fs::permissions(program, fs::perms::owner_all);
  }
  TestHost test;
  test.host.machine.windows = true;
  test.host.variables["PATH"] = fmt::format("{0}/empty;{0}/vs;{0}/choco", root);
  Runner runner(test.host, false);
  const auto answer = [&](const char* vs, const char* choco) {
    test.processes.answers = {{ScriptedProcesses::Exit(0), vs},
                              {ScriptedProcesses::Exit(0), choco}};
    return FindTool("ninja", "1.13.1", runner);
  };
  CHECK(answer("1.12.1\n", "1.13.1\n") == root + "/choco");
  CHECK(answer("1.14.0\n", "1.13.1\n") == root + "/vs");
  CHECK(test.err.str().empty());
  CHECK_FALSE(answer("1.9\n", "what?\n"));
  CHECK(test.err.str() ==
        fmt::format("error: there is no ninja 1.13.1 or newer on the PATH: {0}/vs/ninja.exe is 1.9 "
                    "and {0}/choco/ninja.exe is no such program; install it: choco install ninja "
                    "--version 1.13.1\n",
                    root));
  fs::remove_all(SystemPath(root));
}

TEST_CASE("builds for Windows name the ninja that they need", "[build]") {
  CHECK(OwnPlan().selection.FindPlatform("windows")->build_tools == TextPairs{{"ninja", "1.13.1"}});
  CHECK(OwnPlan().selection.FindPlatform("linux")->build_tools.empty());
}

TEST_CASE("ROCm packages have to be of the version and for the GPUs", "[build]") {
  TestHost test;
  Log log(test.host);
  const RocmPackages rocm{.version = "7.12.0", .targets = {"gfx1100", "gfx1101"}};
  CHECK(CheckRocm(rocm, "7.12", "f", {"gfx1100"}, log));
  CHECK(CheckRocm(rocm, "", "f", {"gfx1100:xnack+"}, log));
  CHECK(test.err.str().empty());
  CHECK_FALSE(CheckRocm(rocm, "0.1.0", "f", {}, log));
  CHECK_FALSE(CheckRocm(rocm, "", "gfx110X-all", {"gfx1101", "gfx1102", "gfx1103"}, log));
  CHECK(test.err.str() ==
        "error: the ROCm packages are of another version: version 0.1.0 was asked for, and 7.12.0 "
        "is installed\n"
        "error: the ROCm packages are for other GPUs: gfx110X-all needs gfx1102 and gfx1103; the "
        "packages are for gfx1100 and gfx1101\n");
}

TEST_CASE("packages are installed from one source", "[build]") {
  const auto told = [](const char* index_url, const char* find_links) {
    Arguments arguments;
    if (*index_url != 0) arguments.options["index-url"] = {index_url};
    if (*find_links != 0) arguments.options["find-links"] = {find_links};
    Diagnostics diagnostics;
    const auto source = TakePackageSource(arguments, "venv", OwnPlan(), diagnostics);
    CHECK(source.has_value() == diagnostics.empty());
    return Said(diagnostics);
  };
  CHECK(told("https://a.example", "").empty());
  CHECK(told("", "folder").empty());
  CHECK("\n" + told("", "") == R"(
error[package-source]: 'venv' needs a source to install from
   = give one of '--index', '--index-url' and '--find-links'
   = without a source pip would use the public index, which has other packages of these names
)");
  CHECK("\n" + told("https://a.example", "folder") == R"(
error[package-source]: 'venv' has two sources to install from
   = give one of '--index', '--index-url' and '--find-links'
)");
}

TEST_CASE("an index of a release type has a folder for each family", "[build]") {
  const std::string nightly = "https://rocm.nightlies.amd.com/v2";
  CHECK(IndexOfFamily(nightly, "gfx1151", OwnPlan()) == nightly + "/gfx1151/");
  CHECK(IndexOfFamily(nightly + "-staging/", "gfx1151", OwnPlan()) ==
        nightly + "-staging/gfx1151/");
  CHECK(IndexOfFamily(nightly + "/gfx1151/", "gfx1151", OwnPlan()) == nightly + "/gfx1151/");
  CHECK(IndexOfFamily("", "gfx1151", OwnPlan()).empty());
  CHECK(IndexOfFamily(nightly, "gfx94x", OwnPlan()) == nightly + "/gfx94X-dcgpu/");
  CHECK(IndexOfFamily(OwnPlan().IndexUrl("stable"), "gfx1151", OwnPlan()) ==
        "https://repo.amd.com/rocm/whl/gfx1151/");
}

TEST_CASE("beside an index of a release type stands one of dependencies", "[build]") {
  const std::string nightly = "https://rocm.nightlies.amd.com/v2";
  CHECK(DependenciesOf(nightly + "/gfx1151/", OwnPlan()) == nightly + "-dependencies/");
  CHECK(DependenciesOf(nightly + "-staging", OwnPlan()) == nightly + "-dependencies/");
  CHECK(DependenciesOf("https://repo.amd.com/rocm/whl/gfx1151/", OwnPlan()).empty());
  CHECK(DependenciesOf(nightly + "x/gfx1151", OwnPlan()).empty());
  CHECK(DependenciesOf("", OwnPlan()).empty());
}

TEST_CASE("the package rocm is told its family", "[build]") {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(FamilyVariable("gfx94x", "linux", OwnPlan()) ==
        Pairs{{"ROCM_SDK_TARGET_FAMILY", "gfx94X-dcgpu"}});
  CHECK(FamilyVariable("gfx94x", "windows", OwnPlan()).empty());
  CHECK(FamilyVariable("gfx942", "linux", OwnPlan()).empty());
}

TEST_CASE("GPUs keep the names by which they are chosen", "[testing]") {
  const auto devices = [](const std::vector<Gpu>& gpus) {
    std::string text;
    for (const Gpu& gpu : gpus) text += gpu.target + "=" + gpu.device + " ";
    return text;
  };
  const Texts names{"gfx942:sramecc+:xnack-", "gfx1100", "gfx942"};
  CHECK(devices(NameGpus(names, "")) == "gfx942=0 gfx1100=1 gfx942=2 ");
  CHECK(devices(NameGpus(names, "5, 3,1")) == "gfx942=5 gfx1100=3 gfx942=1 ");
  const std::vector<Gpu> gpus = NameGpus(names, "5,3,1");
  CHECK(devices(ChooseGpus(gpus, {"gfx942"})) == "gfx942=5 ");
  CHECK(devices(ChooseGpus(gpus, {"gfx1100", "gfx1101", "gfx942:xnack+"})) ==
        "gfx942=5 gfx1100=3 ");
  CHECK(ChooseGpus(gpus, {"gfx1101"}).empty());
}

// Whether a test of a file is left out.
bool IsLeftOut(std::string_view torch, std::string_view target, std::string_view platform,
               std::string_view file, const std::string& test) {
  const auto skips = SkipsFor(OwnPlan().build_rules.skips, torch, target, platform);
  const auto request = ParseJson(SkipRequest(skips, file, "report.json"));
  const auto names = request.at("leave_out").get<Texts>();
  return HasText(names, test);
}

TEST_CASE("which tests are skipped, by version, GPU, platform and file", "[testing]") {
  struct Row {
    const char* torch;
    const char* target;
    const char* platform;
    const char* file;
    const char* test;
    bool skipped;
  };
  const Row rows[] = {
      {"2.7", "gfx942", "linux", "test_cuda.py", "test_hip_device_count", true},
      {"2.7", "gfx942", "linux", "test_nn.py", "test_hip_device_count", false},
      {"2.9", "gfx942", "linux", "test_cuda.py", "test_hip_device_count", false},
      {"2.9", "gfx1151", "windows", "test_cuda.py", "test_hip_device_count", true},
      {"2.10", "gfx1100", "linux", "test_nn.py", "test_Conv*", true},
      {"2.10", "gfx942", "linux", "test_nn.py", "test_Conv*", false},
      {"2.10", "gfx950", "linux", "test_cuda.py", "test_autocast_torch_bf16", true},
      {"2.10", "gfx942", "linux", "test_cuda.py", "test_autocast_torch_bf16", false},
      {"2.10", "gfx942", "linux", "test_cuda.py", "test_allocator_settings", true},
      {"2.11", "gfx942", "linux", "test_cuda.py", "test_allocator_settings", false},
      {"2.11", "gfx1201", "linux", "test_autograd.py", "test_side_stream_backward_overlap_cuda",
       true},
      {"2.10", "gfx1151", "windows", "test_cuda.py", "test_graph_error", true},
      {"2.10", "gfx1151", "linux", "test_cuda.py", "test_graph_error", false},
      {"2.10", "gfx1151", "windows", "test_cuda.py", "test_cuda_memory_leak_detection", true},
      {"2.10", "gfx1100", "windows", "test_cuda.py", "test_cuda_memory_leak_detection", false},
  };
  for (const Row& row : rows) {
    INFO(row.torch << " " << row.target << " " << row.platform << " " << row.test);
    CHECK(IsLeftOut(row.torch, row.target, row.platform, row.file, row.test) == row.skipped);
  }
}

TEST_CASE("a file of tests is told its names and those of others", "[testing]") {
  const TestSkip nn{.files = {"test_nn.py"}, .tests = {"b", "a"}};
  const TestSkip all{.tests = {"b", "c"}};
  const TestSkip cuda{.files = {"test_cuda.py"}, .tests = {"a", "d"}};
  CHECK(SkipRequest({&nn, &all, &cuda}, "test_nn.py", "r.json") ==
        R"({"leave_out":["a","b","c"],"elsewhere":["d"],"report":"r.json"})");
  CHECK(SkipRequest({}, "test_nn.py", "r") == R"({"leave_out":[],"elsewhere":[],"report":"r"})");
}

TEST_CASE("skips that no test bears are found", "[testing]") {
  const TestSkip nn{.files = {"test_nn.py"}, .tests = {"here", "gone", "moved"}};
  const TestSkip all{.tests = {"anywhere", "nowhere"}};
  const TestSkip not_run{.files = {"test_fft.py"}, .tests = {"unknown"}};
  const std::vector<const TestSkip*> skips{&nn, &all, &not_run};
  SeenNames borne;
  CHECK(borne.Obsolete(skips).empty());  // nothing ran
  borne.Add("test_nn.py", R"(["here"])");
  borne.Add("test_cuda.py", R"(["anywhere", "moved"])");
  CHECK(borne.Obsolete(skips) == Texts{"gone", "moved, which is in test_cuda.py", "nowhere"});
  borne.Add("test_torch.py", "");  // it ended before: the names for all files may be there
  CHECK(borne.Obsolete(skips) == Texts{"gone", "moved, which is in test_cuda.py"});
}

}  // namespace
}  // namespace wheelwright
