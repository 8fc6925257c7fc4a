#include "runtime/wheels/wheel/wheel_check.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/wheel/wheel_report.h"
#include "tests/unit/wheel_builder.h"
#include "tests/unit/wheel_libraries.h"

namespace wheelwright {
namespace {

const std::string kPython = "import torch\n";

// Large enough, and without a fault.
TestWheel Good() {
  TestWheel wheel;
  std::string noise;
  for (std::uint32_t i = 0, x = 1; i < 30'000; ++i, x = x * 1664525 + 1013904223) {
    noise += LittleEndian(x, 4);
  }
  wheel.files = {{"torch/__init__.py", kPython}, {"torch/lib/libtorch.so", MadeElf(noise)}};
  wheel.MakeRecord();
  return wheel;
}

struct NamedWheel {
  std::string file;
  std::string bytes;
};

NamedWheel MadeFrom(const TestWheel& wheel) { return {wheel.file, Packed(wheel.Zip())}; }

WheelExpectations Expected(std::string_view python = "3.12") {
  return {.platform = WheelPlatform::kLinux,
          .python = *ParsePythonVersion(python),
          .versions = {},
          .complete = false};
}

WheelCheckReport Run(std::vector<NamedWheel> made, const WheelExpectations& expected,
                     SourceManager& sources) {
  std::vector<WheelFile> files;
  for (NamedWheel& one : made) {
    files.push_back({"dist/" + one.file, std::make_unique<OwnedSource>(std::move(one.bytes)), {}});
  }
  return CheckWheels(std::move(files), expected, 2, sources);
}

std::string Findings(std::vector<NamedWheel> made, const WheelExpectations& expected) {
  SourceManager sources;
  const WheelCheckReport report = Run(std::move(made), expected, sources);
  return WheelFindingsText(report, sources, ReportFormat::kText, false);
}

std::string Findings(const TestWheel& wheel, const WheelExpectations& expected = Expected()) {
  return Findings(std::vector<NamedWheel>{MadeFrom(wheel)}, expected);
}

// What is said of a wheel after its files were changed and its RECORD was made again.
std::string FindingsAfter(auto change) {
  TestWheel wheel = Good();
  change(wheel);
  wheel.MakeRecord();
  return Findings(wheel);
}

std::string In(std::string_view file = "torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl") {
  return "   = in " + std::string(file) + "\n";
}

}  // namespace

TEST_CASE("A good wheel is good") {
  CHECK(Findings(Good()).empty());
  SourceManager sources;
  const auto report = Run({MadeFrom(Good())}, Expected(), sources);
  CHECK(report.good());
  CHECK(WheelVerdict(report) == "1 wheel: good");
  REQUIRE(report.wheels.size() == 1);
  CHECK(report.wheels[0].project == "torch");
  CHECK(report.wheels[0].version == "2.10.0+rocm7.10.0");
  CHECK(report.wheels[0].files == 6);
  CHECK(WheelSummary(report, sources)
            .starts_with("### 1 wheel: good\n"
                         "\n"
                         "| wheel | version | tag | needs | size | unpacked | files | verdict |\n"
                         "| --- | --- | --- | --- | ---: | ---: | ---: | --- |\n"
                         "| torch | 2.10.0+rocm7.10.0 | cp312-cp312-linux_x86_64 | linux | "));
}

TEST_CASE("Tags are those of the run") {
  CHECK(Findings(Good(), Expected("3.13t")) ==
        "error[wheel-tag]: the tag cp312-cp312-linux_x86_64 is not for Python 3.13t on Linux\n"
        "   = expected cp313-cp313t-linux_x86_64 or one that it takes too\n" +
            In());
  WheelExpectations expected = Expected();
  expected.platform = WheelPlatform::kWindows;
  CHECK(Findings(Good(), expected) ==
        "error[wheel-tag]: the tag cp312-cp312-linux_x86_64 is not for Python 3.12 on Windows\n"
        "   = expected cp312-cp312-win_amd64 or one that it takes too\n" +
            In() +
            "\nerror[wheel-library]: 'torch/lib/libtorch.so' is for Linux on x86-64\n"
            "   = expected one for Windows on x86-64\n" +
            In());
  const std::string file = "torch-2.10.0+rocm7.10.0-py3-none-any.whl";
  const std::string found = FindingsAfter([&](TestWheel& wheel) {
    wheel.file = file;
    wheel.wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
  });
  CHECK(found ==
        "error[wheel-format]: it calls itself pure Python but holds 'torch/lib/libtorch.so'\n"
        "  --> " +
            file +
            "/torch-2.10.0+rocm7.10.0.dist-info/WHEEL:2:18\n"
            "   |\n"
            " 2 | Root-Is-Purelib: true\n"
            "   |                  ^^^^ expected false\n" +
            In(file) +
            "\nerror[wheel-tag]: its tag is for any platform, but it holds "
            "'torch/lib/libtorch.so'\n"
            "   = expected a tag that names the platform\n" +
            In(file));
}

TEST_CASE("Names have to be those of wheels") {
  TestWheel wheel = Good();
  wheel.file = "torch-latest.whl";
  CHECK(Findings(wheel) ==
        "error[wheel-name]: 'torch-latest.whl' is no name of a wheel: it has 2 fields instead of 5 "
        "or 6\n"
        "   = expected PROJECT-VERSION-PYTHON-ABI-PLATFORM.whl\n" +
            In("torch-latest.whl"));
}

TEST_CASE("What cannot be opened is an error") {
  SourceManager sources;
  std::vector<WheelFile> files;
  files.push_back({"dist/six-1.0-py3-none-any.whl", nullptr, "Permission denied"});
  const auto report = CheckWheels(std::move(files), Expected(), 1, sources);
  CHECK(WheelFindingsText(report, sources, ReportFormat::kText, false) ==
        "error[wheel-unreadable]: it cannot be opened: Permission denied\n" +
            In("six-1.0-py3-none-any.whl"));
}

TEST_CASE("Versions are those that were resolved") {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add(
      "<--versions>", R"({"torch": "2.9.1+rocm7.10.0", "Torch_Audio": "2.9.1", "apex": ""})");
  WheelExpectations expected = Expected();
  expected.versions = ReadResolvedVersions(sources, file, diagnostics);
  CHECK(diagnostics.empty());
  const auto report = Run({MadeFrom(Good()), {"six-1.0-py3-none-any.whl", "x"}}, expected, sources);
  CHECK(WheelFindingsText(report, sources, ReportFormat::kText, false) ==
        "error[missing-wheel]: there is no wheel of torch-audio, which was resolved to 2.9.1\n"
        "  --> <--versions>:1:46\n"
        "   |\n"
        R"( 1 | {"torch": "2.9.1+rocm7.10.0", "Torch_Audio": "2.9.1", "apex": ""})"
        "\n"
        "   |                                              ^^^^^^^ resolved here\n"
        "\n"
        "error[wheel-version]: torch is 2.10.0+rocm7.10.0, but 2.9.1+rocm7.10.0 was resolved\n"
        "  --> <--versions>:1:11\n"
        "   |\n"
        R"( 1 | {"torch": "2.9.1+rocm7.10.0", "Torch_Audio": "2.9.1", "apex": ""})"
        "\n"
        "   |           ^^^^^^^^^^^^^^^^^^ resolved here\n" +
            In() + "\nerror[surplus-wheel]: no version of six was resolved\n" +
            In("six-1.0-py3-none-any.whl") +
            "\nerror[zip-broken]: it is no zip archive: it is too short\n" +
            In("six-1.0-py3-none-any.whl"));
  CHECK(WheelVerdict(report) == "2 wheels: 4 errors");
  CHECK_FALSE(report.good());
}

TEST_CASE("Versions that make no sense are refused") {
  const auto refused = [](std::string text) {
    SourceManager sources;
    Diagnostics diagnostics;
    CHECK_FALSE(
        ReadResolvedVersions(sources, sources.Add("<--versions>", std::move(text)), diagnostics));
    return Render(diagnostics, sources, ReportFormat::kText, false);
  };
  CHECK(refused(R"({"torch": )") ==
        "error[resolved-versions]: the versions are no JSON\n"
        "  --> <--versions>:1:11\n"
        "   |\n"
        R"( 1 | {"torch": )"
        "\n"
        "   |           ^ it is invalid from here on\n");
  CHECK(refused("[1]") ==
        "error[resolved-versions]: the versions are no JSON object\n"
        "  --> <--versions>:1:1\n"
        "   |\n"
        " 1 | [1]\n"
        "   | ^^^ expected {\"torch\": \"2.10.0\"}\n");
  CHECK(refused(R"({"torch": "new"})") ==
        "error[resolved-versions]: the version of 'torch' is none\n"
        "  --> <--versions>:1:11\n"
        "   |\n"
        R"( 1 | {"torch": "new"})"
        "\n"
        "   |           ^^^^^ expected one such as \"2.10.0+rocm7.10.0\"\n");
}

TEST_CASE("Wheels that should be there are missed") {
  WheelExpectations expected = Expected();
  expected.complete = true;
  const std::string nothing =
      "error[missing-wheel]: there is no wheel at all\n"
      "   = did the build end early, or write them to another folder?\n";
  CHECK(Findings(std::vector<NamedWheel>{}, expected) == nothing);
  expected.complete = false;
  CHECK(Findings(std::vector<NamedWheel>{}, expected) == nothing);
  expected.complete = true;
  const std::string missing =
      "error[missing-wheel]: there is no wheel of torchaudio\n\n"
      "error[missing-wheel]: there is no wheel of torchvision\n";
  CHECK(Findings(Good(), expected) == missing +
                                          "\nwarning[missing-wheel]: there is no wheel of triton\n"
                                          "\nwarning[missing-wheel]: there is no wheel of apex\n");
  expected.platform = {};
  CHECK(Findings(Good(), expected) == missing);
}

TEST_CASE("Two wheels of one project are one too many") {
  TestWheel other = Good();
  other.file = "Torch-2.10.0+rocm7.10.0-cp311-cp311-linux_x86_64.whl";
  const std::string found = Findings({MadeFrom(Good()), MadeFrom(other)}, Expected());
  CHECK(found.starts_with(
      "error[surplus-wheel]: there are 2 wheels of torch\n   = "
      "torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl and "
      "Torch-2.10.0+rocm7.10.0-cp311-cp311-linux_x86_64.whl: it is unclear which one was built\n"));
}

TEST_CASE("Wheels of one build fit together") {
  TestWheel torch = Good();
  TestWheel triton = Good();
  triton.file = "triton-3.5.0+rocm7-cp312-cp312-linux_x86_64.whl";
  triton.dist_info = "triton-3.5.0+rocm7.dist-info";
  triton.metadata = "Metadata-Version: 2.1\nName: triton\nVersion: 3.5.0+rocm7\n";
  triton.MakeRecord();
  const auto with = [&](std::string_view requirement) {
    torch.metadata =
        "Metadata-Version: 2.1\nName: torch\nVersion: 2.10.0+rocm7.10.0\n"
        "Requires-Dist: " +
        std::string(requirement) + "\n";
    torch.MakeRecord();
    return Findings({MadeFrom(torch), MadeFrom(triton)}, Expected());
  };
  CHECK(
      with("triton==3.5.1; platform_system == 'Linux'") ==
      "error[wheel-requirement]: it needs triton 3.5.1, but 3.5.0+rocm7 lies beside it\n"
      "  --> torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl/"
      "torch-2.10.0+rocm7.10.0.dist-info/METADATA:4:16\n"
      "   |\n"
      " 4 | Requires-Dist: triton==3.5.1; platform_system == 'Linux'\n"
      "   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no installer can take both\n" +
          In());
  CHECK_FALSE(with("Triton (==3.5.0+rocm6)").empty());
  CHECK_FALSE(with("triton[x] == 3.6").empty());
  for (const std::string_view good :
       {"triton==3.5.0", "triton==3.5", "triton (== 3.5.0+rocm7)", "triton>=4", "triton==4.*",
        "triton===4", "triton", "numpy==1"}) {
    INFO(good);
    CHECK(with(good).empty());
  }
  CHECK(
      with("triton==4; extra == 'x'")
          .starts_with("warning[wheel-metadata]: a requirement is for the extra 'x', which it does "
                       "not provide\n"));
  for (const std::string_view bad : {"", "==", "[", "triton==(", "triton[a b]"}) {
    INFO(bad);
    CHECK(with(bad).starts_with("error[wheel-metadata]: Requires-Dist '" + std::string(bad) +
                                "' is no requirement\n"));
  }
}

TEST_CASE("On Windows, names differ in more than case") {
  TestWheel wheel = Good();
  wheel.files = {{"torch/A.py", "x"}, {"torch/a.py", "y"}};
  wheel.MakeRecord();
  WheelExpectations expected = Expected();
  expected.platform = WheelPlatform::kWindows;
  expected.python = {};
  CHECK(
      Findings(wheel, expected)
          .find("error[zip-duplicate]: 'torch/A.py' and 'torch/a.py' are one file on Windows\n") !=
      std::string::npos);
  expected.platform = WheelPlatform::kLinux;
  CHECK(Findings(wheel, expected).find("zip-duplicate") == std::string::npos);
}

TEST_CASE("A wheel built from nothing is too small") {
  const std::string found = FindingsAfter([](TestWheel& wheel) { wheel.files.clear(); });
  CHECK(found.starts_with("error[wheel-size]: it has "));
  CHECK(found.find(" bytes, and no wheel of torch is that small\n"
                   "   = expected 102,400 or more\n") != std::string::npos);
}

TEST_CASE("Faults of the archive are told with the wheel") {
  TestWheel wheel = Good();
  TestZip zip = wheel.Zip();
  zip.behind = "junk";
  zip.entries[0].name = zip.entries[0].local_name = "../evil.py";
  zip.entries[1].crc = zip.entries[1].local_crc = 1;
  const std::string found = Findings({{wheel.file, Packed(zip)}}, Expected());
  CHECK(found.starts_with(
      "error[zip-stray-bytes]: 4 bytes stand behind the end of the archive\n" + In() +
      "\nerror[zip-name]: '../evil.py' is no safe name: it has a part '..'\n" + In() +
      "\nerror[zip-contents]: 'torch/lib/libtorch.so' cannot be "
      "unpacked: its CRC-32 is "));
}

// Each of these codes is looked at more closely where the archive is read.
TEST_CASE("Each fault of an archive has its code") {
  const auto with = [](auto change) {
    TestZip zip = Good().Zip();
    change(zip);
    const std::string found = Findings({{Good().file, Packed(zip)}}, Expected());
    return found.substr(0, found.find('\n'));
  };
  CHECK(with([](TestZip& zip) { zip.entries[0].local_name = "torch/__init__.pyc"; }) ==
        "error[zip-mismatch]: 'torch/__init__.py': the directory and the entry's own header differ "
        "in the name");
  CHECK(with([](TestZip& zip) { zip.entries[0].mode = 0120777; }) ==
        "error[zip-link]: 'torch/__init__.py' is a symbolic link");
  CHECK(with([](TestZip& zip) { zip.entries[0].method = zip.entries[0].local_method = 12; }) ==
        "error[zip-method]: 'torch/__init__.py' is packed by method 12");
  CHECK(
      with([](TestZip& zip) { zip.entries[0].size = zip.entries[0].local_size = 1 << 30; }) ==
      "error[zip-size]: 'torch/__init__.py' declares 1,073,741,824 bytes, more than its 15 packed "
      "bytes can hold");
  CHECK(with([](TestZip& zip) { zip.entries.push_back(zip.entries[0]); }) ==
        "error[zip-duplicate]: 'torch/__init__.py' is there twice");
  CHECK(with([](TestZip& zip) { zip.entries[1].header = 0; }).starts_with("error[zip-mismatch]: "));
  CHECK(
      with([](TestZip& zip) {
        TestEntry& last = zip.entries.back();
        last = TestEntry(last.name, "x", false);
        last.size = last.local_size = last.packed = last.local_packed = 1000;
      }) ==
      "error[zip-overlap]: 'torch-2.10.0+rocm7.10.0.dist-info/RECORD' reaches into the directory");
}

TEST_CASE("A wheel has one folder that describes it") {
  CHECK(FindingsAfter([](TestWheel& wheel) { wheel.dist_info = "torch-2.10.0.dist-info"; }) ==
        "error[wheel-dist-info]: the folder 'torch-2.10.0.dist-info' is not of this wheel\n"
        "   = expected torch-2.10.0+rocm7.10.0.dist-info\n" +
            In());
  CHECK(FindingsAfter([](TestWheel& wheel) {
          wheel.files.emplace_back("zip-1.0.dist-info/METADATA", "x");
        }) ==
        "error[wheel-dist-info]: it has 2 .dist-info folders: torch-2.10.0+rocm7.10.0.dist-info "
        "and zip-1.0.dist-info\n"
        "   = installers refuse it\n" +
            In());
  const TestWheel wheel = Good();
  TestZip zip;
  zip.entries = {wheel.Zip().entries[0], wheel.Zip().entries[1]};
  CHECK(Findings({{wheel.file, Packed(zip)}}, Expected()) ==
        "error[wheel-dist-info]: it has no .dist-info folder\n"
        "   = installers refuse it\n" +
            In());
  zip = wheel.Zip();
  zip.entries.erase(zip.entries.begin() + 3);  // WHEEL
  const std::string found = Findings({{wheel.file, Packed(zip)}}, Expected());
  CHECK(found.starts_with("error[wheel-dist-info]: it has no WHEEL\n" + In()));
}

TEST_CASE("METADATA says what the name says") {
  const std::string at =
      "torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl/torch-2.10.0+rocm7.10.0.dist-info/"
      "METADATA";
  CHECK(FindingsAfter([](TestWheel& wheel) {
          wheel.metadata = "Metadata-Version: 2.1\nName: pytorch\nVersion: 2.10.0\n";
        }) == "error[wheel-metadata]: its METADATA is of 'pytorch', its name of 'torch'\n  --> " +
                  at +
                  ":2:7\n"
                  "   |\n"
                  " 2 | Name: pytorch\n"
                  "   |       ^^^^^^^\n" +
                  In() +
                  "\nerror[wheel-metadata]: its METADATA says version 2.10.0, its name "
                  "2.10.0+rocm7.10.0\n  --> " +
                  at +
                  ":3:10\n"
                  "   |\n"
                  " 3 | Version: 2.10.0\n"
                  "   |          ^^^^^^\n" +
                  In());
  CHECK(FindingsAfter([](TestWheel& wheel) { wheel.metadata = "Name: torch\nName: x\nnonsense\n"; })
            .starts_with("error[wheel-metadata]: a line is no header\n  --> " + at +
                         ":3:1\n"
                         "   |\n"
                         " 3 | nonsense\n"
                         "   | ^^^^^^^^ expected NAME: VALUE\n" +
                         In() + "\nerror[wheel-metadata]: its METADATA has no Metadata-Version\n" +
                         In() + "\nerror[wheel-metadata]: its METADATA has Name 2 times\n"));
  // Other spellings of the same.
  CHECK(FindingsAfter([](TestWheel& wheel) {
          wheel.metadata = "metadata-version: 2.1\nname: Torch\nversion: v2.10.0+ROCm7-10.0\n";
        }).empty());
}

TEST_CASE("WHEEL says what the name says") {
  const std::string at =
      "  --> torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl/"
      "torch-2.10.0+rocm7.10.0.dist-info/WHEEL";
  CHECK(FindingsAfter([](TestWheel& wheel) {
          wheel.wheel =
              "Wheel-Version: 2.0\nRoot-Is-Purelib: maybe\nTag: cp311-cp311-linux_x86_64\nBuild: "
              "7\n";
        }) ==
        "error[wheel-format]: installers do not know wheels of version '2.0'\n" + at +
            ":1:16\n"
            "   |\n"
            " 1 | Wheel-Version: 2.0\n"
            "   |                ^^^ expected 1.0\n" +
            In() + "\nerror[wheel-format]: Root-Is-Purelib is 'maybe'\n" + at +
            ":2:18\n"
            "   |\n"
            " 2 | Root-Is-Purelib: maybe\n"
            "   |                  ^^^^^ expected true or false\n" +
            In() + "\nerror[wheel-format]: its WHEEL says build '7', its name ''\n" + at +
            ":4:8\n"
            "   |\n"
            " 4 | Build: 7\n"
            "   |        ^\n" +
            In() +
            "\nerror[wheel-format]: its WHEEL is for cp311-cp311-linux_x86_64, which its name "
            "does not say\n" +
            at +
            ":3:6\n"
            "   |\n"
            " 3 | Tag: cp311-cp311-linux_x86_64\n"
            "   |      ^^^^^^^^^^^^^^^^^^^^^^^^ the name says cp312-cp312-linux_x86_64\n" +
            In() +
            "\nerror[wheel-format]: its name is for cp312-cp312-linux_x86_64, which its WHEEL "
            "does not say\n" +
            In());
}

TEST_CASE("RECORD lists what is there, as it is") {
  TestWheel wheel = Good();
  const std::string at = "  --> " + wheel.file + "/" + wheel.dist_info + "/RECORD";
  const std::string sum = Base64Url(Sha256(kPython));
  const std::string good_row = "torch/__init__.py,sha256=" + sum + ",13\n";
  REQUIRE(wheel.record.starts_with(good_row));
  const std::string rest = wheel.record.substr(good_row.size());
  const auto with = [&](const std::string& row) {
    TestWheel other = wheel;
    other.record = row + rest;
    return Findings(other);
  };
  CHECK(with("\"torch/__init__.py\",sha256=" + sum + "=,13\r\n").empty());
  CHECK(with("") ==
        "error[record-missing]: RECORD does not list 'torch/__init__.py'\n"
        "   = installers leave such files, and whoever put them there, unchecked\n" +
            In());
  CHECK(with("torch/__init__.py,sha256=AAAA,12\n") ==
        "error[record-size]: 'torch/__init__.py' has another size than RECORD says\n" + at +
            ":1:31\n"
            "   |\n"
            " 1 | torch/__init__.py,sha256=AAAA,12\n"
            "   |                               ^^ it has 13\n" +
            In() + "\nerror[record-hash]: 'torch/__init__.py' is not the file that RECORD lists\n" +
            at +
            ":1:19\n"
            "   |\n"
            " 1 | torch/__init__.py,sha256=AAAA,12\n"
            "   |                   ^^^^^^^^^^^ it has sha256=" +
            sum + "\n" + In());
  CHECK(with(good_row + "torch/gone.py,sha256=AAAA,1\n") ==
        "error[record-surplus]: RECORD lists 'torch/gone.py', which is not in the wheel\n" + at +
            ":2:1\n"
            "   |\n"
            " 2 | torch/gone.py,sha256=AAAA,1\n"
            "   | ^^^^^^^^^^^^^\n" +
            In());
  CHECK(with("torch/__init__.py,md5=AAAA,13\n") ==
        "error[record-row]: the sum of 'torch/__init__.py' is by 'md5', which is too weak or not "
        "known\n" +
            at +
            ":1:19\n"
            "   |\n"
            " 1 | torch/__init__.py,md5=AAAA,13\n"
            "   |                   ^^^^^^^^ expected sha256, sha384 or sha512\n" +
            In());
  CHECK(with("torch/__init__.py,,\n")
            .starts_with("error[record-row]: the row of "
                         "'torch/__init__.py' has no sum\n"));
  CHECK(with("torch/__init__.py,sha256=" + sum + ",\n")
            .starts_with("error[record-row]: the row of 'torch/__init__.py' has no size\n"));
  CHECK(with("torch/__init__.py\n")
            .starts_with("error[record-row]: a row of RECORD cannot be read: it has not three "
                         "fields\n"));
  CHECK(with("\"torch/__init__.py,,\n")
            .starts_with("error[record-row]: a row of RECORD cannot be read: a quote is never "
                         "closed\n"));
  CHECK(with("torch/__init__.py,sha256,13\n")
            .starts_with("error[record-row]: a row of RECORD cannot be read: its sum is not "
                         "ALGORITHM=SUM\n"));
  for (const char* size : {"1x", "-1", "18446744073709551616"}) {
    CHECK(with("torch/__init__.py,sha256=" + sum + "," + size + "\n")
              .starts_with("error[record-row]: a row of RECORD cannot be read: its size is no "
                           "number\n"));
  }
  CHECK(with(good_row + good_row) == "error[record-row]: RECORD lists 'torch/__init__.py' twice\n" +
                                         at +
                                         ":2:1\n"
                                         "   |\n"
                                         " 2 | " +
                                         good_row +
                                         "   | ^^^^^^^^^^^^^^^^^\n"
                                         "  ::: " +
                                         at.substr(6) +
                                         ":1:1\n"
                                         "   |\n"
                                         " 1 | " +
                                         good_row + "   | ^^^^^^^^^^^^^^^^^ first here\n" + In());
  CHECK(with(good_row + wheel.dist_info + "/RECORD,sha256=AAAA,1\n")
            .find("RECORD cannot list its own sum") != std::string::npos);
}

TEST_CASE("Of many faults of a kind, some are told and the rest counted") {
  TestWheel wheel = Good();
  for (int i = 0; i < 30; ++i) wheel.files.emplace_back("extra/" + std::to_string(i), "x");
  const std::string found = Findings(wheel);
  std::size_t count = 0;
  for (std::size_t at = found.find("error["); at != std::string::npos;
       at = found.find("error[", at + 1)) {
    ++count;
  }
  CHECK(count == 20);
  CHECK(found.ends_with("   = and 10 more of this kind\n" + In()));
}

TEST_CASE("Shared objects are for the machine") {
  const auto with = [](std::string_view name, const std::string& bytes) {
    return FindingsAfter([&](TestWheel& wheel) { wheel.files.emplace_back(name, bytes); });
  };
  const std::string hint = "   = expected one for Linux on x86-64\n" + In();
  CHECK(with("torch/libx.so.1", MadeElf("")).empty());
  CHECK(with("torch/libx.so", MadeElf("", 183)) ==
        "error[wheel-library]: 'torch/libx.so' is for Linux on AArch64\n" + hint);
  CHECK(with("torch/libx.so", MadeElf("", 3, 32)) ==
        "error[wheel-library]: 'torch/libx.so' is for Linux on 32-bit x86\n" + hint);
  CHECK(with("torch/libx.so", "") ==
        "error[wheel-library]: 'torch/libx.so' is no shared object: it is empty\n" + hint);
  CHECK(with("torch/libx.so", "text") ==
        "error[wheel-library]: 'torch/libx.so' is no shared object\n" + hint);
  CHECK(with("torch/libx.so", MadeElf("").substr(0, 20)) ==
        "error[wheel-library]: 'torch/libx.so' is no shared object\n" + hint);
  CHECK(with("torch/x.dll", MadePe(0x8664)) ==
        "error[wheel-library]: 'torch/x.dll' is for Windows on x86-64\n" + hint);
  // Code for the GPU, and programs for others, are data.
  CHECK(with("torch/kernels.hsaco", MadeElf("", 224)).empty());
  CHECK(with("torch/launcher.exe", MadePe(0xAA64)).empty());
}

TEST_CASE("Shared objects for Windows are for the machine") {
  TestWheel wheel = Good();
  wheel.file = "triton-3.5.0-cp312-cp312-win_amd64.whl";
  wheel.dist_info = "triton-3.5.0.dist-info";
  wheel.metadata = "Metadata-Version: 2.1\nName: triton\nVersion: 3.5.0\n";
  wheel.wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-win_amd64\n";
  wheel.files = {{"triton/a.dll", MadePe(0x8664)}};
  wheel.MakeRecord();
  WheelExpectations expected = Expected();
  expected.platform = WheelPlatform::kWindows;
  CHECK(Findings(wheel, expected).empty());
  wheel.files.emplace_back("triton/b.pyd", MadePe(0xAA64));
  wheel.files.emplace_back("triton/c.dll", "MZ");
  wheel.MakeRecord();
  CHECK(Findings(wheel, expected) ==
        "error[wheel-library]: 'triton/b.pyd' is for Windows on AArch64\n"
        "   = expected one for Windows on x86-64\n" +
            In(wheel.file) +
            "\nerror[wheel-library]: 'triton/c.dll' is no shared object\n"
            "   = expected one for Windows on x86-64\n" +
            In(wheel.file));
}

TEST_CASE("Tags that promise a glibc keep their promise") {
  TestWheel wheel = Good();
  const auto with = [&](std::string_view platform, const ElfVersions& versions) {
    wheel.file = "torch-2.10.0+rocm7.10.0-cp312-cp312-" + std::string(platform) + ".whl";
    wheel.wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-" +
                  std::string(platform) + "\n";
    wheel.files.resize(2);
    wheel.files.emplace_back("torch/libx.so", MadeElf(versions));
    wheel.MakeRecord();
    return Findings(wheel);
  };
  const auto in = [](std::string_view platform) {
    return In("torch-2.10.0+rocm7.10.0-cp312-cp312-" + std::string(platform) + ".whl");
  };
  const ElfVersions both{.names = {"GLIBC_2.5", "GLIBC_2.34", "GLIBC_2.17", "GLIBCXX_3.4.25"}};
  CHECK(with("linux_x86_64", both).empty());
  CHECK(with("manylinux_2_34_x86_64", both).empty());
  CHECK(with("manylinux_2_28_x86_64", both) ==
        "error[wheel-glibc]: 'torch/libx.so' needs GLIBC_2.34\n"
        "   = manylinux_2_28_x86_64 promises to run with glibc 2.28\n" +
            in("manylinux_2_28_x86_64") +
            "\nerror[wheel-glibc]: 'torch/libx.so' needs GLIBCXX_3.4.25\n"
            "   = manylinux_2_28_x86_64 promises to run with GLIBCXX_3.4.24\n" +
            in("manylinux_2_28_x86_64"));
  // Of several tags, the one that promises most counts.
  CHECK(with("manylinux_2_28_x86_64.manylinux2014_x86_64", {.names = {"GLIBC_2.18"}}) ==
        "error[wheel-glibc]: 'torch/libx.so' needs GLIBC_2.18\n"
        "   = manylinux2014_x86_64 promises to run with glibc 2.17\n" +
            in("manylinux_2_28_x86_64.manylinux2014_x86_64"));
  // Wherever the tables stand: tools such as patchelf move them.
  ElfVersions moved{.names = {"GLIBC_2.34"}, .padding = 700'000, .versions_first = true};
  CHECK(with("manylinux_2_28_x86_64", moved).starts_with("error[wheel-glibc]: "));
  moved.versions_first = false;
  CHECK(with("manylinux_2_28_x86_64", moved).starts_with("error[wheel-glibc]: "));
  moved.segments_last = true;
  CHECK(with("manylinux_2_28_x86_64", moved).starts_with("error[wheel-glibc]: "));
  CHECK(
      with("manylinux2014_x86_64", {.names = {"CXXABI_1.3.8", "CXXABI_1.3.11", "GLIBC_PRIVATE"}}) ==
      "error[wheel-glibc]: 'torch/libx.so' needs CXXABI_1.3.11\n"
      "   = manylinux2014_x86_64 promises to run with CXXABI_1.3.7\n" +
          in("manylinux2014_x86_64") +
          "\nerror[wheel-glibc]: 'torch/libx.so' needs GLIBC_PRIVATE\n"
          "   = manylinux2014_x86_64 promises to run with glibc 2.17\n" +
          in("manylinux2014_x86_64"));
  CHECK(with("manylinux1_x86_64", {.names = {"ZLIB_1.2.9"}}) ==
        "error[wheel-glibc]: 'torch/libx.so' needs ZLIB_1.2.9\n"
        "   = manylinux1_x86_64 promises to run with no version of ZLIB\n" +
            in("manylinux1_x86_64"));
  // A wheel that brings its own libstdc++ promises nothing of the system's.
  wheel.files.resize(2);
  wheel.files.emplace_back("torch.libs/libstdc++.so.6", MadeElf(""));
  wheel.files.emplace_back("torch/libx.so", MadeElf({.names = {"GLIBCXX_3.4.30"}}));
  wheel.MakeRecord();
  CHECK(Findings(wheel).empty());
}

TEST_CASE("Shared objects find what they need") {
  TestWheel wheel = Good();
  wheel.metadata =
      "Metadata-Version: 2.1\nName: torch\nVersion: 2.10.0+rocm7.10.0\n"
      "Requires-Dist: rocm[libraries]==7.10.0\n\nBody\n";
  WheelExpectations expected = Expected();
  const auto with = [&](const ElfVersions& needs, std::string_view platform = "linux_x86_64") {
    wheel.file = "torch-2.10.0+rocm7.10.0-cp312-cp312-" + std::string(platform) + ".whl";
    wheel.wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-cp312-" +
                  std::string(platform) + "\n";
    wheel.files.resize(2);
    wheel.files.emplace_back("torch/lib/libx.so", MadeElf(needs));
    wheel.MakeRecord();
    std::string found = Findings(wheel, expected);
    if (!found.empty()) found.erase(found.rfind("   = in "));
    return found;
  };
  CHECK(with({.libraries = {"libtorch.so", "libc.so.6", "libstdc++.so.6"}, .run_path = "$ORIGIN"})
            .empty());
  CHECK(with({.libraries = {"libtorch.so"}, .run_path = "${ORIGIN}/../../torch/lib"}).empty());
  CHECK(
      with({.libraries = {"libtorch.so"}, .run_path = "$ORIGIN/../bin"}) ==
      "warning[wheel-rpath]: 'torch/lib/libx.so' needs 'libtorch.so', which is in the wheel where "
      "it does not look\n"
      "   = it loads only if Python has loaded that one before: give it a RUNPATH from $ORIGIN to "
      "the folder of a file with this name\n");
  CHECK(with({.libraries = {"libamdhip64.so.7"}}) ==
        "warning[wheel-external]: 'torch/lib/libx.so' needs 'libamdhip64.so.7', which neither the "
        "wheel nor what it requires has\n"
        "   = a system may not have it: put it into the wheel, or require the package that has "
        "it\n");
  CHECK(with({.libraries = {"libfoo.so.1"}}, "manylinux_2_28_x86_64") ==
        "error[wheel-external]: 'torch/lib/libx.so' needs 'libfoo.so.1', which neither the wheel "
        "nor what it requires has\n"
        "   = manylinux_2_28_x86_64 promises to need nothing else of a system: put it into the "
        "wheel, as `auditwheel repair` does, or use the tag linux\n");
  CHECK(
      with({.libraries = {"libpython3.12.so.1.0"}})
          .starts_with("warning[wheel-external]: 'torch/lib/libx.so' needs "
                       "'libpython3.12.so.1.0', which neither the wheel nor what it requires has\n"
                       "   = not every Python has it, and none needs it for extensions"));
  CHECK(with({.libraries = {}, .run_path = "$ORIGIN:/opt/rocm/lib"}) ==
        "warning[wheel-rpath]: 'torch/lib/libx.so' looks for libraries in '/opt/rocm/lib'\n"
        "   = only the machine that built it has this folder, and elsewhere somebody else may fill "
        "it: use $ORIGIN\n");
  CHECK(with({.libraries = {}, .run_path = "lib"}) ==
        "warning[wheel-rpath]: 'torch/lib/libx.so' looks for libraries in 'lib', below the current "
        "folder\n"
        "   = whoever can write there runs code in the process: use $ORIGIN\n");
  CHECK(with({.libraries = {}, .run_path = "$ORIGIN:"})
            .starts_with("warning[wheel-rpath]: 'torch/lib/libx.so' looks for libraries in the "
                         "current folder\n"));
  CHECK(with({.libraries = {}, .run_path = "$ORIGIN/../../../lib"}) ==
        "warning[wheel-rpath]: 'torch/lib/libx.so' looks for libraries in '$ORIGIN/../../../lib', "
        "outside of the installed packages\n"
        "   = what lies there differs from system to system\n");
  CHECK(with({.libraries = {}, .executable_stack = true}) ==
        "warning[wheel-code]: 'torch/lib/libx.so' needs a stack that can be executed\n"
        "   = glibc 2.41 and newer refuse to load it: link with -z noexecstack\n");
  CHECK(with({.libraries = {}, .writable_code = true})
            .starts_with("warning[wheel-code]: 'torch/lib/libx.so' has a segment that is both "
                         "written and executed\n"));
  // What packages bring that it requires.
  const ElfVersions rocm{.libraries = {"libamdhip64.so.7"},
                         .run_path = "$ORIGIN:$ORIGIN/../../_rocm_sdk_core/lib"};
  expected.packages = {{"rocm", {"libamdhip64.so.*"}, {"_rocm_sdk_*"}}};
  CHECK(with(rocm).empty());
  CHECK(with(rocm, "manylinux_2_28_x86_64").empty());
  expected.packages = {{"triton", {"libamdhip64.so.*"}, {"_rocm_sdk_*"}}};
  CHECK(with(rocm).find("warning[wheel-external]") != std::string::npos);
  CHECK(with(rocm).find("warning[wheel-rpath]: 'torch/lib/libx.so' looks for libraries in "
                        "'_rocm_sdk_core', a folder of no package that it requires\n") !=
        std::string::npos);
}

TEST_CASE("Versions that a wheel needs of the system are told") {
  const auto needs = [](std::vector<std::string_view> names) {
    TestWheel wheel = Good();
    wheel.files.emplace_back("torch/libx.so", MadeElf({.names = std::move(names)}));
    wheel.MakeRecord();
    SourceManager sources;
    return Run({MadeFrom(wheel)}, Expected(), sources).wheels[0].needs;
  };
  CHECK(needs({"GLIBC_2.2.5"}) == "manylinux_2_5");
  CHECK(needs({"GLIBC_2.5", "GLIBC_2.28"}) == "manylinux_2_28");
  CHECK(needs({"GLIBC_2.5", "CXXABI_1.3.9"}) == "manylinux_2_24");
  CHECK(needs({"GLIBC_2.5", "GCC_7.0.0"}) == "manylinux_2_27");
  CHECK(needs({"GLIBC_2.17", "hip_4.2"}) == "manylinux_2_17");
  CHECK(needs({"GLIBC_ABI_DT_RELR"}) == "manylinux_2_36");
  CHECK(needs({"GLIBC_PRIVATE"}) == "linux");
}

TEST_CASE("Reports are there for programs too") {
  SourceManager sources;
  TestWheel wheel = Good();
  wheel.record = "";
  const auto report = Run({MadeFrom(wheel)}, Expected(), sources);
  const auto json = ParseJson(WheelJson(report, sources));
  CHECK(json["good"] == false);
  CHECK(json["wheels"][0]["project"] == "torch");
  CHECK(json["wheels"][0]["findings"][0]["code"] == "record-missing");
  CHECK(json["findings"].empty());
  CHECK(SizeText(999) == "999 B");
  CHECK(SizeText(1000) == "1.0 kB");
  CHECK(SizeText(999'950) == "1.0 MB");
  CHECK(SizeText(3'400'000'000) == "3.4 GB");
}

}  // namespace wheelwright
