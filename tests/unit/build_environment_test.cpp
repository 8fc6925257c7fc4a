#include "runtime/pytorch/build/build_environment.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>

#include "runtime/pytorch/build/triton.h"

namespace wheelwright {
namespace {

BuildContext Context(std::string project, bool windows = false) {
  BuildContext context{.project = std::move(project),
                       .windows = windows,
                       .rocm = {.version = "7.12.0a20260219",
                                .targets = {"gfx1100", "gfx1101"},
                                .root = "/py/rocm",
                                .bin = "/py/rocm/bin",
                                .cmake = "/py/rocm/lib/cmake"},
                       .targets = {"gfx1100", "gfx1101"},
                       .version = "2.10.0+rocm7.12.0a20260219",
                       .jobs = 8};
  if (windows) {
    context.rocm.root = "C:\\py\\rocm";
    context.rocm.bin = "C:\\py\\rocm\\bin";
  }
  return context;
}

std::map<std::string, std::string> Built(const BuildContext& context) {
  const VariablePairs pairs = BuildEnvironment(context);
  std::map<std::string, std::string> map(pairs.begin(), pairs.end());
  CHECK(map.size() == pairs.size());  // no name twice
  return map;
}

// Of a table: what a variable is; "-" says that it is not set.
struct Row {
  const char* project;
  bool windows;
  const char* name;
  const char* value;
};

TEST_CASE("what each build is told, row by row", "[build]") {
  constexpr const char* kFlags =
      "-Wno-error=maybe-uninitialized -Wno-error=uninitialized -Wno-error=restrict";
  const std::string torch_flags =
      std::string(kFlags) + " -I/py/rocm/lib/rocm_sysdeps/include -I/py/rocm/include/roctracer";
  const Row rows[] = {
      {"apex", false, "PYTHONUTF8", "1"},
      {"apex", false, "PATH", "/py/rocm/bin"},
      {"apex", false, "CMAKE_PREFIX_PATH", "/py/rocm/lib/cmake"},
      {"apex", false, "ROCM_HOME", "/py/rocm"},
      {"apex", false, "ROCM_PATH", "/py/rocm"},
      {"apex", false, "PYTORCH_ROCM_ARCH", "gfx1100;gfx1101"},
      {"apex", false, "MAX_JOBS", "8"},
      {"apex", false, "CMAKE_BUILD_PARALLEL_LEVEL", "8"},
      {"apex", false, "BUILD_VERSION", "2.10.0"},
      {"apex", false, "BUILD_NUMBER", "-"},
      {"apex", false, "DESIRED_CUDA", "rocm7.12.0a20260219"},
      {"apex", false, "APEX_COMMIT", ""},
      {"apex", false, "CXXFLAGS", kFlags},
      {"apex", false, "CPPFLAGS", kFlags},
      {"apex", false, "LDFLAGS", "-"},
      {"apex", false, "HIP_DEVICE_LIB_PATH", "-"},
      {"apex", false, "BLAS", "-"},
      {"apex", false, "CC", "-"},
      {"torch", false, "USE_KINETO", "ON"},
      {"torch", true, "USE_KINETO", "OFF"},
      {"torch", false, "USE_GLOO", "ON"},
      {"torch", true, "USE_GLOO", "-"},
      {"torch", false, "PYTORCH_BUILD_VERSION", "2.10.0+rocm7.12.0a20260219"},
      {"torch", false, "PYTORCH_BUILD_NUMBER", "1"},
      {"torch", false, "USE_ROCM", "ON"},
      {"torch", false, "USE_CUDA", "OFF"},
      {"torch", false, "USE_MPI", "OFF"},
      {"torch", false, "USE_NUMA", "OFF"},
      {"torch", false, "PYTORCH_EXTRA_INSTALL_REQUIREMENTS", "rocm[libraries]==7.12.0a20260219"},
      {"torch", false, "CXXFLAGS", torch_flags.c_str()},
      {"torch", false, "LDFLAGS", "-L/py/rocm/lib/rocm_sysdeps/lib"},
      {"torch", false, "PKG_CONFIG_PATH", "/py/rocm/lib/rocm_sysdeps/lib/pkgconfig"},
      {"torch", false, "LD_LIBRARY_PATH", "/py/rocm/lib/rocm_sysdeps/lib"},
      {"torch", false, "BUILD_TEST", "-"},
      {"torch", true, "BUILD_TEST", "0"},
      {"torch", true, "DISTUTILS_USE_SDK", "1"},
      {"torch", true, "HIP_CLANG_PATH", "C:/py/rocm/lib/llvm/bin"},
      {"torch", true, "CC", "C:/py/rocm/lib/llvm/bin/clang-cl.exe"},
      {"torch", true, "CXX", "C:/py/rocm/lib/llvm/bin/clang-cl.exe"},
      {"torch", true, "CXXFLAGS", "-"},
      {"torch", true, "LD_LIBRARY_PATH", "-"},
      {"torchaudio", false, "BUILD_VERSION", "2.10.0+rocm7.12.0a20260219"},
      {"torchaudio", false, "USE_ROCM", "1"},
      {"torchaudio", false, "USE_CUDA", "0"},
      {"torchaudio", false, "USE_FFMPEG", "1"},
      {"torchaudio", false, "USE_OPENMP", "1"},
      {"torchaudio", false, "BUILD_SOX", "0"},
      {"torchaudio", false, "DISTUTILS_USE_SDK", "-"},
      {"torchaudio", true, "DISTUTILS_USE_SDK", "1"},
      {"torchvision", false, "BUILD_VERSION", "2.10.0+rocm7.12.0a20260219"},
      {"torchvision", false, "BUILD_NUMBER", "-"},
      {"torchvision", false, "FORCE_CUDA", "1"},
      {"torchvision", false, "TORCHVISION_USE_NVJPEG", "0"},
      {"torchvision", false, "TORCHVISION_USE_VIDEO_CODEC", "0"},
      {"triton", false, "TRITON_WHEEL_VERSION_SUFFIX", "+rocm7.12.0a20260219"},
      {"triton", false, "TRITON_APPEND_CMAKE_ARGS",
       "-DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=FALSE"},
      {"triton", false, "BUILD_VERSION", "-"},
  };
  for (const Row& row : rows) {
    const auto built = Built(Context(row.project, row.windows));
    INFO(row.project << (row.windows ? " on Windows: " : ": ") << row.name);
    const auto found = built.find(row.name);
    CHECK((found == built.end() ? std::string("-") : found->second) == row.value);
  }
}

TEST_CASE("what the machine says is added to, or stays", "[build]") {
  BuildContext context = Context("torch");
  context.own = {{"PATH", "/usr/bin"},  {"CXXFLAGS", "-O1"}, {"LD_LIBRARY_PATH", "/own"},
                 {"USE_KINETO", "OFF"}, {"MAX_JOBS", "3"},   {"LDFLAGS", "-Wl,-z"}};
  const auto built = Built(context);
  CHECK(built.at("PATH") == "/py/rocm/bin:/usr/bin");
  CHECK(built.at("CXXFLAGS").starts_with("-O1 -Wno-error=maybe-uninitialized"));
  CHECK(built.at("LD_LIBRARY_PATH") == "/py/rocm/lib/rocm_sysdeps/lib:/own");
  CHECK(built.at("LDFLAGS") == "-Wl,-z -L/py/rocm/lib/rocm_sysdeps/lib");
  CHECK(built.count("USE_KINETO") == 0);
  CHECK(built.count("MAX_JOBS") == 0);

  BuildContext windows = Context("torch", true);
  windows.own = {{"PATH", "C:\\Windows"}, {"libuv_ROOT", "C:\\libuv"}};
  CHECK(Built(windows).at("PATH") == "C:\\py\\rocm\\bin;C:\\Windows");
  windows.tool_folders = {"C:\\ninja"};
  CHECK(Built(windows).at("PATH") == "C:\\py\\rocm\\bin;C:\\ninja;C:\\Windows");
  CHECK(Built(windows).at("USE_GLOO") == "ON");
}

TEST_CASE("what the ROCm packages hold is used", "[build]") {
  BuildContext context = Context("torch");
  context.has_device_libraries = true;
  context.has_host_math = true;
  context.triton_version = "3.5.1+rocm7.12.0";
  context.features = {{"a", {"USE_A", "USE_B"}, true, ""}, {"c", {"USE_C"}, false, ""}};
  const auto built = Built(context);
  CHECK(built.at("HIP_DEVICE_LIB_PATH") == "/py/rocm/lib/llvm/amdgcn/bitcode");
  CHECK(built.at("BLAS") == "OpenBLAS");
  CHECK(built.at("OpenBLAS_HOME") == "/py/rocm/lib/host-math");
  CHECK(built.at("OpenBLAS_LIB_NAME") == "rocm-openblas");
  CHECK(built.at("PYTORCH_EXTRA_INSTALL_REQUIREMENTS") ==
        "rocm[libraries]==7.12.0a20260219|triton==3.5.1+rocm7.12.0");
  CHECK(built.at("USE_A") == "ON");
  CHECK(built.at("USE_B") == "ON");
  CHECK(built.at("USE_C") == "OFF");
  context.triton_name = "pytorch-triton-rocm";
  CHECK(Built(context).at("PYTORCH_EXTRA_INSTALL_REQUIREMENTS") ==
        "rocm[libraries]==7.12.0a20260219|pytorch-triton-rocm==3.5.1+rocm7.12.0");
}

TEST_CASE("apex is told its version in two parts", "[build]") {
  BuildContext context = Context("apex");
  for (const auto& [version, base, label] :
       {std::tuple("1.10.0+rocm7.12.0.torch210", "1.10.0", "rocm7.12.0.torch210"),
        std::tuple("1.14.0a0+rocm7", "1.14.0a0", "rocm7"), std::tuple("1.10.0", "1.10.0", "")}) {
    context.version = version;
    INFO(version);
    CHECK(Built(context).at("BUILD_VERSION") == base);
    CHECK(Built(context).at("DESIRED_CUDA") == label);
    CHECK(Built(context).at("APEX_COMMIT").empty());
  }
}

TEST_CASE("the name of triton's wheel", "[build]") {
  CHECK(TritonWheelName({}, {}) == "triton");
  CHECK(TritonWheelName({}, {{"TRITON_WHEEL_NAME", "x"}}) == "x");
  CHECK(TritonWheelName({{"TRITON_WHEEL_NAME", "y"}}, {{"TRITON_WHEEL_NAME", "x"}}) == "y");
  CHECK(TritonWheelName({{"TRITON_WHEEL_NAME", ""}, {"Z", "z"}}, {{"TRITON_WHEEL_NAME", ""}}) ==
        "triton");
}

TEST_CASE("a triton that adds its commit gets what stands behind it", "[build]") {
  BuildContext context = Context("triton");
  context.triton_file = {{"TRITON_WHEEL_VERSION_SUFFIX", ""}, {"TRITON_X", "y"}};
  for (const auto& [version, suffix] :
       {std::pair("3.5.0+git1234abcd.rocm7.12.0", ".rocm7.12.0"), std::pair("3.5.0", ""),
        std::pair("3.5.0+rocm7.12.0", "+rocm7.12.0"), std::pair("3.5.0+git1234abcd", ""),
        std::pair("3.5.0+github.rocm7", "+github.rocm7")}) {
    context.version = version;
    INFO(version);
    CHECK(Built(context).at("TRITON_WHEEL_VERSION_SUFFIX") == suffix);
    CHECK(Built(context).at("TRITON_X") == "y");
  }
}

TEST_CASE("compilers run behind a cache", "[build]") {
  const auto environment = [](CompilerCache cache, bool windows, const Variables& own) {
    const VariablePairs pairs = CacheEnvironment(cache, "/bin/c", windows, "linux/gfx/", own);
    return std::map<std::string, std::string>(pairs.begin(), pairs.end());
  };
  using Map = std::map<std::string, std::string>;
  CHECK(environment(CompilerCache::kNone, false, {}).empty());
  const Map launchers{{"CMAKE_C_COMPILER_LAUNCHER", "/bin/c"},
                      {"CMAKE_CXX_COMPILER_LAUNCHER", "/bin/c"}};
  CHECK(environment(CompilerCache::kCcache, false, {}) == launchers);
  CHECK(environment(CompilerCache::kCcache, true, {}).at("CMAKE_MSVC_DEBUG_INFORMATION_FORMAT") ==
        "Embedded");

  Map local = launchers;
  local.insert(
      {{"HIP_CLANG_LAUNCHER", "/bin/c"}, {"SCCACHE_IDLE_TIMEOUT", "0"}, {"SCCACHE_LOG", "warn"}});
  CHECK(environment(CompilerCache::kSccache, false, {}) == local);
  CHECK(environment(CompilerCache::kSccache, true, {}).count("HIP_CLANG_LAUNCHER") == 0);

  Map remote = local;
  remote.erase("SCCACHE_LOG");  // as it is
  remote.insert({{"SCCACHE_REGION", "us-east-1"},
                 {"SCCACHE_S3_KEY_PREFIX", "linux/gfx/"},
                 {"SCCACHE_S3_USE_SSL", "true"},
                 {"SCCACHE_S3_SERVER_SIDE_ENCRYPTION", "true"}});
  CHECK(environment(CompilerCache::kSccache, false,
                    {{"SCCACHE_BUCKET", "b"}, {"SCCACHE_LOG", "debug"}}) == remote);
}

TEST_CASE("torch loads ROCm's libraries first", "[build]") {
  CHECK(RocmInitFile({"amd_comgr", "rocm-openblas"}, "7.12.0") ==
        R"(# Written by the build.


def initialize():
    import rocm_sdk

    rocm_sdk.initialize_process(
        preload_shortnames=[
            "amd_comgr",
            "rocm-openblas",
        ],
        check_version="7.12.0",
    )
)");
}

}  // namespace
}  // namespace wheelwright
