#include "runtime/wheels/version/requirement.h"

#include <catch2/catch.hpp>

using namespace wheelwright;

namespace {

std::optional<bool> On(std::string_view python, bool windows, std::string_view marker) {
  return MarkerHolds(marker, {*ParsePythonVersion(python), windows});
}

}  // namespace

TEST_CASE("requirements are read as installers read them", "[requirement]") {
  const auto read = ReadRequirement(R"(rocm[libraries, devel] ==7.12.0a1 ; os_name == "nt")");
  REQUIRE(read);
  CHECK(read->name == "rocm");
  CHECK(read->extras == std::vector<std::string>{"libraries", "devel"});
  CHECK(read->versions.exact->ToString() == "7.12.0a1");
  CHECK(read->marker == R"(os_name == "nt")");
  CHECK(read->text == "rocm[libraries, devel] ==7.12.0a1");

  CHECK(ReadRequirement("numpy")->versions.clauses.empty());
  CHECK(ReadRequirement("typing-extensions>=4.10.0")->versions.clauses.size() == 1);
  CHECK(ReadRequirement("sympy (>=1.13.3,<2)")->versions.clauses.size() == 2);
  CHECK(ReadRequirement("a @ https://example.org/a;b.whl ; extra == 'x'")->url ==
        "https://example.org/a;b.whl");
}

TEST_CASE("text that is no requirement", "[requirement]") {
  for (const std::string_view text :
       {"", " ", "==1", "a[b", "a 1.0", "a ===1", "a >=", "a >=x", "(a)"}) {
    INFO(text);
    CHECK_FALSE(ReadRequirement(text));
  }
}

TEST_CASE("markers are compared with the interpreter", "[requirement]") {
  CHECK(On("3.12", false, "") == true);
  CHECK(On("3.12", false, "platform_system == 'Linux' and platform_machine == \"x86_64\"") == true);
  CHECK(On("3.12", true, "platform_system == 'Linux'") == false);
  CHECK(On("3.9", false, "python_version < '3.10'") == true);  // as versions, not as texts
  CHECK(On("3.12", false, "python_version < '3.10' or sys_platform in 'linux darwin'") == true);
  CHECK(On("3.12", false, "'3.11' <= python_version") == true);
  CHECK(On("3.12", false, "(os_name == 'nt' or python_version == '3.12') and not_known == '1'") ==
        std::nullopt);
  CHECK(On("3.12", false, "os_name == 'nt' and platform_release == '5'") == false);
  CHECK(On("3.12", false, "sys_platform not in 'win32'") == true);
  CHECK(On("3.12", false, "python_version ~= '3.10'") == true);
  CHECK(On("3.12", false, "extra == 'dev'") == false);
}

TEST_CASE("markers that cannot be read", "[requirement]") {
  for (const std::string& text :
       {std::string("os_name"), std::string("os_name == "), std::string("os_name == 'nt"),
        std::string("(os_name == 'nt'"), std::string("os_name = 'nt'"), std::string("os_name 'nt'"),
        std::string("os_name == 'nt' os_name == 'nt'"), std::string("not os_name"),
        std::string(100'000, '(')}) {
    INFO(text.substr(0, 40));
    CHECK(On("3.12", false, text) == std::nullopt);
  }
}
