// The description of every table. docs/matrix-reference.md is the same in prose.
#include <vector>

#include "generator/matrix/limits.h"
#include "generator/matrix/schema.h"
#include "generator/matrix/types.h"

namespace wheelwright {
namespace {

using namespace types;
using namespace formats;

// clang-format off
const Names kPlatforms{.code = "unknown-platform", .noun = "platform", .plural = "platforms",
    .file = "platforms", .paths = {"platforms"}};
const Names kLinuxVariants{.code = "unknown-variant", .noun = "variant", .plural = "variants of linux",
    .file = "platforms", .paths = {"platforms.linux.variants"}};
const Names kWindowsVariants{.code = "unknown-variant", .noun = "variant", .plural = "variants of windows",
    .file = "platforms", .paths = {"platforms.windows.variants"}};
const Names kTiers{.code = "unknown-tier", .noun = "tier", .plural = "tiers",
    .file = "families", .paths = {"tiers"}};
const Names kFamilies{.code = "unknown-family", .noun = "family", .plural = "families",
    .file = "families", .paths = {"families"}};
const Names kGfxBuilds{.code = "unknown-family", .noun = "family", .plural = "families",
    .file = "families",
    .paths = {"families", "families.*.linux.family", "families.*.windows.family", "gfx_groups"}};
const Names kTargetGroups{.code = "unknown-target-group", .noun = "target group", .plural = "target groups",
    .file = "families", .paths = {"target_groups"}};
const Names kTorchRefs{.code = "unknown-torch-ref", .noun = "torch ref", .plural = "torch refs",
    .file = "pytorch", .paths = {"torch"}};
const Names kTorchSources{.code = "unknown-torch-source", .noun = "torch source", .plural = "torch sources",
    .file = "pytorch", .paths = {"torch_sources"}};
const Names kProjects{.code = "unknown-project", .noun = "project", .plural = "projects",
    .file = "pytorch", .paths = {"projects"}};
const Names kReleaseTypes{.code = "unknown-release-type", .noun = "release type", .plural = "release types",
    .file = "release", .paths = {"release_types"}};
const Names kDomains{.code = "unknown-domain", .noun = "domain", .plural = "domains",
    .file = "release", .paths = {"domains"}};
// clang-format on

Type PlatformWord() { return Word("platform", {"linux", "windows"}); }
Type JobResult() { return Word("result", {"success", "failure", "cancelled", "skipped"}); }
Type EventWord() {
  return Word("event", {"pull_request", "push", "schedule", "workflow_dispatch"});
}
Type IssueLink() { return Of(kIssueLink); }

// ---- settings.yml ----

FileSchema Settings() {
  std::vector<Column> columns{
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
  };
  return {.stem = "settings",
          .help = "Where generated files go and what they call each other",
          .tables = Row("the file", {{"settings", Row("the settings", std::move(columns)), "{}",
                                      "Settings of the generator itself", ""}}),
          .unique = {}};
}

// ---- platforms.yml ----

FileSchema Platforms() {
  std::vector<Column> variant{
      {"label", Text(), kRequired, "How jobs' names call it", "asan"},
      {"suffix", AnyText(), "", "What is put behind a dash to the artifact group's name", "asan"},
      {"cmake_preset", AnyText(), "", "The CMake preset that configures it", "linux-release-asan"},
      {"known_failure", IssueLink(), "null",
       "Why it cannot be expected to work: no tests are run for it",
       "https://github.com/ROCm/TheRock/pull/3243"},
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
      {"packages", ListOf(NameOf(kProjects)), kRequired, "The wheels that a PyTorch build makes",
       "[torch, torchaudio, torchvision]"},
      {"variants", MapOf(Of(kKey), Row("a build variant", std::move(variant))), kRequired,
       "The ways to build ROCm, by name", ""},
  };
  return {.stem = "platforms",
          .help = "The platforms, in the order of everything that is generated for each",
          .required = true,
          .tables = Row("the file", {{"platforms",
                                      MapOf(PlatformWord(), Row("a platform", std::move(platform))),
                                      kRequired, "The platforms, by name", ""}}),
          .unique = {"platforms.*.wheel_platform"}};
}

// ---- families.yml ----

Type FamilyOnPlatform(const Names& variants) {
  std::vector<Column> parked{
      {"runs_on", Of(kRunnerLabel), kRequired, "The runner", "linux-gfx110X-gpu-rocm"},
      {"issue", IssueLink(), kRequired, "Why it is not in use",
       "https://github.com/ROCm/TheRock/issues/3298"},
  };
  return Row(
      "a family on one platform",
      {{"family", Of(kName), kRequired,
        "The artifact group's name: also the folder in package indexes, and what is passed to "
        "CMake",
        "gfx94X-dcgpu"},
       {"targets", Either(RowOf(kTargetGroups), ListOf(Of(kGfxTarget))), kRequired,
        "The gfx targets that are built, or a name of `target_groups`; templates always see the "
        "list",
        "[gfx942]"},
       {"test_runs_on", Of(kRunnerLabel), "null",
        "The runner of tests; none: nothing tests the family", "linux-mi325-1gpu-ossci-rocm"},
       {"multi_gpu_runs_on", Of(kRunnerLabel), "null", "The runner of tests that need several GPUs",
        "linux-mi325-8gpu-ossci-rocm"},
       {"benchmark_runs_on", Of(kRunnerLabel), "null", "The runner of benchmarks",
        "linux-mi325-8gpu-ossci-rocm"},
       {"sandbox_runs_on", Of(kRunnerLabel), "null", "The runner of the tests of asan builds",
        "linux-mi325-8gpu-ossci-rocm-sandbox"},
       {"kernel_runners", MapOf(Of(kName), Of(kRunnerLabel)), "{}",
        "Runners with other kernels, for the label test_runner:KERNEL",
        "{oem: linux-strix-halo-gpu-rocm-oem}"},
       {"parked_runner", Row("a parked runner", std::move(parked)), "null",
        "A runner that exists and is not used for now",
        "{runs_on: linux-gfx110X-gpu-rocm, issue: https://github.com/ROCm/TheRock/issues/3298}"},
       {"fetch_targets", ListOf(Of(kGfxTarget)), "[]",
        "The targets whose test artifacts the test runner fetches", "[gfx1200, gfx1201]"},
       {"variants", ListOf(NameOf(variants)), "[release]",
        "The build variants of ROCm that are built", "[release, asan]"},
       {"sanity_check_only", Boolean(), "false", "The runner does the sanity check and no more",
        "true"},
       {"bypass_tests_for_releases", Boolean(), "false", "Wheels may be promoted untested", "true"},
       {"known_failures", MapOf(Word("build", {"rocm", "pytorch"}), IssueLink()), "{}",
        "What cannot be built for the family, with the issue; it is not selected until the row "
        "goes",
        "{pytorch: https://github.com/ROCm/TheRock/issues/1926}"}});
}

FileSchema Families() {
  Type family =
      Row("a family", {{"tier", NameOf(kTiers), kRequired, "How often it is built", "presubmit"},
                       {"linux", FamilyOnPlatform(kLinuxVariants), "null",
                        "Its row for Linux; none: it is not built there", ""},
                       {"windows", FamilyOnPlatform(kWindowsVariants), "null",
                        "Its row for Windows; none: it is not built there", ""}});
  family.one_needed = {"linux", "windows"};
  return {.stem = "families",
          .help = "The GPU families, what they are built from and tested on",
          .required = true,
          .tables =
              Row("the file",
                  {{"tiers", MapOf(Of(kKey), Text()), kRequired,
                    "How often families are built, from the most to the least, each in a line", ""},
                   {"families", MapOf(Of(kFamilyKey), std::move(family)), kRequired,
                    "The families, by the key that people type in labels and inputs", ""},
                   {"target_groups", MapOf(Of(kName), ListOf(Of(kGfxTarget))), "{}",
                    "Names for lists of gfx targets", "{gfx120X-all: [gfx1200, gfx1201]}"}}),
          .unique = {"families.*.linux.family", "families.*.windows.family"}};
}

// ---- triggers.yml ----

FileSchema Triggers() {
  std::vector<Column> trigger{
      {"tiers", ListOf(NameOf(kTiers)), kRequired, "The tiers whose families get a build of ROCm",
       "[presubmit]"},
      {"pytorch", Either(Word("selection", {"all", "chosen"}), ListOf(NameOf(kFamilies))), "[]",
       "The families that get PyTorch wheels: a list, `all`, or `chosen` by an input", "[gfx94x]"},
      {"labels", MapOf(Text(), ListOf(NameOf(kFamilies))), "{}",
       "Labels of a pull request and the families that they add to `pytorch`",
       "{\"build:pytorch\": [gfx94x]}"},
      {"types", ListOf(Of(kKey)), "[]", "Activity types of the event",
       "[labeled, opened, synchronize]"},
      {"branches", ListOf(Of(kGlob)), "[]", "Branches for which the event counts; none: all",
       "[main, release/therock-*]"},
      {"cron", Of(kCron), "null", "When a schedule fires", "\"0 2 * * *\""},
      {"workflows", ListOf(Of(kName)), "[]", "The generated workflows that the event starts",
       "[ci_nightly]"},
  };
  std::vector<Column> label{
      {"effect",
       Word("effect", {"skip", "all_families", "family", "pytorch", "test", "test_runner"}),
       kRequired, "What it does", "family"},
      {"doc", Text(), kRequired, "What it means, for the people who put it on", "Nothing is built"},
  };
  std::vector<Column> paths{
      {"skippable", ListOf(Of(kGlob)), "[]", "Changes to these need no build",
       "[docs/*, \"*.md\"]"},
      {"workflows", ListOf(Of(kGlob)), "[]",
       "The files under .github/workflows whose change needs a build",
       "[.github/workflows/ci*.yml]"},
      {"always", ListOf(Of(kGlob)), "[]", "Changes to these need a build, whatever else is said",
       "[matrix/*]"},
      {"unfiltered_events", ListOf(EventWord()), "[]", "Events that build whatever changed",
       "[schedule, workflow_dispatch]"},
  };
  std::vector<Column> test_type{
      {"when", Word("condition", {"schedule", "submodule_changed", "test_label", "otherwise"}),
       kRequired, "What must be so", "submodule_changed"},
      {"type", Word("test type", {"smoke", "full"}), kRequired, "How much is tested", "full"},
      {"why", Text(), kRequired, "The reason", "Somebody asked for a component's tests"},
  };
  return {
      .stem = "triggers",
      .help = "What an event of the repository builds and tests",
      .tables = Row("the file",
                    {{"triggers", MapOf(EventWord(), Row("a trigger", std::move(trigger))), "{}",
                      "The events, by GitHub's name for them", ""},
                     {"labels", MapOf(Of(kGlob), Row("a label", std::move(label))), "{}",
                      "What labels of a pull request mean, decided from the top", ""},
                     {"paths", Row("the path filter", std::move(paths)), "{}",
                      "Which changes need a build", ""},
                     {"test_types", ListOf(Row("a rule for the test type", std::move(test_type))),
                      "[]", "How much is tested; the first row that fits decides", ""},
                     {"tests", ListOf(Of(kName)), "[]",
                      "The components whose tests a label may ask for", "[rocblas, miopen]"}}),
      .unique = {}};
}

// ---- pytorch.yml ----

// The keys by which include and exclude pick combos.
std::vector<Column> PickColumns(std::vector<Column> more) {
  std::vector<Column> columns{
      {"platform", OneOrMore(NameOf(kPlatforms)), "null", "Platforms", "windows"},
      {"gfx", OneOrMore(NameOf(kGfxBuilds)), "null",
       "Families, by key or artifact group, or groups of them", "gfx1153"},
      {"python", OneOrMore(Of(kPythonVersion)), "null", "Python versions", "\"3.13\""},
      {"torch", OneOrMore(NameOf(kTorchRefs)), "null", "PyTorch refs",
       "[release/2.8, release/2.9]"}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

Type ExcludeRow() {
  Type row = Row(
      "an exclude",
      PickColumns({{"why", Text(), kRequired, "The reason", "PyTorch knows gfx1153 from 2.10 on"},
                   {"issue", IssueLink(), "null", "Where it is discussed",
                    "https://github.com/ROCm/TheRock/issues/2723"}}));
  row.one_needed = {"platform", "gfx", "python", "torch"};
  return row;
}

FileSchema Pytorch() {
  std::vector<Column> torch{
      {"id", Of(kId), kRequired, "Its part in the keys of outputs", "torch_210"},
      {"version", Of(kTorchVersion), "null", "Its version, when that is known beforehand",
       "\"2.10\""},
      {"stable", Boolean(), "false", "It is a release branch", "true"},
      {"source", RowOf(kTorchSources), kRequired,
       "Where its code comes from; templates see the whole row", "rocm"},
  };
  std::vector<Column> project{
      {"folder", Of(kFolder), kRequired, "Its folder below the platform's checkout_root",
       "pytorch_audio"},
      {"hipify", Boolean(), "false", "Its CUDA sources are translated to HIP after the checkout",
       "true"},
  };
  std::vector<Column> part{
      {"repository", Of(kUrl), kRequired, "What is cloned", "https://github.com/ROCm/pytorch.git"},
      {"commit_from", Word("way", {"torch_ref", "branch", "related_commits", "triton_pin"}),
       kRequired, "Which commit: the ref itself, a branch, or what a file in torch says",
       "related_commits"},
      {"branch", Of(kGitRef), "null", "The branch, for commit_from: branch", "nightly"},
  };
  Type include =
      Row("an include",
          PickColumns({{"tests", Boolean(), kOmitted, "Whether the wheels are tested", "false"}}));
  include.parts = {Scalar()};
  std::vector<Column> axes{
      {"python", ListOf(Of(kPythonVersion)), kRequired, "Python versions", "[\"3.12\", \"3.13\"]"},
      {"torch", ListOf(NameOf(kTorchRefs)), kRequired, "PyTorch refs", "[release/2.10, nightly]"},
  };
  std::vector<Column> set{
      {"platforms", MapOf(NameOf(kPlatforms), Row("the axes on one platform", std::move(axes))),
       kRequired, "The axes on each platform; gfx is all families that can build PyTorch", ""},
      {"include", ListOf(std::move(include)), "[]",
       "Adds columns to the combos it fits, or a combo; other keys become columns of the combo",
       ""},
      {"exclude", ListOf(ExcludeRow()), "[]", "Takes combos out", ""},
      {"release_types", ListOf(NameOf(kReleaseTypes)), "null",
       "The release types that publish its combos; left out: all of them", "[dev, nightly]"},
  };
  std::vector<Column> group{
      {"platforms", ListOf(NameOf(kPlatforms)), kRequired, "Where it is built", "[linux]"},
      {"families", ListOf(NameOf(kFamilies)), kRequired, "The families that one build is for",
       "[gfx1150, gfx1151]"},
      {"why", Text(), kRequired, "The reason", "Their builds differ in the device code alone"},
  };
  return {
      .stem = "pytorch",
      .help = "Which PyTorch is built for which Python",
      .tables = Row(
          "the file",
          {{"torch", MapOf(Of(kGitRef), Row("a PyTorch ref", std::move(torch))), "{}",
            "The refs of PyTorch, by name", ""},
           {"projects", MapOf(Of(kName), Row("a project", std::move(project))), "{}",
            "What is checked out, by the name of its wheel", ""},
           {"torch_sources",
            MapOf(Of(kKey),
                  MapOf(NameOf(kProjects), Row("the source of a project", std::move(part)))),
            "{}", "Where the code of a ref comes from, for each project", ""},
           {"combos", MapOf(Of(kKey), Row("a set of combos", std::move(set))), "{}",
            "Sets of platform x gfx x python x torch, with include and exclude as in "
            "strategy.matrix",
            ""},
           {"gfx_groups", MapOf(Of(kName), Row("a group of families", std::move(group))), "{}",
            "Families that share one build of wheels; they leave the axis as single ones", ""}}),
      .unique = {"torch.*.id", "projects.*.folder"}};
}

// ---- release.yml ----

FileSchema Release() {
  std::vector<Column> release_type{
      {"domain", NameOf(kDomains), kRequired, "Whose roles and buckets it uses", "nightly"},
      {"python_bucket", Of(kBucket), kRequired, "The bucket of wheels and their indexes",
       "therock-nightly-python"},
      {"tarball_bucket", Of(kBucket), kRequired, "The bucket of tarballs",
       "therock-nightly-tarball"},
      {"artifact_bucket", Of(kBucket), kRequired,
       "The bucket of a run's artifacts, logs and manifests", "therock-nightly-artifacts"},
      {"subdir", Of(kKeyPrefix), kRequired, "The folder of released wheels in the bucket", "v2"},
      {"staging_subdir", Of(kKeyPrefix), kRequired, "The folder of wheels before their tests",
       "v2-staging"},
      {"tarball_subdir", Of(kKeyPrefix), "", "The folder of tarballs; none: the bucket's top",
       "v3/tarball"},
      {"index_url", Of(kUrl), kRequired, "What `subdir` is called on the web",
       "https://rocm.nightlies.amd.com/v2"},
      {"staging_index_url", Of(kUrl), kRequired, "What `staging_subdir` is called on the web",
       "https://rocm.nightlies.amd.com/v2-staging"},
      {"role", Of(kRole), kRequired, "The role that may write the buckets",
       "arn:aws:iam::692859939525:role/therock-nightly"},
      {"region", Of(kRegion), kRequired, "The region of the buckets", "us-east-2"},
      {"schedule", Of(kCron), "null", "When it is released by itself; none: by hand alone",
       "\"0 4 * * *\""},
      {"exclude", ListOf(ExcludeRow()), "[]", "Combos that it does not take", ""},
  };
  std::vector<Column> domain{
      {"doc", Text(), kRequired, "What it is for", "Candidates for a release"},
      {"roles", ListOf(Of(kRole)), kRequired, "The roles that belong to it",
       "[arn:aws:iam::692859939525:role/therock-ci]"},
      {"buckets", ListOf(Of(kBucket)), kRequired, "The buckets that belong to it",
       "[therock-ci-artifacts]"},
      {"triggers", ListOf(EventWord()), kRequired, "The events that may reach it",
       "[workflow_dispatch]"},
  };
  std::vector<Column> promotion_case{
      {"branch", OneOrMore(Of(kGlob)), "null", "The branch of the run", "release/therock-*"},
      {"build", OneOrMore(JobResult()), "null", "How the build ended",
       "[failure, cancelled, skipped]"},
      {"tests", OneOrMore(JobResult()), "null", "How the tests ended",
       "[failure, cancelled, skipped]"},
      {"runner", Boolean(), "null", "A runner tests the family", "false"},
      {"bypass", Boolean(), "null", "The family may go untested", "false"},
  };
  std::vector<Column> promotion{
      {"when", Row("a case of the promotion policy", std::move(promotion_case)), kRequired,
       "What must be so; a column that is left out fits always", "{runner: false, bypass: false}"},
      {"verdict", Word("verdict", {"promote", "hold"}), kRequired, "What becomes of the wheels",
       "hold"},
      {"why", Text(), kRequired, "The reason, as the log gives it", "The build did not succeed"},
  };
  std::vector<Column> bucket_case{
      {"release", Boolean(), "null", "The run has a release type", "true"},
      {"repository", Of(kRepository), "null", "The repository of the run", "ROCm/TheRock"},
      {"fork", Boolean(), "null", "The code comes from a fork", "false"},
      {"updated_until", Of(kTimestamp), "null",
       "The run was last touched at that time at the latest", "\"2025-11-11T16:18:48Z\""},
  };
  std::vector<Column> artifact_bucket{
      {"when", Row("a run", std::move(bucket_case)), kRequired,
       "What must be so; a column that is left out fits always",
       "{repository: ROCm/TheRock, fork: false}"},
      {"bucket", Of(kBucketPattern), kRequired, "The bucket; {type} stands for the release type",
       "therock-ci-artifacts"},
      {"prefix", AnyText(), "",
       "What stands before the run's folder; {owner}-{name} is the repository",
       "\"{owner}-{name}/\""},
  };
  return {.stem = "release",
          .help = "Where releases go, and who may put them there",
          .tables = Row(
              "the file",
              {{"release_types", MapOf(Of(kKey), Row("a release type", std::move(release_type))),
                "{}", "The kinds of release, by name", ""},
               {"domains", MapOf(Of(kKey), Row("a trust domain", std::move(domain))), "{}",
                "Who may touch what, from the least trusted to the most", ""},
               {"promotion", ListOf(Row("a promotion rule", std::move(promotion))), "[]",
                "Whether staged wheels are released; the first row that fits decides", ""},
               {"artifact_buckets",
                ListOf(Row("a rule for a run's bucket", std::move(artifact_bucket))), "[]",
                "Where the artifacts of a run lie; the first row that fits decides", ""}}),
          .unique = {"release_types.*.role", "release_types.*.index_url"}};
}

// ---- pins.yml ----

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

// ---- limits.yml ----

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

// ---- external.yml ----

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

}  // namespace

const std::vector<FileSchema>& MatrixFiles() {
  static const std::vector<FileSchema> kFiles{Settings(), Platforms(),  Families(),
                                              Triggers(), Pytorch(),    Release(),
                                              Pins(),     LimitsFile(), External()};
  return kFiles;
}

}  // namespace wheelwright
