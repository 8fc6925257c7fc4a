#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/commands/commands.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

// What a command did on a machine of its own: 2025-11-24, in the evening.
struct Call {
  explicit Call(const std::vector<std::string>& words, const std::string& version_file = {},
                const std::string& head = {}) {
    if (!version_file.empty()) test.files.files["version.json"] = version_file;
    if (!head.empty()) test.processes.answers.push_back({ScriptedProcesses::Exit(0), head + "\n"});
    test.host.now = [] {
      using namespace std::chrono;
      return system_clock::time_point(sys_days(2025y / November / 24d) + 23h + 59min);
    };
    status = RunProgram(Wheelrun(), words, test.host, &test.host);
  }

  TestHost test;
  int status = 0;
  std::string out() const { return test.out.str(); }
  std::string err() const { return test.err.str(); }
};

constexpr const char* kVersionFile =
    R"({"rocm-version": "7.10.0", "release-metadata": {"base-date": 20251120}})";

}  // namespace

TEST_CASE("version rocm gives all spellings of the day's version") {
  const Call nightly({"version", "rocm", "--release-type", "nightly"}, kVersionFile);
  CHECK(nightly.status == kSuccess);
  CHECK(nightly.out() ==
        "rocm_version=7.10.0a20251124\n"
        "rocm_package_version=7.10.0a20251124\n"
        "rocm_deb_package_version=7.10.0~20251124\n"
        "rocm_rpm_package_version=7.10.0~20251124\n");
  const Call known({"version", "rocm", "--release-type", "nightly-bkc"}, kVersionFile);
  CHECK(known.out().starts_with("rocm_version=7.10.0a20251120+bkc.20251124\n"));
}

TEST_CASE("version rocm asks git for the commit only when nobody else says it") {
  const std::string sha(40, 'a');
  const Call asked({"version", "rocm", "--release-type", "dev"}, kVersionFile, sha);
  CHECK(asked.out().starts_with("rocm_version=7.10.0.dev0+" + sha + "\n"));
  REQUIRE(asked.test.processes.requests.size() == 1);
  CHECK(asked.test.processes.requests[0].arguments ==
        std::vector<std::string>{"git", "rev-parse", "HEAD"});
  const Call given(
      {"version", "rocm", "--release-type", "dev", "--override-git-sha", std::string(40, 'B')},
      kVersionFile);
  CHECK(given.out().starts_with("rocm_version=7.10.0.dev0+" + std::string(40, 'b') + "\n"));
  CHECK(given.test.processes.requests.empty());
}

TEST_CASE("version rocm needs a version to start from") {
  const Call missing({"version", "rocm", "--release-type", "release"});
  CHECK(missing.status == kWrongInput);
  CHECK(missing.err() ==
        "error[version-file]: there is no version.json\n"
        "   = give --override-base-version, or --root with the folder of ROCm's sources\n");
  const Call broken({"version", "rocm", "--release-type", "release"}, "{");
  CHECK(broken.err() ==
        "error[version-file]: version.json is no JSON object\n"
        "   = expected one with the version as rocm-version\n");
  const Call given(
      {"version", "rocm", "--release-type", "release", "--override-base-version", "8"});
  CHECK(given.out().starts_with("rocm_version=8\n"));
}

TEST_CASE("version suffix gives the label and the pin") {
  const Call plain({"version", "suffix", "--rocm-version", "10.1.0"});
  CHECK(plain.out() == "version_suffix=+rocm10.1.0\nrocm_requirement===10.1.0\n");
  const Call sortable({"version", "suffix", "--rocm-version", "10.1.0", "--sortable"});
  CHECK(sortable.out() == "version_suffix=+rocmsdk.10.1.0.release\nrocm_requirement===10.1.0\n");
}

TEST_CASE("version suffix refuses what fits into no label") {
  const Call epoch({"version", "suffix", "--rocm-version", "1!7.0"});
  CHECK(epoch.status == kWrongInput);
  CHECK(epoch.err() ==
        "error[version-suffix]: 1!7.0 has no suffix\n"
        "   = a local label cannot contain an epoch\n");
  const Call both({"version", "suffix", "--rocm-version", "7.0rc1.dev2", "--sortable"});
  CHECK(both.err() ==
        "error[version-suffix]: 7.0rc1.dev2 has no sortable suffix\n"
        "   = it can contain only one of a pre-, post- and development release\n");
  const Call none({"version", "suffix", "--rocm-version", "gfx942"});
  CHECK(none.err() ==
        "error[option-value]: '--rocm-version' does not take 'gfx942'\n"
        "   = it takes a version such as 7.10.0 or 7.10.0a20251124\n");
}

TEST_CASE("wheel versions hands over what the names say") {
  const auto versions = [](const std::vector<std::string>& names, const std::string& triton = {}) {
    TestHost test;
    if (!triton.empty()) test.host.variables["TRITON_WHEEL_NAME"] = triton;
    for (const std::string& name : names) test.files.files["dist/" + name] = "";
    const int status = RunProgram(Wheelrun(), std::vector<std::string>{"wheel", "versions", "dist"},
                                  test.host, &test.host);
    return std::to_string(status) + "\n" + test.out.str() + test.err.str();
  };
  CHECK(versions({"torch-2.10.0-cp312-cp312-win_amd64.whl",
                  "torchaudio-v2.10.0.post01-cp312-cp312-win_amd64.whl",
                  "torchvision-0.25-cp312-cp312-win_amd64.whl", "notes.txt"}) ==
        "0\n"
        "torch_version=2.10.0\n"
        "torchaudio_version=2.10.0.post1\n"
        "torchvision_version=0.25\n"
        "triton_version=\n"
        "apex_version=\n");
  std::vector<std::string> five{"pytorch_triton_rocm-3.5.1-cp312-cp312-linux_x86_64.whl"};
  for (const char* project : {"torch", "torchaudio", "torchvision", "apex"}) {
    five.push_back(std::string(project) + "-2.10.0-cp312-cp312-linux_x86_64.whl");
  }
  CHECK(versions(five, "pytorch-triton-rocm").find("triton_version=3.5.1\n") != std::string::npos);
  CHECK(versions(five) ==
        "1\nerror: there is no wheel of triton: looked for triton-VERSION-....whl in dist\n");
}

}  // namespace wheelwright
