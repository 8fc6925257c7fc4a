#include "generator/matrix/tables.h"

#include "generator/matrix/column_builders.h"
#include "generator/matrix/limits.h"

namespace wheelwright {
namespace tables {

using namespace types;
using namespace formats;

Type EventWord() {
  return Word("event", {"pull_request", "push", "schedule", "workflow_dispatch"});
}
Type IssueLink() { return Of(kIssueLink); }

FileSchema Settings() {
  std::vector<Column> wheelrun{
      {"version", Of(kReleaseVersion), kRequired, "The release, within the range of `wheelwright`",
       "1.2.3"},
      {"digests", MapOf(Word("platform", {"linux", "windows"}), Of(kDigest)), kRequired,
       "Of what jobs on each platform install: the release's archive, or what `urls` names",
       "{linux: sha256:cf4f6d9909056906e4a1c0bc4c245658a0af4c6a6174082a86adfa2d518b7aeb}"},
      {"urls", MapOf(Word("platform", {"linux", "windows"}), Of(kUrl)), "{}",
       "Where that is, when it is not the release's archive: a wheel (.whl), a .tar.gz or a .zip",
       "{linux: https://example.org/wheelwright-1.2.3-linux-x86_64.tar.gz}"},
  };
  std::vector<Column> source{
      {"repository", Of(kRepository), kRequired, "The repository with the sources of wheelwright",
       "ROCm/wheelwright"},
      {"commit", Of(kSha), kRequired, "The commit that is built",
       "3d3c42e5aac5ba805825da76410c181273ba90b1"},
  };
  std::vector<Column> columns{
      {"wheelwright", Of(kVersionRange), "null",
       "The versions of wheelwright and wheelrun that this matrix is written for; others refuse "
       "it, "
       "and the plan that is made from it. When left out, any, or those of the first two numbers "
       "of "
       "the release that is pinned",
       "\">=1.2,<1.3\""},
      {"repository", Of(kRepository), "ROCm/TheRock",
       "The repository in which the generated workflows run", "ROCm/TheRock"},
      {"output", Of(kFolder), "generated-workflows",
       "The folder that `wheelwright generate` writes", "generated-workflows"},
      {"workflows_path", Text(), "./.github/workflows/",
       "What stands before the file's name where one generated workflow calls another",
       "./.github/workflows/"},
      {"self_repository_form", Word("form", {"path", "dollar"}), "path",
       "How a called workflow is named: `path` is ./.github/FILE, `dollar` the newer "
       "$/.github/FILE",
       "path"},
      {"plan_file", Of(kName), "plan.json", "The file in which the matrix is compiled for wheelrun",
       "plan.json"},
      {"runs_on", Of(kRunnerLabel), "ubuntu-24.04",
       "The runner of jobs that build and test nothing: they resolve, upload, promote and check",
       "ubuntu-24.04"},
      {"wheelrun", Row("a release of wheelrun", std::move(wheelrun)), "null",
       "The release that jobs install; when left out, one job of each run builds the programs from "
       "their sources for all others",
       ""},
      {"wheelrun_source", Row("the sources of wheelrun", std::move(source)), "null",
       "What that job builds; when left out, the sources that are in this repository itself", ""},
  };
  return {.stem = "settings",
          .help = "Where generated files go and what they call each other",
          .tables = Row("the file", {{"settings", Row("the settings", std::move(columns)), "{}",
                                      "Settings of the generator itself", ""}}),
          .unique = {}};
}

FileSchema Platforms() {
  std::vector<Column> variant{
      {"label", Text(), kRequired, "How jobs' names call it", "asan"},
      {"suffix", AnyText(), "", "What is put behind a dash to the artifact group's name", "asan"},
      {"cmake_preset", AnyText(), "", "The CMake preset that configures it", "linux-release-asan"},
      {"known_failure", IssueLink(), "null",
       "Why it cannot be expected to work: no tests are run for it",
       "https://github.com/ROCm/TheRock/pull/3243"},
  };
  std::vector<Column> tool{
      {"version", Of(kToolVersion), kRequired,
       "The version that jobs install; wheelrun takes none that is older", "\"1.13.1\""},
      {"why", Text(), kRequired, "The reason", "Older ones fail on long command lines"},
  };
  std::vector<Column> platform{
      {"title", Text(), kRequired, "The name for people, as in jobs' names", "Linux"},
      {"build_runs_on", Of(kRunnerLabel), kRequired, "The runner of builds",
       "azure-linux-scale-rocm"},
      {"build_runs_on_sanitizer", Of(kRunnerLabel), "null",
       "The runner of asan and tsan builds, when it is another", "azure-linux-scale-rocm-heavy"},
      {"fallback_runs_on", Of(kRunnerLabel), kRequired,
       "The runner of everything in a repository outside of the ROCm organization", "ubuntu-24.04"},
      {"wheel_platform", Of(kName), kRequired, "The platform tag of wheels", "linux_x86_64"},
      {"checkout_root", Of(kFolder), "src",
       "The folder below which PyTorch's sources are checked out", "B:/src"},
      {"packages", ListOf(NameOf(kProjects)), kRequired,
       "The wheels that a PyTorch build makes, in the order of building",
       "[torch, torchaudio, torchvision]"},
      {"build_tools", MapOf(Of(kName), Row("a tool", std::move(tool))), "{}",
       "Programs that builds of wheels need and runners lack, by the name of their package", ""},
      {"build_container_options", Text(), "null", "What the container of ROCm builds needs",
       "--cap-add=SYS_PTRACE"},
      {"test_container_options", Text(), "null", "What the container of tests needs to see the GPU",
       "--device /dev/kfd --device /dev/dri"},
      {"variants", MapOf(Of(kKey), Row("a build variant", std::move(variant))), kRequired,
       "The ways to build ROCm, by name", ""},
  };
  return {.stem = "platforms",
          .help = "The platforms, in the order of everything that is generated for each",
          .required = true,
          .tables = Row("the file", {{"platforms",
                                      MapOf(Word("platform", {"linux", "windows"}),
                                            Row("a platform", std::move(platform))),
                                      kRequired, "The platforms, by name", ""}}),
          .unique = {"platforms.*.wheel_platform"}};
}

FileSchema Pins() {
  std::vector<Column> action{
      {"uses", Of(kAction), kRequired, "The action", "actions/checkout"},
      {"sha", Of(kSha), kRequired, "The commit that is used",
       "3d3c42e5aac5ba805825da76410c181273ba90b1"},
      {"version", Of(kActionVersion), kRequired, "The tag of that commit", "v7.0.1"},
  };
  std::vector<Column> image{
      {"image", Of(kImage), kRequired, "The image", "ghcr.io/rocm/no_rocm_image_ubi10"},
      {"digest", Of(kDigest), kRequired, "The build that is used",
       "sha256:a10f34d6006a20d02cf688982de9dea147710927ed405a3b0d5c73b58a6030c0"},
      {"version", Of(kActionVersion), "null", "The tag of that build, when it bears one", "v1.2"},
  };
  return {
      .stem = "pins",
      .help = "Third parties' actions and images, each at one exact version",
      .tables = Row("the file", {{"actions", MapOf(Of(kKey), Row("an action", std::move(action))),
                                  "{}", "Actions, by the name that templates use", ""},
                                 {"images", MapOf(Of(kKey), Row("an image", std::move(image))),
                                  "{}", "Container images, by the name that templates use", ""}}),
      .unique = {"actions.*.uses"}};
}

FileSchema LimitsFile() {
  const Type limit =
      Row("a limit",
          {{"value", AtLeast(1), kRequired, "The number", "512000"},
           {"unit", Text(), kRequired, "What it counts", "bytes"},
           {"source", Text(), kRequired, "Where the number is from: a URL, or words",
            "https://docs.github.com/actions/reference/limits"},
           {"note", Text(), "null", "What else is known of it", "20 on GitHub Enterprise Server"}});
  std::vector<Column> limits;
  for (const LimitField& field : kLimitFields)
    limits.push_back({field.name, limit, "null", field.help, ""});
  return {
      .stem = "limits",
      .help = "What GitHub lets a workflow be",
      .tables = Row("the file",
                    {{"limits", Row("the limits", std::move(limits)), "{}",
                      "The limits, by name; one that is left out keeps its built-in value", ""}}),
      .unique = {}};
}

FileSchema External() {
  std::vector<Column> input{
      {"type", Word("type", {"string", "number", "boolean"}), kRequired, "What it is", "string"},
      {"required", Boolean(), "false", "A caller must give it", "true"},
  };
  std::vector<Column> secret{{"required", Boolean(), "false", "A caller must give it", "true"}};
  std::vector<Column> workflow{
      {"path", Of(kWorkflowPath), kRequired, "What stands behind `uses`",
       "./.github/workflows/test_artifacts.yml"},
      {"inputs", MapOf(Of(kId), Row("an input", std::move(input))), "{}", "Its inputs, by name",
       ""},
      {"outputs", ListOf(Of(kId)), "[]", "Its outputs", "[package_index_url]"},
      {"permissions", MapOf(Text(), Word("access", {"none", "read", "write"})), "{}",
       "The permissions that a caller must grant", "{contents: read, id-token: write}"},
      {"secrets", MapOf(Of(kId), Row("a secret", std::move(secret))), "{}", "Its secrets, by name",
       ""},
  };
  return {
      .stem = "external",
      .help = "Workflows that are called and not generated, so that calls of them can be checked",
      .tables = Row("the file", {{"external_workflows",
                                  MapOf(Of(kKey), Row("an external workflow", std::move(workflow))),
                                  "{}", "The workflows, by the name that messages use", ""}}),
      .unique = {"external_workflows.*.path"}};
}

}  // namespace tables

const std::vector<FileSchema>& MatrixFiles() {
  static const std::vector<FileSchema> kFiles{
      tables::Settings(),     tables::Platforms(), tables::Families(),   tables::Triggers(),
      tables::Pytorch(),      tables::Build(),     tables::Hip(),        tables::Release(),
      tables::Dependencies(), tables::Pins(),      tables::LimitsFile(), tables::External(),
      tables::Docker()};
  return kFiles;
}

}  // namespace wheelwright
