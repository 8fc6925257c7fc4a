#include "runtime/wheels/wheel/wheel_name.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

namespace wheelwright {
namespace {

std::string Described(std::string_view file) {
  const WheelNameReading reading = ReadWheelName(file);
  if (!reading.name) return reading.problem + "; " + reading.hint;
  const WheelName& name = *reading.name;
  std::string out = name.Project() + " " + name.version.ToString() + " " +
                    (name.build.empty() ? "" : "build " + name.build + " ");
  for (const WheelTag& tag : name.tags) out += tag.ToString() + " ";
  return out;
}

bool Takes(std::string_view tag, std::string_view python,
           WheelPlatform platform = WheelPlatform::kLinux) {
  const auto tags = ExpandTags(tag);
  REQUIRE(tags.size() == 1);
  return Installable(tags[0], *ParsePythonVersion(python), platform);
}

constexpr std::string_view kShape = "expected PROJECT-VERSION-PYTHON-ABI-PLATFORM.whl";

}  // namespace

TEST_CASE("Names of wheels are taken apart") {
  CHECK(Described("torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl") ==
        "torch 2.10.0+rocm7.10.0 cp312-cp312-linux_x86_64 ");
  CHECK(Described("torch-2.10.0+devrocm7.10.0.dev0_efed3c-cp313-cp313t-win_amd64.whl") ==
        "torch 2.10.0+devrocm7.10.0.dev0.efed3c cp313-cp313t-win_amd64 ");
  CHECK(Described("Amd_Torch.device-1.0-1build-py3-none-any.whl") ==
        "amd-torch-device 1.0 build 1build py3-none-any ");
  CHECK(Described("six-1.17.0-py2.py3-none-any.whl") == "six 1.17.0 py2-none-any py3-none-any ");
  CHECK(Described("x-1-cp312-abi3.none-manylinux_2_28_x86_64.manylinux2014_x86_64.whl") ==
        "x 1 cp312-abi3-manylinux2014_x86_64 cp312-abi3-manylinux_2_28_x86_64 "
        "cp312-none-manylinux2014_x86_64 cp312-none-manylinux_2_28_x86_64 ");
}

TEST_CASE("What is no name of a wheel says why") {
  const std::string shape(kShape);
  CHECK(Described("torch-2.10.0.tar.gz") == "it does not end in .whl; " + shape);
  CHECK(Described("torch-2.10.0.whl") == "it has 2 fields instead of 5 or 6; " + shape);
  CHECK(Described("a-b-1.0-1-cp312-cp312-any.whl") ==
        "it has 7 fields instead of 5 or 6; " + shape);
  CHECK(Described(std::string(300, 'a') + ".whl") == "it is longer than 255 bytes; " + shape);
  CHECK(Described("_torch-1-py3-none-any.whl") ==
        "'_torch' is no name of a project; expected letters and digits, parted by _ or .");
  CHECK(Described("torch-gfx942-py3-none-any.whl") ==
        "'gfx942' is no version; expected one such as 2.10.0 or 2.10.0a20260811+rocm7.10.0");
  CHECK(Described("torch-2.10.0+rocm7.dev0-efed3c-cp312-cp312-linux_x86_64.whl") ==
        "'efed3c' is no build number; expected one that starts with a digit; in a version, write "
        "_ for -");
  CHECK(Described("torch-1-cp312--any.whl") ==
        "'cp312--any' is no tag; expected one such as cp312-cp312-linux_x86_64");
  CHECK(Described("torch-1-cp3..12-none-any.whl") ==
        "'cp3..12-none-any' is no tag; expected one such as cp312-cp312-linux_x86_64");
}

TEST_CASE("Names of projects have one normal form") {
  for (const std::string_view name :
       {"Friendly-Bard", "friendly.bard", "FRIENDLY__bard", "friendly-._bard"}) {
    CHECK(NormalizeProject(name) == "friendly-bard");
    CHECK(EscapeProject(name) == "friendly_bard");
  }
}

TEST_CASE("Interpreters take wheels for them and for the stable ABI before them") {
  CHECK(Takes("cp312-cp312-linux_x86_64", "3.12"));
  CHECK_FALSE(Takes("cp311-cp311-linux_x86_64", "3.12"));
  CHECK_FALSE(Takes("cp313-cp313-linux_x86_64", "3.12"));
  CHECK(Takes("cp313-cp313t-linux_x86_64", "3.13t"));
  CHECK_FALSE(Takes("cp313-cp313t-linux_x86_64", "3.13"));
  CHECK_FALSE(Takes("cp313-cp313-linux_x86_64", "3.13t"));
  // What the hand-written scripts called it.
  CHECK_FALSE(Takes("cp313t-cp313t-linux_x86_64", "3.13t"));
  CHECK(Takes("cp38-abi3-linux_x86_64", "3.12"));
  CHECK(Takes("cp312-abi3-linux_x86_64", "3.12"));
  CHECK_FALSE(Takes("cp313-abi3-linux_x86_64", "3.12"));
  CHECK_FALSE(Takes("cp38-abi3-linux_x86_64", "3.13t"));
  CHECK(Takes("py3-none-any", "3.12"));
  CHECK(Takes("py3-none-any", "3.13t"));
  CHECK(Takes("py38-none-any", "3.12"));
  CHECK_FALSE(Takes("py313-none-any", "3.12"));
  CHECK_FALSE(Takes("py2-none-any", "3.12"));
  CHECK(Takes("cp312-none-linux_x86_64", "3.12"));
  CHECK_FALSE(Takes("py3-cp312-any", "3.12"));
  CHECK_FALSE(Takes("pp310-pypy310_pp73-linux_x86_64", "3.10"));
}

TEST_CASE("Platforms take wheels for them") {
  CHECK(Takes("py3-none-manylinux_2_28_x86_64", "3.12"));
  CHECK(Takes("py3-none-manylinux2014_x86_64", "3.12"));
  CHECK_FALSE(Takes("py3-none-manylinux_2_28_aarch64", "3.12"));
  CHECK_FALSE(Takes("py3-none-musllinux_1_2_x86_64", "3.12"));
  CHECK_FALSE(Takes("py3-none-win_amd64", "3.12"));
  CHECK(Takes("py3-none-win_amd64", "3.12", WheelPlatform::kWindows));
  CHECK_FALSE(Takes("py3-none-win32", "3.12", WheelPlatform::kWindows));
  CHECK_FALSE(Takes("py3-none-linux_x86_64", "3.12", WheelPlatform::kWindows));
  CHECK(Takes("py3-none-any", "3.12", WheelPlatform::kWindows));
}

TEST_CASE("Platforms promise versions of glibc") {
  const auto minor = [](std::string_view platform) {
    const auto promise = GlibcPromiseOf(platform);
    return promise ? static_cast<int>(promise->minor) : -1;
  };
  CHECK(minor("manylinux_2_28_x86_64") == 28);
  CHECK(minor("manylinux1_x86_64") == 5);
  CHECK(minor("manylinux2010_x86_64") == 12);
  CHECK(minor("manylinux2014_aarch64") == 17);
  CHECK(minor("linux_x86_64") == -1);
  CHECK(minor("manylinux_2_x86") == -1);
  CHECK(minor("any") == -1);
}

}  // namespace wheelwright
