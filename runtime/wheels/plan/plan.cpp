#include "runtime/wheels/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/program_version.h"
#include "base/text.h"
#include "selection/json_cursor.h"

namespace wheelwright {
namespace {

std::vector<ProjectSource> ReadSources(const JsonCursor& json) {
  using From = ProjectSource::CommitFrom;
  std::vector<ProjectSource> sources;
  json.EachMember([&](const std::string& project, const JsonCursor& row) {
    sources.push_back({.project = project,
                       .repository = row.At("repository").Text(),
                       .commit_from = row.At("commit_from")
                                          .Word<From>({{"torch_ref", From::kTorchRef},
                                                       {"branch", From::kBranch},
                                                       {"related_commits", From::kRelatedCommits},
                                                       {"triton_pin", From::kTritonPin}}),
                       .branch = row.At("branch").TextOrNothing()});
  });
  return sources;
}

// A list that may be left out: null stands for `otherwise`.
Texts TextsOr(const JsonCursor& json, const Texts& otherwise) {
  return json.is_null() ? otherwise : json.Texts();
}

void ReadIndexes(const JsonCursor& root, Plan& plan) {
  root.At("release_types").EachMember([&](const std::string& name, const JsonCursor& row) {
    ReleaseIndex index{.release_type = name,
                       .index_url = row.At("index_url").Text(),
                       .staging_index_url = row.At("staging_index_url").Text(),
                       .python_bucket = row.At("python_bucket").Text(),
                       .subdir = row.At("subdir").Text(),
                       .staging_subdir = row.At("staging_subdir").Text(),
                       .dependencies_subdir = {},
                       .dependencies_url = {}};
    if (const JsonCursor dependencies = row.At("dependencies"); !dependencies.is_null()) {
      index.dependencies_subdir = dependencies.At("subdir").Text();
      index.dependencies_url = dependencies.At("url").Text();
    }
    plan.indexes.push_back(std::move(index));
  });
  root.At("indexes").EachMember([&](const std::string& name, const JsonCursor& row) {
    plan.named_indexes.push_back({.name = name, .url = row.At("url").Text()});
  });
  const JsonCursor mirror = root.At("mirror");
  plan.mirror_source = mirror.At("source").Text();
  const Texts pythons = mirror.At("pythons").Texts();
  const Texts platforms = mirror.At("platforms").Texts();
  root.At("dependencies").EachItem([&](const JsonCursor& row) {
    plan.dependencies.push_back({.name = row.At("name").Text(),
                                 .versions = row.At("versions").Texts(),
                                 .pythons = TextsOr(row.At("pythons"), pythons),
                                 .platforms = TextsOr(row.At("platforms"), platforms)});
  });
}

void ReadTables(const JsonCursor& root, Plan& plan) {
  root.At("torch").EachMember([&](const std::string& ref, const JsonCursor& row) {
    plan.torch.push_back({.ref = ref,
                          .id = row.At("id").Text(),
                          .version = row.At("version").TextOrNothing(),
                          .source = row.At("source").Text()});
  });
  root.At("projects").EachMember([&](const std::string& name, const JsonCursor& row) {
    plan.projects.push_back(
        {.name = name, .folder = row.At("folder").Text(), .hipify = row.At("hipify").Boolean()});
  });
  root.At("torch_sources").EachMember([&](const std::string& name, const JsonCursor& rows) {
    plan.torch_sources.emplace_back(name, ReadSources(rows));
  });
  root.At("platforms").EachMember([&](const std::string& name, const JsonCursor& row) {
    PlatformPackages packages{.platform = name,
                              .wheel_platform = row.At("wheel_platform").Text(),
                              .checkout_root = row.At("checkout_root").TextOrNothing(),
                              .packages = row.At("packages").Texts()};
    row.At("build_tools").EachMember([&](const std::string& tool, const JsonCursor& wanted) {
      packages.build_tools.emplace_back(tool, wanted.At("version").Text());
    });
    plan.packages.push_back(std::move(packages));
  });
  ReadIndexes(root, plan);
  plan.artifact_buckets = ReadArtifactBuckets(root.At("artifact_buckets"));
  root.At("target_groups").EachMember([&](const std::string& name, const JsonCursor& targets) {
    plan.target_groups.emplace_back(name, targets.Texts());
  });
  plan.build_rules = ReadBuildRules(root);
}

// The nearest plan upwards, as a path from the current folder.
std::string FindPlan(Host& host) {
  // Where both are, the second is that of the workflows which test the first.
  constexpr std::array<std::string_view, 2> kPlaces{"generated-workflows/plan.json",
                                                    ".github/workflows/plan.json"};
  std::string prefix;
  for (std::filesystem::path folder = host.folder;; folder = folder.parent_path()) {
    for (const std::string_view place : kPlaces) {
      std::string path = prefix + std::string(place);
      if (host.files.Read(path)) return path;
    }
    if (!folder.has_relative_path()) return {};
    prefix += "../";
  }
}

// What runs here is not always what jobs run.
void WarnOfOtherRelease(std::string_view pinned, std::string_view path, Diagnostics& diagnostics) {
  const auto jobs = ReadProgramVersion(pinned);
  const auto own = ReadProgramVersion(OwnVersion());
  if (!jobs || !own || *jobs == *own) return;
  diagnostics.Report(
      {.severity = Severity::kWarning,
       .code = "version-skew",
       .message = fmt::format("jobs of {} run wheelrun {}, and this is {}, which is {}", path,
                              pinned, OwnVersion(), *own < *jobs ? "older" : "newer"),
       .notes = {InstallNote(fmt::format("=={}", pinned))}});
}

}  // namespace

const TorchRow* Plan::FindTorch(std::string_view ref) const {
  const auto found = std::ranges::find(torch, ref, &TorchRow::ref);
  return found == torch.end() ? nullptr : &*found;
}

const ProjectRow* Plan::FindProject(std::string_view name) const {
  const auto found = std::ranges::find(projects, name, &ProjectRow::name);
  return found == projects.end() ? nullptr : &*found;
}

const PlatformPackages* Plan::FindPackages(std::string_view platform) const {
  const auto found = std::ranges::find(packages, platform, &PlatformPackages::platform);
  return found == packages.end() ? nullptr : &*found;
}

const ReleaseIndex* Plan::FindIndex(std::string_view release_type) const {
  const auto found = std::ranges::find(indexes, release_type, &ReleaseIndex::release_type);
  return found == indexes.end() ? nullptr : &*found;
}

const ReleaseIndex* Plan::FindIndexIn(std::string_view python_bucket) const {
  const auto found = std::ranges::find(indexes, python_bucket, &ReleaseIndex::python_bucket);
  return found == indexes.end() ? nullptr : &*found;
}

std::string Plan::IndexUrl(std::string_view name) const {
  if (const ReleaseIndex* row = FindIndex(name)) return row->index_url;
  const auto found = std::ranges::find(named_indexes, name, &NamedIndex::name);
  return found == named_indexes.end() ? std::string() : found->url;
}

std::vector<std::string_view> Plan::IndexNames() const {
  std::vector<std::string_view> names;
  for (const ReleaseIndex& row : indexes) names.push_back(row.release_type);
  for (const NamedIndex& row : named_indexes) names.push_back(row.name);
  return names;
}

std::string Plan::FolderOf(std::string_view family) const {
  for (const FamilyRow& row : selection.families) {
    for (const auto& columns : row.on) {
      if (columns &&
          (EqualsIgnoringCase(columns->family, family) || EqualsIgnoringCase(row.key, family))) {
        return columns->family;
      }
    }
  }
  return std::string(family);
}

const std::vector<ProjectSource>* Plan::SourcesOf(std::string_view ref) const {
  const TorchRow* row = FindTorch(ref);
  const std::string_view name = row != nullptr ? std::string_view(row->source) : "upstream";
  const auto found =
      std::ranges::find_if(torch_sources, [&](const auto& pair) { return pair.first == name; });
  return found == torch_sources.end() ? nullptr : &found->second;
}

Texts Plan::TargetsOf(std::string_view family, std::string_view platform) const {
  if (const FamilyRow* row = selection.FindFamily(family)) {
    for (std::size_t i = 0; i < selection.platforms.size(); ++i) {
      if (selection.platforms[i].name == platform && row->on[i]) return row->on[i]->targets;
    }
  }
  Texts single;
  for (const auto& [name, targets] : target_groups) {
    if (EqualsIgnoringCase(name, family)) return targets;
    if (HasText(targets, family)) single = {std::string(family)};
  }
  return single;
}

OptionSpec PlanOption() {
  return {.name = "plan",
          .argument = "FILE",
          .help =
              "The plan.json that `wheelwright generate` wrote (default: the variable "
              "WHEELRUN_PLAN, else the nearest in generated-workflows/ or .github/workflows/)"};
}

std::optional<Plan> ReadPlanText(std::string_view text, std::string_view name,
                                 Diagnostics& diagnostics) {
  std::optional<PlanFile> selection = ReadPlanFile(text, name, diagnostics);
  if (!selection) return std::nullopt;
  const std::size_t errors = diagnostics.errors();
  Plan plan{.selection = *std::move(selection)};
  const JsonCursor::Json json = JsonCursor::Json::parse(text);
  ReadTables(JsonCursor(json, name, diagnostics), plan);
  if (diagnostics.errors() > errors) return std::nullopt;
  return plan;
}

std::optional<Plan> ReadPlan(const Arguments& arguments, Host& host, Diagnostics& diagnostics) {
  std::string path(arguments.Get("plan"));
  std::string_view told_by = "--plan";
  if (path.empty()) {
    path = host.Variable("WHEELRUN_PLAN");
    told_by = "WHEELRUN_PLAN";
  }
  const bool told = !path.empty();
  if (!told) path = FindPlan(host);
  const std::optional<std::string> text = path.empty() ? std::nullopt : host.files.Read(path);
  if (!text) {
    diagnostics.Report(
        {.code = "no-plan",
         .message = told ? fmt::format("there is no {}, which {} names", path, told_by)
                         : "neither this folder nor one above it has a plan.json",
         .notes = {"`wheelwright generate` writes it beside the workflows; name it: --plan FILE"}});
    return std::nullopt;
  }
  std::optional<Plan> plan = ReadPlanText(*text, path, diagnostics);
  if (plan) WarnOfOtherRelease(plan->selection.wheelrun, path, diagnostics);
  return plan;
}

}  // namespace wheelwright
