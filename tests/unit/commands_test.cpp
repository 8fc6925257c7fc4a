// What the commands do to the disk, through a file system that watches; and their reference page.
// What they print is tested with the program itself: tests/python/test_cli.py.
#include "generator/commands/commands.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "tests/unit/memory_file_system.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

using Words = std::vector<std::string>;

// Lets everything be read, and refuses to write some files.
class StubbornFileSystem : public MemoryFileSystem {
 public:
  std::string refused_write;
  void Write(const std::string& path, std::string_view text) override {
    if (path == refused_write) throw FileError("cannot write " + path + ": disk full");
    MemoryFileSystem::Write(path, text);
  }
};

// A project with two families, in memory.
class Project {
 public:
  Project() {
    files.files["p/matrix/schema.yml"] =
        RealFileSystem().Read(SourcePath("matrix/schema.yml")).value();
    files.files["p/templates/plan.yml"] =
        RealFileSystem().Read(SourcePath("templates/plan.yml")).value();
    files.files["p/matrix/platforms.yml"] =
        "platforms:\n"
        "  linux:\n"
        "    title: Linux\n"
        "    build_runs_on: build-linux\n"
        "    fallback_runs_on: ubuntu-24.04\n"
        "    wheel_platform: linux_x86_64\n"
        "    packages: [torch]\n"
        "    variants: { release: { label: release } }\n";
    files.files["p/matrix/families.yml"] =
        "tiers: { presubmit: On every pull request }\n"
        "families:\n"
        "  gfx94x:\n"
        "    tier: presubmit\n"
        "    linux: { family: gfx94X-dcgpu, targets: [gfx942], test_runs_on: linux-mi325, "
        "fetch_targets: [gfx942] }\n"
        "  gfx1151:\n"
        "    tier: presubmit\n"
        "    linux: { family: gfx1151, targets: [gfx1151], test_runs_on: linux-1151, "
        "fetch_targets: [gfx1151] }\n";
    files.files["p/matrix/pytorch.yml"] =
        "torch:\n"
        "  release/2.10: { id: torch_210, version: \"2.10\", stable: true, source: rocm }\n"
        "projects: { torch: { folder: pytorch, hipify: true } }\n"
        "torch_sources:\n"
        "  rocm: { torch: { repository: https://github.com/ROCm/pytorch.git, commit_from: "
        "torch_ref } }\n"
        "combos:\n"
        "  ci: { platforms: { linux: { python: [\"3.12\"], torch: [release/2.10] } } }\n";
    files.files["p/matrix/pins.yml"] =
        "actions:\n"
        "  checkout: { uses: actions/checkout, sha: " +
        std::string(40, 'a') + ", version: v7.0.1 }\n";
    files.files["p/templates/workflows/build.yml"] =
        "$[[ template ]]:\n"
        "  for:\n"
        "    - platform in combo_sets.ci.platforms\n"
        "    - family in platform.families\n"
        "  file: build_$[[ family.name ]].yml\n"
        "name: Build $[[ family.name ]]\n"
        "on:\n"
        "  workflow_dispatch:\n"
        "permissions: {}\n"
        "concurrency: { group: build, cancel-in-progress: true }\n"
        "jobs:\n"
        "  $[[ for combo in family.combos ]]:\n"
        "    build_$[[ combo.id ]]:\n"
        "      name: Build\n"
        "      runs-on: $[[ platform.build_runs_on ]]\n"
        "      timeout-minutes: 60\n"
        "      permissions: {}\n"
        "      steps:\n"
        "        - name: Check out\n"
        "          uses: $[[ actions.checkout ]]\n"
        "          timeout-minutes: 5\n"
        "          with: { persist-credentials: false }\n";
  }

  // Runs a command on it; forgets what was done to files before.
  int Run(Words words) {
    files.log.clear();
    out.str("");
    err.str("");
    words.insert(words.end(), {"--root", "p"});
    return RunProgram(Wheelwright(), words, environment);
  }

  std::string& File(const std::string& name) {
    return files.files.at("p/generated-workflows/" + name);
  }

  static void Replace(std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }

  StubbornFileSystem files;
  std::istringstream in;
  std::ostringstream out, err;
  Environment environment{.files = files, .in = in, .out = out, .err = err, .folder = "/"};
};

TEST_CASE("generate writes each file once, and touches nothing that is current", "[commands]") {
  Project project;
  CHECK(project.Run({"generate"}) == kSuccess);
  CHECK(project.err.str() == "");
  CHECK(project.out.str() == "p/generated-workflows/: 3 written\n");
  CHECK(project.files.Changes() == Words{"write p/generated-workflows/build_gfx1151.yml",
                                         "write p/generated-workflows/build_gfx94X-dcgpu.yml",
                                         "write p/generated-workflows/plan.json"});
  CHECK(project.Run({"generate"}) == kSuccess);
  CHECK(project.out.str() == "p/generated-workflows/: 3 files, all current\n");
  CHECK(project.files.Changes().empty());
  CHECK(project.err.str().empty());
}

TEST_CASE("no other command writes", "[commands]") {
  Project project;
  project.Run({"generate"});
  Project::Replace(project.File("build_gfx1151.yml"), "60", "61");
  for (const Words& words :
       {Words{"check"}, Words{"check", "--format", "json"}, Words{"check", "--format", "github"},
        Words{"generate", "--dry-run"}, Words{"plan"}, Words{"plan", "--format", "json"},
        Words{"lint"}, Words{"pins"}, Words{"explain", "build_py312_torch210"},
        Words{"explain", "build_gfx1151.yml:5"}}) {
    project.Run(words);
    INFO(words.front() << ": " << project.err.str());
    CHECK(project.files.Changes().empty());
    CHECK(project.err.str().empty());
  }
}

TEST_CASE("after an error nothing is written", "[commands]") {
  Project project;
  SECTION("in the matrix") {
    Project::Replace(project.files.files["p/matrix/families.yml"], "tier: presubmit",
                     "tier: presubmt");
  }
  SECTION("in a template") {
    Project::Replace(project.files.files["p/templates/workflows/build.yml"], "combo.id",
                     "combo.idd");
  }
  SECTION("in what a template gives") {
    Project::Replace(project.files.files["p/templates/workflows/build.yml"],
                     "      steps:", "      needs: nobody\n      steps:");
  }
  SECTION("of a file in the way") {
    project.files.files["p/generated-workflows/build_gfx1151.yml"] = "name: By hand\n";
  }
  SECTION("of a file that cannot be read") { project.files.refused = {"p/matrix/pins.yml"}; }
  CHECK(project.Run({"generate"}) == kWrongInput);
  CHECK(project.files.Changes().empty());
  CHECK(project.out.str().empty());
  CHECK_FALSE(project.err.str().empty());
}

TEST_CASE("a refused write puts all back, the pins too", "[commands]") {
  Project project;
  project.Run({"generate"});
  for (const char* name : {"build_gfx1151.yml", "build_gfx94X-dcgpu.yml"}) {
    Project::Replace(project.File(name), std::string(40, 'a') + " # v7.0.1",
                     std::string(40, 'b') + " # v7.1.0");
    Project::Replace(project.File(name), "60", "61");
  }
  const auto before = project.files.files;
  SECTION("of a generated file") {
    project.files.refused_write = "p/generated-workflows/build_gfx94X-dcgpu.yml";
    CHECK(project.Run({"generate"}) == kWrongInput);
    CHECK(project.Run({"pins", "--adopt"}) == kWrongInput);
    CHECK(project.err.str() ==
          "error[file-access]: cannot write p/generated-workflows/build_gfx94X-dcgpu.yml: disk "
          "full\n   = all other files are as they were before\n\n1 error; nothing was written\n");
  }
  SECTION("of the pins") {
    project.files.refused_write = "p/matrix/pins.yml";
    CHECK(project.Run({"pins", "--adopt"}) == kWrongInput);
    CHECK(project.err.str() ==
          "error[file-access]: cannot write p/matrix/pins.yml: disk full\n\n1 error; nothing was "
          "written\n");
  }
  CHECK(project.files.files == before);
  CHECK(project.out.str().empty());
}

TEST_CASE("newer pins are adopted and all files generated in one go", "[commands]") {
  Project project;
  project.Run({"generate"});
  const std::string pin = std::string(40, 'b') + " # v7.1.0";
  for (const char* name : {"build_gfx1151.yml", "build_gfx94X-dcgpu.yml"}) {
    Project::Replace(project.File(name), std::string(40, 'a') + " # v7.0.1", pin);
  }
  Project::Replace(project.File("build_gfx1151.yml"), "60", "61");
  CHECK(project.Run({"pins", "--adopt"}) == kSuccess);
  CHECK(project.files.Changes() ==
        Words{"write p/matrix/pins.yml", "write p/generated-workflows/build_gfx1151.yml"});
  CHECK(project.files.files["p/matrix/pins.yml"].find(std::string(40, 'b') + ", version: v7.1.0") !=
        std::string::npos);
  CHECK(project.Run({"check"}) == kSuccess);
}

TEST_CASE("the committed references of the commands are current", "[commands]") {
  const std::vector<std::pair<std::string, const Program*>> pages{
      {SourcePath("docs/cli-reference.md"), &Wheelwright()},
      {SourcePath("docs/wheelrun-reference.md"), &Wheelrun()}};
  INFO("to renew it: UPDATE_GOLDEN=1 unit_tests '[commands]'");
  for (const auto& [path, program] : pages) {
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
      RealFileSystem().Write(path, ReferencePage(*program));
    }
    CHECK(RealFileSystem().Read(path).value_or("(no such file)") == ReferencePage(*program));
  }
}

TEST_CASE("commands and options are told in the same manner", "[commands]") {
  std::vector<Command> commands;
  for (const Program* program : {&Wheelwright(), &Wheelrun()}) {
    commands.insert(commands.end(), program->commands.begin(), program->commands.end());
  }
  for (const Command& command : commands) {
    INFO(command.name);
    CHECK(command.examples.size() >= 2);
    CHECK(command.purpose.size() <= 80);
    CHECK(command.purpose.back() != '.');
    CHECK(Trim(command.about).back() == '.');
    for (const OptionSpec& option : command.options) {
      INFO(option.name);
      CHECK(option.help.back() != '.');
    }
  }
}

}  // namespace
}  // namespace wheelwright
