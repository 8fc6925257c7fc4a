#include "runtime/wheels/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/platform/files.h"
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

// An optional list: null means `otherwise`.
Texts TextsOr(const JsonCursor& json, const Texts& otherwise) {
  return json.is_null() ? otherwise : json.Texts();
}

void ReadIndexes(const JsonCursor& root, Plan& plan) {
  root.At("signers").EachMember([&](const std::string& domain, const JsonCursor& row) {
    const std::string other = row.At("repository").TextOrNothing();
    plan.signers.push_back({.domain = domain,
                            .repository = other.empty() ? plan.selection.repository : other,
                            .workflow = row.At("workflow").Text(),
                            .branches = row.At("branches").Texts()});
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

void ReadWheelTables(const JsonCursor& root, Plan& plan) {
  if (root.Has("package_libraries")) {
    root.At("package_libraries").EachMember([&](const std::string& project, const JsonCursor& row) {
      plan.package_libraries.push_back({.project = project,
                                        .libraries = row.At("libraries").Texts(),
                                        .folders = row.At("folders").Texts()});
    });
  }
  if (!root.Has("wheel_stores")) return;
  root.At("wheel_stores").EachMember([&](const std::string& name, const JsonCursor& row) {
    plan.wheel_stores.push_back(
        {.name = name, .bytes = row.At("bytes").Number(), .source = row.At("source").Text()});
  });
  root.At("release_types").EachMember([&](const std::string&, const JsonCursor& type) {
    if (!type.Has("store")) return;
    const std::string name = type.At("store").TextOrNothing();
    const auto store = std::ranges::find(plan.wheel_stores, name, &WheelStoreRow::name);
    if (store != plan.wheel_stores.end()) store->of_release = true;
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
  ReadIndexes(root, plan);
  root.At("release_packages").EachMember([&](const std::string& name, const JsonCursor& row) {
    plan.release_packages.push_back({.name = name,
                                     .archive = row.At("archive").Boolean(),
                                     .needed = row.At("needed").Boolean(),
                                     .platforms = TextsOr(row.At("platforms"), {}),
                                     .extras = row.At("extras").Texts()});
  });
  ReadWheelTables(root, plan);
  root.At("retention").EachMember([&](const std::string& type, const JsonCursor& row) {
    plan.retention.push_back({.release_type = type,
                              .newest = row.At("newest").Number(),
                              .staging = row.At("staging").Number(),
                              .days = static_cast<int>(row.At("days").Number()),
                              .tags = row.At("tags").TextOrNothing()});
  });
  plan.artifact_buckets = ReadArtifactBuckets(root.At("artifact_buckets"));
  root.At("target_groups").EachMember([&](const std::string& name, const JsonCursor& targets) {
    plan.target_groups.emplace_back(name, targets.Texts());
  });
  plan.build_rules = ReadBuildRules(root);
}

struct FoundPlan {
  std::string path;  // from the current folder
  std::string text;
};

// The nearest plan, in this folder or above.
std::optional<FoundPlan> FindPlan(Host& host) {
  // If both exist, the second is that of this project's own workflows.
  constexpr std::array<std::string_view, 2> kPlaces{"generated-workflows/plan.json",
                                                    ".github/workflows/plan.json"};
  std::string prefix;
  for (std::filesystem::path folder = SystemPath(host.folder);; folder = folder.parent_path()) {
    for (const std::string_view place : kPlaces) {
      std::string path = prefix + std::string(place);
      if (auto text = host.files.Read(path)) return FoundPlan{std::move(path), *std::move(text)};
    }
    if (!folder.has_relative_path()) return std::nullopt;
    prefix += "../";
  }
}

// Warns when this program's version is not the one that jobs run.
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

std::vector<std::string> Plan::OwnProjects() const {
  std::vector<std::string> own{"rocm", "rocm-*"};
  for (const ProjectRow& project : projects) own.push_back(project.name);
  return own;
}

const TorchRow* Plan::FindTorch(std::string_view ref) const {
  const auto found = std::ranges::find(torch, ref, &TorchRow::ref);
  return found == torch.end() ? nullptr : &*found;
}

const ProjectRow* Plan::FindProject(std::string_view name) const {
  const auto found = std::ranges::find(projects, name, &ProjectRow::name);
  return found == projects.end() ? nullptr : &*found;
}

const ReleaseTypeRow* Plan::FindTypeOf(std::string_view python_bucket) const {
  const auto& types = selection.release_types;
  const auto found = std::ranges::find(types, python_bucket, &ReleaseTypeRow::python_bucket);
  return found == types.end() ? nullptr : &*found;
}

std::string Plan::IndexUrl(std::string_view name) const {
  if (const ReleaseTypeRow* row = selection.FindReleaseType(name)) return row->index_url;
  const auto found = std::ranges::find(named_indexes, name, &NamedIndex::name);
  return found == named_indexes.end() ? std::string() : found->url;
}

std::vector<std::string_view> Plan::IndexNames() const {
  std::vector<std::string_view> names;
  for (const ReleaseTypeRow& row : selection.release_types) names.push_back(row.name);
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

bool HasPlan(const Arguments& arguments, Host& host) {
  return !arguments.Get("plan").empty() || !host.Variable("WHEELRUN_PLAN").empty() ||
         FindPlan(host).has_value();
}

std::optional<Plan> ReadPlanText(std::string_view text, std::string_view name,
                                 Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const std::optional<Json> json = ParsePlan(text, name, diagnostics);
  if (!json) return std::nullopt;
  const JsonCursor root(*json, name, diagnostics);
  Plan plan{.selection = ReadPlanTables(root)};
  ReadTables(root, plan);
  if (diagnostics.errors() > errors) return std::nullopt;
  return plan;
}

std::string PlanSchema() {
  JsonShape shape;
  const JsonCursor root(shape);
  Plan plan{.selection = ReadPlanTables(root)};
  ReadTables(root, plan);
  return AsJsonSchema(shape, "plan.json",
                      "What wheelrun reads of a project; other keys are left alone");
}

std::optional<Plan> ReadPlan(const Arguments& arguments, Host& host, Diagnostics& diagnostics) {
  std::string path(arguments.Get("plan"));
  std::string_view named_by = "--plan";
  if (path.empty()) {
    path = host.Variable("WHEELRUN_PLAN");
    named_by = "WHEELRUN_PLAN";
  }
  std::optional<FoundPlan> found;
  if (path.empty()) {
    found = FindPlan(host);
  } else if (auto text = host.files.Read(path)) {
    found = {path, *std::move(text)};
  }
  if (!found) {
    diagnostics.Report(
        {.code = "no-plan",
         .message = path.empty() ? "neither this folder nor one above it has a plan.json"
                                 : fmt::format("there is no {}, which {} names", path, named_by),
         .notes = {"`wheelwright generate` writes it beside the workflows; name it: --plan FILE"}});
    return std::nullopt;
  }
  std::optional<Plan> plan = ReadPlanText(found->text, found->path, diagnostics);
  if (plan) WarnOfOtherRelease(plan->selection.wheelrun, found->path, diagnostics);
  return plan;
}

}  // namespace wheelwright
