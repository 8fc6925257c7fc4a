// plan.json for steps: the tables for selection, and those for sources, builds and indexes of
// wheels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/artifact_buckets.h"
#include "runtime/wheels/plan/build_rules.h"
#include "selection/plan_file.h"

namespace wheelwright {

// A ref of PyTorch that is built.
struct TorchRow {
  std::string ref;      // "release/2.10"
  std::string id;       // "torch_210"
  std::string version;  // "2.10"; "" where it moves
  std::string source;   // a row of torch_sources: "rocm"
};

// The source of a project's code, for one source of PyTorch.
struct ProjectSource {
  enum class CommitFrom : std::uint8_t {
    kTorchRef,        // the ref itself
    kBranch,          // the named branch
    kRelatedCommits,  // torch's file of that name
    kTritonPin,       // torch's .ci/docker/ci_commit_pins/triton.txt
  };

  std::string project;     // "torchaudio"
  std::string repository;  // an URL or a path that git takes
  std::string fork;        // a fork to use instead; "": none
  CommitFrom commit_from = CommitFrom::kTorchRef;
  std::string branch;  // of kBranch

  const std::string& origin() const { return fork.empty() ? repository : fork; }
};

struct ProjectRow {
  std::string name;    // of its wheel: "torchaudio"
  std::string folder;  // "pytorch_audio"
  bool hipify = false;
};

// An index of others, with a folder for each family.
struct NamedIndex {
  std::string name;
  std::string url;
};

// A project in the indexes of dependencies.
struct DependencyRow {
  std::string name;
  Texts versions;  // versions or bounds
  Texts pythons;
  Texts platforms;
};

// Whose signature the wheels of a trust domain need.
struct SignerRow {
  std::string domain;
  std::string repository;
  std::string workflow;  // ".github/workflows/attest_wheels.yml"
  Texts branches;        // patterns of those that may be published; empty: any ref
};

// What a version of ROCm has in the index of a family, beside the wheels of combos.
struct ReleasePackageRow {
  std::string name;      // "rocm-sdk-libraries-{family}"
  bool archive = false;  // a source archive for all platforms; else a wheel
  bool needed = true;    // false: the build decides
  Texts platforms;       // empty: all
  Texts extras;          // of an archive
};

// What wheels that require a package may link, and the folders that it has beside them.
struct PackageLibraryRow {
  std::string project;
  Texts libraries;  // names, with `*` for any text
  Texts folders;    // at the top of an environment's packages, likewise
};

// Where wheels go, and the largest file that it takes.
struct WheelStoreRow {
  std::string name;  // "pypi"
  std::size_t bytes = 0;
  std::string source;       // who says so
  bool of_release = false;  // whether a release type uses it
};

// How long files stay in the folders of a family; `wheelrun prune` takes the others away.
struct RetentionRow {
  std::string release_type;
  std::size_t newest = 0;   // versions of ROCm in the release folder
  std::size_t staging = 0;  // in the staging folder
  int days = 0;             // between leaving the pages and removal
  std::string tags;         // the tags of the repository whose versions stay: "therock-*"; "": none
};

struct Plan {
  PlanFile selection;
  std::vector<TorchRow> torch;
  std::vector<ProjectRow> projects;
  std::vector<std::pair<std::string, std::vector<ProjectSource>>> torch_sources;  // by name
  std::vector<NamedIndex> named_indexes;
  std::vector<SignerRow> signers;
  std::string mirror_source;  // the index that dependencies are taken from
  std::vector<DependencyRow> dependencies;
  std::vector<ReleasePackageRow> release_packages;
  std::vector<PackageLibraryRow> package_libraries;
  std::vector<WheelStoreRow> wheel_stores;
  std::vector<RetentionRow> retention;
  std::vector<ArtifactBucketRow> artifact_buckets;
  std::vector<std::pair<std::string, Texts>> target_groups;  // "gfx110X-all": its targets
  BuildRules build_rules;

  // Patterns of the projects that are released here: those of the matrix, and ROCm's packages.
  std::vector<std::string> OwnProjects() const;
  const TorchRow* FindTorch(std::string_view ref) const;
  const ProjectRow* FindProject(std::string_view name) const;
  // The release type whose wheels are in the bucket.
  const ReleaseTypeRow* FindTypeOf(std::string_view python_bucket) const;
  // The URL of the index of a release type or of `named_indexes`; "" for unknown names.
  std::string IndexUrl(std::string_view name) const;
  // The names that IndexUrl() accepts.
  std::vector<std::string_view> IndexNames() const;
  // The folder of a family in an index and in a run, with the family's own case, because keys of
  // buckets are case-sensitive. For other names the name itself.
  std::string FolderOf(std::string_view family) const;
  // The sources of a ref. An unknown ref counts as one of PyTorch's own repository.
  const std::vector<ProjectSource>* SourcesOf(std::string_view ref) const;
  // The gfx targets of an artifact group, a key, a group of targets or a single target; empty for
  // unknown names.
  Texts TargetsOf(std::string_view family, std::string_view platform) const;
};

// The option --plan, of every command that reads the plan.
OptionSpec PlanOption();

// Reads the plan that `--plan` names, else the variable WHEELRUN_PLAN, else the first of
// generated-workflows/plan.json and .github/workflows/plan.json in this folder or one above it.
// Reports errors in it, or that there is none, and returns nothing then. Warns when jobs run
// another release than this program.
std::optional<Plan> ReadPlan(const Arguments& arguments, Host& host, Diagnostics& diagnostics);

// The same from a text. `name` is how messages call the file.
std::optional<Plan> ReadPlanText(std::string_view text, std::string_view name,
                                 Diagnostics& diagnostics);

// Whether there is a plan to read, for commands that do without.
bool HasPlan(const Arguments& arguments, Host& host);

// What ReadPlan() asks of a plan, as JSON Schema: recorded while it reads.
std::string PlanSchema();

}  // namespace wheelwright
