#include "runtime/pytorch/build/build_environment.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelwright {
namespace {

class EnvironmentBuilder {
 public:
  explicit EnvironmentBuilder(const BuildContext& context) : c_(context) {}

  VariablePairs Build() {
    Common();
    if (c_.windows) {
      Windows();
    } else {
      Linux();
    }
    if (c_.project == "triton") Triton();
    if (c_.project == "torch") Torch();
    if (c_.project == "torchaudio") Audio();
    if (c_.project == "torchvision") Vision();
    if (c_.project == "apex") Apex();
    return std::move(pairs_);
  }

 private:
  void Common() {
    const std::string& root = c_.rocm.root;
    Set("PYTHONUTF8", "1");
    for (const std::string& folder : c_.tool_folders) Prepend("PATH", folder);
    Prepend("PATH", c_.rocm.bin);
    Set("CMAKE_PREFIX_PATH", c_.rocm.cmake);
    Set("ROCM_HOME", root);
    Set("ROCM_PATH", root);
    Set("PYTORCH_ROCM_ARCH", fmt::format("{}", fmt::join(c_.targets, ";")));
    SetUnlessOwn("MAX_JOBS", std::to_string(c_.jobs));
    SetUnlessOwn("CMAKE_BUILD_PARALLEL_LEVEL", std::to_string(c_.jobs));
    SetUnlessOwn("USE_KINETO", c_.windows ? "OFF" : "ON");
    // On Windows gloo needs libuv, which may be missing.
    if (!c_.windows || !Own("libuv_ROOT").empty()) Set("USE_GLOO", "ON");
    if (c_.has_device_libraries) Set("HIP_DEVICE_LIB_PATH", root + "/lib/llvm/amdgcn/bitcode");
    if (c_.has_host_math) {
      Set("BLAS", "OpenBLAS");
      Set("OpenBLAS_HOME", root + "/lib/host-math");
      Set("OpenBLAS_LIB_NAME", "rocm-openblas");
    }
  }

  void Linux() {
    // g++ gives these warnings for torch's own code, and torch turns warnings into errors.
    for (const char* name : {"CXXFLAGS", "CPPFLAGS"}) {
      Append(name, "-Wno-error=maybe-uninitialized -Wno-error=uninitialized -Wno-error=restrict");
    }
  }

  void Windows() {
    const std::string bin = Slashes(c_.rocm.root) + "/lib/llvm/bin";
    Set("HIP_CLANG_PATH", bin);
    Set("CC", bin + "/clang-cl.exe");
    Set("CXX", bin + "/clang-cl.exe");
    // The compiler's environment is set: setuptools must not set up its own.
    Set("DISTUTILS_USE_SDK", "1");
  }

  void Triton() {
    for (const auto& [name, value] : c_.triton_file) Set(name, value);
    Set("TRITON_WHEEL_VERSION_SUFFIX", Got("TRITON_WHEEL_VERSION_SUFFIX") + TritonSuffix());
    // Otherwise its CMake takes ROCm's LLVM for its own:
    // https://github.com/ROCm/TheRock/issues/1999
    Set("TRITON_APPEND_CMAKE_ARGS", "-DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=FALSE");
  }

  void Torch() {
    Set("PYTORCH_BUILD_VERSION", c_.version);
    Set("PYTORCH_BUILD_NUMBER", "1");
    Set("USE_ROCM", "ON");
    for (const char* name : {"USE_CUDA", "USE_MPI", "USE_NUMA"}) Set(name, "OFF");
    std::string requirements = fmt::format("rocm[libraries]=={}", c_.rocm.version);
    if (!c_.triton_version.empty()) {
      requirements += fmt::format("|{}=={}", c_.triton_name, c_.triton_version);
    }
    Set("PYTORCH_EXTRA_INSTALL_REQUIREMENTS", requirements);
    for (const FeatureChoice& feature : c_.features) {
      for (const std::string& name : feature.variables) Set(name, feature.on ? "ON" : "OFF");
    }
    if (c_.windows) {
      Set("BUILD_TEST", "0");
      return;
    }
    const std::string& root = c_.rocm.root;
    const std::string libraries = root + "/lib/rocm_sysdeps/lib";
    Append("CXXFLAGS", fmt::format("-I{0}/lib/rocm_sysdeps/include -I{0}/include/roctracer", root));
    Append("LDFLAGS", "-L" + libraries);
    // aotriton and programs that the build runs need liblzma.
    Prepend("PKG_CONFIG_PATH", libraries + "/pkgconfig");
    Prepend("LD_LIBRARY_PATH", libraries);
  }

  void Audio() {
    Set("BUILD_VERSION", c_.version);
    for (const char* name : {"USE_ROCM", "USE_FFMPEG", "USE_OPENMP"}) Set(name, "1");
    for (const char* name : {"USE_CUDA", "BUILD_SOX"}) Set(name, "0");
  }

  void Vision() {
    Set("BUILD_VERSION", c_.version);
    Set("FORCE_CUDA", "1");  // means HIP with a ROCm torch
    for (const char* name : {"TORCHVISION_USE_NVJPEG", "TORCHVISION_USE_VIDEO_CODEC"}) {
      Set(name, "0");
    }
  }

  // Its setup appends a plus and DESIRED_CUDA to the version, and a commit if set. It reads
  // BUILD_VERSION since November 2025, before that version.txt, with the same value.
  void Apex() {
    Set("BUILD_VERSION", c_.version.substr(0, c_.version.find('+')));
    Set("DESIRED_CUDA", LocalLabel());
    Set("APEX_COMMIT", "");
  }

  // "rocm7.12.0"
  std::string LocalLabel() const {
    const std::size_t plus = c_.version.find('+');
    return plus == std::string::npos ? std::string() : c_.version.substr(plus + 1);
  }

  // The suffix that the setup appends to the version. If the setup adds the commit, the label has
  // begun: "+git1234abcd.rocm7.12.0". A version has only one plus.
  std::string TritonSuffix() const {
    const std::string label = LocalLabel();
    if (label.empty()) return {};
    constexpr std::string_view kCommit = "git";
    constexpr std::size_t kDigits = 8;
    const std::size_t begin = kCommit.size() + kDigits;
    const bool commit = label.starts_with(kCommit) && label.size() >= begin &&
                        label.find_first_not_of("0123456789abcdef", kCommit.size()) >= begin;
    return commit ? label.substr(begin) : "+" + label;
  }

  static std::string Slashes(std::string path) {
    std::ranges::replace(path, '\\', '/');
    return path;
  }

  void Set(std::string_view name, std::string value) {
    const auto found =
        std::ranges::find_if(pairs_, [&](const auto& pair) { return pair.first == name; });
    if (found != pairs_.end()) {
      found->second = std::move(value);
    } else {
      pairs_.emplace_back(name, std::move(value));
    }
  }
  void SetUnlessOwn(std::string_view name, std::string value) {
    if (Own(name).empty()) Set(name, std::move(value));
  }
  std::string Own(std::string_view name) const {
    const auto found = c_.own.find(name);
    return found == c_.own.end() ? std::string() : found->second;
  }
  // The current value of the variable.
  std::string Got(std::string_view name) const {
    const auto found =
        std::ranges::find_if(pairs_, [&](const auto& pair) { return pair.first == name; });
    return found == pairs_.end() ? Own(name) : found->second;
  }
  void Append(std::string_view name, std::string_view flags) {
    const std::string before = Got(name);
    Set(name, before.empty() ? std::string(flags) : fmt::format("{} {}", before, flags));
  }
  void Prepend(std::string_view name, std::string_view folder) {
    const std::string before = Got(name);
    Set(name, before.empty() ? std::string(folder)
                             : fmt::format("{}{}{}", folder, c_.windows ? ';' : ':', before));
  }

  const BuildContext& c_;
  VariablePairs pairs_;
};

}  // namespace

VariablePairs BuildEnvironment(const BuildContext& context) {
  return EnvironmentBuilder(context).Build();
}

VariablePairs CacheEnvironment(CompilerCache cache, std::string_view path, bool windows,
                               std::string_view prefix, const Variables& own) {
  if (cache == CompilerCache::kNone) return {};
  VariablePairs pairs{{"CMAKE_C_COMPILER_LAUNCHER", std::string(path)},
                      {"CMAKE_CXX_COMPILER_LAUNCHER", std::string(path)}};
  if (cache == CompilerCache::kCcache) {
    // The default is a separate database, which cannot be cached.
    if (windows) pairs.emplace_back("CMAKE_MSVC_DEBUG_INFORMATION_FORMAT", "Embedded");
    return pairs;
  }
  const auto set = [&](const char* name, std::string_view value) {
    const auto found = own.find(std::string_view(name));
    if (found == own.end() || found->second.empty()) pairs.emplace_back(name, value);
  };
  if (!windows) set("HIP_CLANG_LAUNCHER", path);
  // A linker may run for longer than the server's idle limit.
  set("SCCACHE_IDLE_TIMEOUT", "0");
  set("SCCACHE_LOG", "warn");
  if (const auto bucket = own.find("SCCACHE_BUCKET");
      bucket != own.end() && !bucket->second.empty()) {
    set("SCCACHE_REGION", "us-east-1");
    set("SCCACHE_S3_KEY_PREFIX", prefix);
    set("SCCACHE_S3_USE_SSL", "true");
    set("SCCACHE_S3_SERVER_SIDE_ENCRYPTION", "true");
  }
  return pairs;
}

std::string RocmInitFile(const Texts& preloads, std::string_view rocm_version) {
  std::string text =
      "# Written by the build.\n\n\n"
      "def initialize():\n"
      "    import rocm_sdk\n\n"
      "    rocm_sdk.initialize_process(\n"
      "        preload_shortnames=[\n";
  for (const std::string& name : preloads) text += fmt::format("            \"{}\",\n", name);
  text += fmt::format("        ],\n        check_version=\"{}\",\n    )\n", rocm_version);
  return text;
}

}  // namespace wheelwright
