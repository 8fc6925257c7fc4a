#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/version/package_version.h"
#include "runtime/wheels/version/rocm_version.h"
#include "runtime/wheels/version/version_specifier.h"
#include "runtime/wheels/version/version_suffix.h"
#include "tests/unit/said.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

PackageVersion Version(std::string_view text) {
  const auto version = ParsePackageVersion(text);
  if (!version) FAIL("no version: " << text);
  return *version;
}

// One line of tests/cases/versions/ordered.txt; `~` stands for a blank.
struct Case {
  char kind = 0;  // '<': above the one before, '=': equal to it, '!': no version
  std::string spelling;
  std::string normal;
};

std::vector<Case> Cases() {
  std::ifstream file(SourcePath("tests/cases/versions/ordered.txt"));
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t blank = line.find(' ', 2);
    Case one{line[0], line.substr(2, blank - 2),
             blank == std::string::npos ? "" : line.substr(blank + 1)};
    for (char& c : one.spelling) c = c == '~' ? ' ' : c;
    cases.push_back(std::move(one));
  }
  return cases;
}

std::string Suffix(std::string_view rocm, SuffixForm form) {
  return VersionSuffix(Version(rocm), form).value_or("none");
}

constexpr std::string_view kSha = "0123456789abcdef0123456789abcdef01234567";

RocmVersionRequest Request(std::string_view type) {
  return {.base_version = "7.10.0",
          .release_type = std::string(type),
          .git_sha = std::string(kSha),
          .date = "20251124"};
}

std::string Compute(const RocmVersionRequest& request) {
  Diagnostics diagnostics;
  const auto versions = ComputeRocmVersions(request, diagnostics);
  if (!versions) return Said(diagnostics);
  return fmt::format("{} {} {}", versions->wheel, versions->deb, versions->rpm);
}

}  // namespace

TEST_CASE("Versions are read, written and ordered as Python's installers do") {
  const std::vector<Case> cases = Cases();
  REQUIRE(cases.size() > 200);
  std::vector<std::vector<PackageVersion>> classes;
  for (const Case& one : cases) {
    INFO(one.spelling);
    const auto version = ParsePackageVersion(one.spelling);
    REQUIRE(version.has_value() == (one.kind != '!'));
    if (!version) continue;
    CHECK(version->ToString() == one.normal);
    CHECK(Version(one.normal) == *version);
    CHECK(version->Pin() == "==" + one.normal);
    if (one.kind == '<') classes.emplace_back();
    classes.back().push_back(*version);
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = 0; j < classes.size(); ++j) {
      for (const PackageVersion& a : classes[i]) {
        for (const PackageVersion& b : classes[j]) {
          if ((a <=> b) != (i <=> j)) FAIL(a.ToString() << " and " << b.ToString());
        }
      }
    }
  }
}

TEST_CASE("The public version leaves the local label out") {
  CHECK(Version("1!2.0rc1.post2.dev3+rocm7").Public() == "1!2.0rc1.post2.dev3");
}

TEST_CASE("Version suffixes of the compatible form") {
  const auto suffix = [](std::string_view rocm) { return Suffix(rocm, SuffixForm::kCompatible); };
  CHECK(suffix("7.10.0") == "+rocm7.10.0");
  CHECK(suffix("7.10.0a20251124") == "+rocm7.10.0a20251124");
  CHECK(suffix("7.10.0.dev0+EFED3C") == "+devrocm7.10.0.dev0-efed3c");
  CHECK(suffix("7.0.0-rc1") == "+rocm7.0.0rc1");
  CHECK(suffix("v7.1") == "+rocm7.1");
  CHECK(suffix("07.01.0") == "+rocm7.1.0");
  CHECK(suffix("7.1+x_y") == "+rocm7.1-x.y");
  CHECK(suffix("10.1.0a20260811+bkc.20260813") == "+rocm10.1.0a20260811-bkc.20260813");
  CHECK(suffix("1!7.0") == "none");
  // What it is kept in spite of.
  CHECK(Version("2.10.0" + suffix("10.1.0")) < Version("2.10.0" + suffix("7.10.0")));
}

TEST_CASE("Version suffixes of the sortable form") {
  const auto suffix = [](std::string_view rocm) { return Suffix(rocm, SuffixForm::kSortable); };
  CHECK(suffix("7.10.0") == "+rocmsdk.7.10.0.release");
  CHECK(suffix("7.10") == "+rocmsdk.7.10.0.release");
  CHECK(suffix("7.10.0.1") == "+rocmsdk.7.10.0.1.release");
  CHECK(suffix("7.10.0a20251124") == "+rocmsdk.7.10.0.nightly.20251124");
  CHECK(suffix("7.10.0b2") == "+rocmsdk.7.10.0.pre.2");
  CHECK(suffix("7.0.0-rc1") == "+rocmsdk.7.0.0.rc.1");
  CHECK(suffix("7.10.0.post1") == "+rocmsdk.7.10.0.update.1");
  CHECK(suffix("7.10.0.dev0+EFED3C") == "+rocmsdk.7.10.0.dev.0.efed3c");
  CHECK(suffix("10.1.0a20260811+bkc.20260813") == "+rocmsdk.10.1.0.nightly.20260811.bkc.20260813");
  CHECK(suffix("7.0a1.dev2") == "none");
  CHECK(suffix("7.0.post1.dev2") == "none");
  CHECK(suffix("7.0a1.post2") == "none");
  CHECK(suffix("1!7.0") == "none");
}

TEST_CASE("Wheels with sortable suffixes sort as the ROCm that they are built against") {
  std::vector<std::string> rocm;
  for (const std::string_view base : {"7.9.0", "7.10", "7.10.0.1", "7.10.1", "8", "10.1.0"}) {
    for (const std::string_view phase :
         {".dev0", ".dev0+abc", ".dev1", "a20251124", "a20251124+bkc.20251126", "a20251125", "b1",
          "rc1", "rc2", "rc10", "", ".post1", ".post2"}) {
      rocm.push_back(fmt::format("{}{}", base, phase));
    }
  }
  for (std::size_t i = 0; i < rocm.size(); ++i) {
    for (std::size_t j = 0; j < rocm.size(); ++j) {
      const auto a = Version("2.10.0" + Suffix(rocm[i], SuffixForm::kSortable));
      const auto b = Version("2.10.0" + Suffix(rocm[j], SuffixForm::kSortable));
      if ((a <=> b) != (i <=> j)) FAIL(rocm[i] << " and " << rocm[j]);
    }
  }
  // Whoever upgrades gets from the one form to the other, never back.
  CHECK(Version("2.10.0" + Suffix("9.9.9", SuffixForm::kCompatible)) <
        Version("2.10.0" + Suffix("7.0.dev0", SuffixForm::kSortable)));
}

TEST_CASE("Versions of ROCm packages") {
  const std::string dev =
      fmt::format("7.10.0.dev0+{} 7.10.0~dev20251124 7.10.0~20251124g01234567", kSha);
  CHECK(Compute(Request("dev")) == dev);
  CHECK(Compute(Request("ci")) == dev);
  CHECK(Compute(Request("nightly")) == "7.10.0a20251124 7.10.0~20251124 7.10.0~20251124");
  CHECK(Compute(Request("release")) == "7.10.0 7.10.0 7.10.0");

  RocmVersionRequest prerelease = Request("prerelease");
  prerelease.prerelease_version = "2";
  CHECK(Compute(prerelease) == "7.10.0rc2 7.10.0~pre2 7.10.0~rc2");

  RocmVersionRequest known = Request("nightly-bkc");
  known.base_date = "20251120";
  CHECK(Compute(known) ==
        "7.10.0a20251120+bkc.20251124 7.10.0~20251120.bkc.20251124 7.10.0~20251120.bkc.20251124");
  known.release_type = "dev-bkc";
  CHECK(Compute(known) == dev);

  RocmVersionRequest custom = Request("");
  custom.custom_suffix = ".dev0+mine";
  CHECK(Compute(custom) == "7.10.0.dev0+mine 7.10.0.dev0+mine 7.10.0.dev0+mine");
}

TEST_CASE("Requests for versions of ROCm packages that make no sense are refused") {
  RocmVersionRequest request = Request("");
  CHECK(Compute(request) ==
        "error[unknown-release-type]: the release type is missing\n"
        "   = there are ci, dev, dev-bkc, nightly, nightly-bkc, prerelease and release\n");
  CHECK(Compute(Request("nightli")) ==
        "error[unknown-release-type]: there is no release type 'nightli'\n"
        "   = did you mean 'nightly'?\n");
  CHECK(Compute(Request("prerelease")) ==
        "error[version-part]: a prerelease needs --prerelease-version\n"
        "   = expected a number\n");
  request = Request("nightly");
  request.prerelease_version = "1";
  request.date = "20250229";
  CHECK(Compute(request) ==
        "error[version-conflict]: '1' is the number of a prerelease, but the release type is "
        "another\n"
        "   = leave --prerelease-version out, or give --release-type prerelease\n"
        "\n"
        "error[version-part]: a release of type 'nightly' needs another value of the date than "
        "'20250229'\n"
        "   = expected a date such as 20260811\n");
  request = Request("nightly");
  request.custom_suffix = "x";
  CHECK(Compute(request) ==
        "error[version-conflict]: a release of type 'nightly' takes no custom suffix\n"
        "   = give --release-type or --custom-version-suffix, not both\n");
  request = Request("nightly-bkc");
  CHECK(Compute(request) ==
        "error[version-part]: a release of type 'nightly-bkc' needs release-metadata.base-date in "
        "version.json\n"
        "   = expected a date such as 20260811\n");
  request = Request("dev");
  request.git_sha = "abc";
  request.base_version = "7.10.0rc1";
  CHECK(Compute(request) ==
        "error[version-part]: every release needs another value of the base version than "
        "'7.10.0rc1'\n"
        "   = expected numbers such as 7.10.0\n"
        "\n"
        "error[version-part]: a release of type 'dev' needs another value of --override-git-sha "
        "than 'abc'\n"
        "   = expected a commit of 40 hexadecimal digits\n");
  request = Request("");
  request.custom_suffix = "+a+b";
  CHECK(Compute(request) ==
        "error[package-version]: '7.10.0+a+b' is no version of a Python package\n"
        "   = expected a suffix such as a20260811, rc1 or .dev0+abc\n");
  request.custom_suffix = "-1";
  CHECK(Compute(request) ==
        "error[package-version]: '7.10.0-1' is no version of a Debian or RPM package\n"
        "   = leave '-' out\n");
}

TEST_CASE("A version or bounds say which packages will do") {
  const auto text = [](std::string_view written) {
    const auto specifier = ParseVersionSpecifier(written);
    if (!specifier) return std::string("none");
    return (specifier->exact ? "one: " : "") + specifier->text;
  };
  CHECK(text("v7.12.0-alpha20260219") == "one: ==7.12.0a20260219");
  CHECK(text("==7.12.0.dev0+EFED3C") == "one: ==7.12.0.dev0+efed3c");
  CHECK(text(">1.0") == ">1.0");
  CHECK(text(" >= 7.10 ,< 8,!=7.11.* ") == ">=7.10,<8,!=7.11.*");
  CHECK(text("==7.11.*") == "==7.11.*");
  CHECK(text("~=7.11") == "~=7.11");
  CHECK(text(">=7,==7.11") == "one: >=7,==7.11");
  for (const char* no :
       {"", ">", "=7", "=>7", "===7", "~=7", ">=7.*", ">7+x", ">7,", ",", "7,8", "new"}) {
    INFO(no);
    CHECK(text(no) == "none");
  }
}

TEST_CASE("Bounds allow what installers would take") {
  const auto allows = [](std::string_view bounds, std::string_view version) {
    return ParseVersionSpecifier(bounds)->Allows(*ParsePackageVersion(version));
  };
  // From https://packaging.python.org/specifications/version-specifiers/
  for (const auto& [bounds, yes] :
       std::initializer_list<std::pair<const char*, const char*>>{{"2.10", "2.10.0+rocm7"},
                                                                  {"==2.10.*", "2.10.1+x"},
                                                                  {"==2.10.*", "2.10rc1"},
                                                                  {"==1.1.0+a", "1.1+A"},
                                                                  {"!=1.1.*", "1.2"},
                                                                  {"~=2.2", "2.3"},
                                                                  {"~=2.2.1", "2.2.9.post1"},
                                                                  {">=1.4", "1.4+local"},
                                                                  {"<=1.4", "1.4+local"},
                                                                  {">1.7", "1.7.1"},
                                                                  {">1.7.post2", "1.7.post3"},
                                                                  {"<3.1", "3.0.9"},
                                                                  {"<3.1rc2", "3.1rc1"},
                                                                  {">=3.9,!=3.9.7", "3.9.8"},
                                                                  {"==1!1.*", "1!1.5"}}) {
    INFO(bounds << " and " << yes);
    CHECK(allows(bounds, yes));
  }
  for (const auto& [bounds, no] :
       std::initializer_list<std::pair<const char*, const char*>>{{"2.10", "2.10.1"},
                                                                  {"==2.10.*", "2.1"},
                                                                  {"==1.1+a", "1.1"},
                                                                  {"!=1.1.*", "1.1.5"},
                                                                  {"~=2.2", "3.0"},
                                                                  {"~=2.2.1", "2.3"},
                                                                  {">1.7", "1.7.0.post1"},
                                                                  {">1.7", "1.7+local"},
                                                                  {"<3.1", "3.1rc1"},
                                                                  {"<3.1", "3.1.0.dev1"},
                                                                  {">=3.9,!=3.9.7", "3.9.7"},
                                                                  {"==1.*", "1!1.5"}}) {
    INFO(bounds << " and " << no);
    CHECK_FALSE(allows(bounds, no));
  }
  CHECK(ParseVersionSpecifier(">=3.1rc1")->names_pre());
  CHECK_FALSE(ParseVersionSpecifier(">=3.1.post1")->names_pre());
}

TEST_CASE("Dates are those of the calendar") {
  CHECK(IsDate("20240229"));
  CHECK_FALSE(IsDate("20250229"));
  CHECK_FALSE(IsDate("20251301"));
  CHECK_FALSE(IsDate("2025112"));
  CHECK_FALSE(IsDate("2025-1-1"));
}

}  // namespace wheelwright
