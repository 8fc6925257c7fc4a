// Which changes need a build, by the repository's own matrix.
#include <catch2/catch.hpp>

#include "selection/path_filter.h"
#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

TEST_CASE("a path needs a build or does not", "[selection]") {
  const std::vector<std::pair<std::string, bool>> cases{
      {"README.md", false},
      {"core/some/deep/notes.md", false},  // `*` crosses slashes
      {"docs/a/b.cpp", false},
      {"src/docs/a.cpp", true},
      {".gitignore", false},
      {"core/.gitignore", false},
      {".pre-commit-config.yaml", false},
      {".github/dependabot.yml", false},
      {".github/CODEOWNERS", false},
      {"LICENSE", false},
      {"xLICENSE", false},
      {"LICENSE.txt", true},
      {"MYDOC.MD", true},  // case matters
      {"dockerfiles/build.Dockerfile", false},
      {"experimental/x.cpp", false},
      {"CMakeLists.txt", true},
      {".github/workflows/setup.yml", true},
      {".github/workflows/ci.yml", true},
      {".github/workflows/ci_nightly.yml", true},
      {".github/workflows/cinnamon.yml", true},
      {".github/workflows/multi_arch_ci.yml", true},
      {".github/workflows/build_linux_artifacts.yml", true},
      {".github/workflows/build_linux_python_packages.yml", true},
      {".github/workflows/test_rocm_wheels.yml", true},
      {".github/workflows/test_component.yml", true},
      {".github/workflows/release_windows_packages.yml", false},
      {".github/workflows/README.md", false},
      {".github/workflows_x/a.md", false},
      {".github/actions/setup/action.yml", true},
  };
  for (const auto& [path, build] : cases) {
    INFO(path);
    CHECK(JudgePath(RepositoryPlan().paths, path).build == build);
  }
}

TEST_CASE("changes decide for pull requests and pushes alone", "[selection]") {
  struct Case {
    std::string event;
    std::optional<Texts> changed;
    bool build;
    std::string why;
  };
  const std::vector<Case> cases{
      {"pull_request", Texts{"README.md", "core/a.cpp"}, true, "'core/a.cpp' changed"},
      {"pull_request", Texts{".github/workflows/ci_nightly.yml"}, true,
       "'.github/workflows/ci_nightly.yml' changed, which '.github/workflows/ci*.yml' of "
       "paths.workflows names"},
      {"pull_request", Texts{"README.md"}, false,
       "'README.md' needs no build by '*.md' of paths.skippable"},
      {"push", Texts{"README.md", ".github/workflows/lint.yml"}, false,
       "none of 2 changed files needs a build; 'README.md' needs no build by '*.md' of "
       "paths.skippable"},
      {"push", Texts{".github/workflows/lint.yml"}, false,
       "'.github/workflows/lint.yml' is a workflow that no pattern of paths.workflows names"},
      {"push", Texts{}, false, "nothing changed"},
      {"push", std::nullopt, true, "what changed is not known"},
      {"schedule", Texts{"README.md"}, true, "schedule builds whatever changed"},
      {"workflow_dispatch", Texts{}, true, "workflow_dispatch builds whatever changed"},
  };
  for (const Case& c : cases) {
    EventInputs inputs{.event = c.event, .branch = "main", .changed_files = c.changed};
    if (c.event == "workflow_dispatch") inputs.inputs = {{"linux_amdgpu_families", "gfx94x"}};
    const Selection selection = MustSelect(inputs);
    INFO(c.event);
    CHECK(selection.build == c.build);
    CHECK(selection.build_why == c.why);
    if (!c.build) {
      CHECK(Groups(selection, "linux").empty());
      CHECK(WhyOut(selection, "linux", "gfx94x") == c.why);
    }
  }
}

TEST_CASE("some changes always need a build", "[selection]") {
  const PlanFile plan = ChangedPlan({{R"("always": [])", R"("always": ["docs/matrix/*"])"}});
  CHECK(JudgePath(plan.paths, "docs/matrix/a.md").why ==
        "'docs/matrix/a.md' changed, which 'docs/matrix/*' of paths.always names");
}

}  // namespace
}  // namespace wheelwright
