#include "runtime/pytorch/python/installed.h"

#include <catch2/catch.hpp>

#include "tests/unit/test_host.h"

using namespace wheelwright;

namespace {

InstalledPackages Installed(TestHost& test) {
  test.processes.answers.push_back({ScriptedProcesses::Exit(0),
                                    "python 3.12\npytest 9.0.3\nTyping_Extensions 4.15.0\n"
                                    "broken\ntorch 2.10.0+rocm7.12.0\ntorch 2.9.0\n"});
  Runner runner(test.host, false);
  return FindInstalled("/bin/python", runner);
}

}  // namespace

TEST_CASE("requirements are compared with what is installed", "[installed]") {
  TestHost test;
  const InstalledPackages there = Installed(test);
  CHECK(there.Has("typing-extensions"));
  CHECK_FALSE(there.Has("pip"));
  CHECK(there.Meet({"pytest==9.0.3", "", "# a comment", "typing.extensions>=4.10 # why"}));
  CHECK(there.Meet({"torch==2.10.*", R"(numpy==2.1.2; python_version >= "3.13")"}));
  for (const char* line :
       {"pytest==9.0.2", "pip", "torch==2.9.0", R"(numpy; python_version < "3.13")", "-r other.txt",
        "--pre", "pytest[dev]", "pytest @ https://example.org/pytest.zip", "pytest === 9.0.3",
        R"(numpy; platform_release == "1")"}) {
    INFO(line);
    CHECK_FALSE(there.Meet({line}));
  }
}

TEST_CASE("pip is called for what is missing, and in a dry run", "[installed]") {
  const Step pip{.title = "install", .arguments = {"/bin/python", "-m", "pip", "install", "a"}};
  const auto calls = [&](std::string output, bool dry_run) {
    TestHost test;
    test.processes.answers.push_back({ScriptedProcesses::Exit(0), std::move(output)});
    Runner runner(test.host, dry_run);
    CHECK(RunUnlessMet(pip, {"a"}, runner));
    CHECK((test.out.str().find("-m pip install a") != std::string::npos) == dry_run);
    return test.processes.requests.size();
  };
  CHECK(calls("python 3.12\na 1\n", false) == 1);
  CHECK(calls("python 3.12\n", false) == 2);
  CHECK(calls("", false) == 2);
  CHECK(calls("python 3.12\na 1\n", true) == 0);
}
