#include "runtime/commands/input/places.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/input/build_arguments.h"
#include "runtime/store/open_storage.h"

namespace wheelwright {
namespace {

// Whether `--family` exists on a platform; reports it if not.
bool CheckFamily(const Arguments& arguments, std::string_view command, const Plan& plan,
                 Diagnostics& diagnostics) {
  Diagnostics last;
  for (const PlatformRow& platform : plan.selection.platforms) {
    Diagnostics found;
    if (TakeTargets(arguments, command, platform.name, plan, found)) return true;
    last = std::move(found);
  }
  diagnostics.Merge(std::move(last));
  return false;
}

std::optional<StoragePlace> TakeFolder(const Arguments& arguments, std::string_view folder,
                                       Host& host, Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 6> kElsewhere{
      "bucket", "output-dir", "family", "release-type", "staging", "endpoint-url"};
  for (const std::string_view option : kElsewhere) {
    if (!arguments.Has(option)) continue;
    diagnostics.Report({.code = "two-places",
                        .message = fmt::format("'--{}' and the folder {} are two places", option,
                                               QuotedPath(folder)),
                        .hint = "remove one of them"});
  }
  const std::string path = AbsolutePath(folder, host);
  if (!IsFolder(path)) {
    diagnostics.Report(
        {.code = "no-folder", .message = fmt::format("there is no folder {}", QuotedPath(folder))});
  }
  if (diagnostics.errors() > 0) return std::nullopt;
  return StoragePlace{.folder = path, .prefix = AsPrefix(arguments.Get("prefix"))};
}

}  // namespace

OptionSpec ReleaseTypeOption() {
  return {.name = "release-type",
          .argument = "NAME",
          .help = "The release type whose folders to use (default: the one that uses the bucket)"};
}

const ReleaseTypeRow* TakeReleaseType(const Arguments& arguments, std::string_view command,
                                      const Plan& plan, Diagnostics& diagnostics) {
  std::vector<std::string_view> types, buckets;
  for (const ReleaseTypeRow& row : plan.selection.release_types) {
    types.push_back(row.name);
    buckets.push_back(row.python_bucket);
  }
  if (const std::string_view type = arguments.Get("release-type"); !type.empty()) {
    const ReleaseTypeRow* row = plan.selection.FindReleaseType(type);
    if (row != nullptr) return row;
    diagnostics.Report({.code = "unknown-release-type",
                        .message = fmt::format("no release type is called {}", Quoted(type)),
                        .hint = DidYouMean(type, types, "there are ")});
    return nullptr;
  }
  const std::string_view bucket = arguments.Get("bucket");
  if (bucket.empty()) {
    diagnostics.Report({.code = "missing-argument",
                        .message = fmt::format("'{}' needs '--release-type'", command),
                        .hint = "such as --release-type nightly",
                        .notes = {"without a bucket nothing else determines the folders"}});
    return nullptr;
  }
  const ReleaseTypeRow* row = plan.FindTypeOf(bucket);
  if (row != nullptr) return row;
  diagnostics.Report({.code = "unknown-bucket",
                      .message = fmt::format("no release type uses the bucket {}", Quoted(bucket)),
                      .hint = DidYouMean(bucket, buckets),
                      .notes = {"for a bucket that is not in the matrix, give the release type: "
                                "--release-type nightly"}});
  return nullptr;
}

std::optional<ReleaseFolders> TakeReleaseFolders(const Arguments& arguments,
                                                 std::string_view command, const Plan& plan,
                                                 Diagnostics& diagnostics) {
  const bool known = CheckFamily(arguments, command, plan, diagnostics);
  const ReleaseTypeRow* row = TakeReleaseType(arguments, command, plan, diagnostics);
  if (row == nullptr || !known) return std::nullopt;
  std::string family = plan.FolderOf(arguments.Get("family"));
  return ReleaseFolders{.family = family,
                        .staging = AsPrefix(row->staging_subdir) + family + "/",
                        .release = AsPrefix(row->subdir) + family + "/",
                        .dependencies = AsPrefix(row->dependencies_subdir),
                        .staging_index_url = fmt::format("{}/{}/", row->staging_index_url, family),
                        .index_url = fmt::format("{}/{}/", row->index_url, family)};
}

std::vector<OptionSpec> WithIndexPlace(std::vector<OptionSpec> own) {
  own = Joined(std::move(own),
               {{.name = "family",
                 .argument = "FAMILY",
                 .help = "The GPU family whose folder to use; the matrix has its path"},
                ReleaseTypeOption(),
                {.name = "staging", .argument = {}, .help = "Use its staging folder"},
                {.name = "prefix",
                 .argument = "FOLDER",
                 .help = "A folder in the bucket or --output-dir, instead of a family's"}});
  return Joined(WithStorage(std::move(own)), {PlanOption()});
}

std::optional<StoragePlace> TakeIndexPlace(const Arguments& arguments, std::string_view command,
                                           std::string_view folder, Host& host,
                                           Diagnostics& diagnostics) {
  if (!folder.empty()) return TakeFolder(arguments, folder, host, diagnostics);
  std::string prefix = AsPrefix(arguments.Get("prefix"));
  std::optional<StoragePlace> place = TakeStoragePlace(arguments, host, diagnostics);
  if (arguments.Has("family")) {
    if (arguments.Has("prefix")) {
      diagnostics.Report({.code = "two-places",
                          .message = "'--family' and '--prefix' are two places",
                          .hint = "remove one of them"});
      return std::nullopt;
    }
    const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
    if (!plan) return std::nullopt;
    const auto release = TakeReleaseFolders(arguments, command, *plan, diagnostics);
    if (!release) return std::nullopt;
    const bool staging = arguments.Has("staging");
    prefix = staging ? release->staging : release->release;
    if (place) place->url = staging ? release->staging_index_url : release->index_url;
  } else if (prefix.empty() && !arguments.Has("prefix") && arguments.Has("bucket")) {
    diagnostics.Report({.code = "missing-argument",
                        .message = fmt::format("'{}' needs '--family' or '--prefix'", command),
                        .hint = "such as --family gfx94X-dcgpu",
                        .notes = {"the whole bucket is --prefix /"}});
  }
  if (!place || diagnostics.errors() > 0) return std::nullopt;
  place->prefix = std::move(prefix);
  return place;
}

OptionSpec RepositoryOption() {
  return {.name = "repository",
          .argument = "OWNER/NAME",
          .help = "The repository of that run (default: the job's, else the matrix's)"};
}

std::vector<OptionSpec> RunOptions() {
  return {{.name = "run-id",
           .argument = "ID",
           .help = "The run whose folder to use (default: the run of this job)"},
          RepositoryOption()};
}

std::string TakeRepository(const Arguments& arguments, const Host& host, const Plan& plan) {
  if (arguments.Has("repository")) return std::string(arguments.Get("repository"));
  const std::string own = host.Variable("GITHUB_REPOSITORY");
  return own.empty() ? plan.selection.repository : own;
}

std::string TakeRunId(const Arguments& arguments, const Host& host) {
  return arguments.Has("run-id") ? std::string(arguments.Get("run-id"))
                                 : host.Variable("GITHUB_RUN_ID");
}

bool RunsFork(const Host& host) {
  if (EqualsIgnoringCase(host.Variable("IS_PR_FROM_FORK"), "true")) return true;
  const std::string path = host.Variable("GITHUB_EVENT_PATH");
  if (path.empty()) return false;
  std::optional<std::string> text;
  try {
    text = host.files.Read(path);
  } catch (const FileError&) {
    return false;
  }
  const nlohmann::json event = ParseJson(text.value_or(""));
  const nlohmann::json::json_pointer head("/pull_request/head/repo/full_name");
  const nlohmann::json::json_pointer base("/pull_request/base/repo/full_name");
  return event.is_object() && event.contains(head) && event.contains(base) &&
         event.at(head) != event.at(base);
}

std::vector<OptionSpec> RunStoreOptions() {
  return {
      {.name = "bucket",
       .argument = "NAME",
       .help = "The bucket (default: that of the repository in the matrix)"},
      {.name = "store",
       .argument = "DIR",
       .help = "A folder instead of a bucket, as `upload --output-dir` wrote it"},
      {.name = "endpoint-url",
       .argument = "URL",
       .help = "An S3-compatible server to use instead of AWS (default: the variable "
               "AWS_ENDPOINT_URL)"},
      {.name = "release-type", .argument = "NAME", .help = "The release type of the run, if any"}};
}

std::optional<StoragePlace> TakeRunStore(const Arguments& arguments, Host& host,
                                         Diagnostics& diagnostics) {
  auto place =
      TakeStoragePlace(arguments, host, diagnostics, {.folder_option = "store", .required = false});
  if (place) place->anonymous = true;  // artifacts are public
  return place;
}

RunOrigin OriginOf(const FoundRun& run, const Arguments& arguments) {
  RunOrigin origin = run.origin;
  origin.release_type = arguments.Get("release-type");
  return origin;
}

StoragePlace PlaceOfRun(StoragePlace store, RunOrigin origin, std::string_view id,
                        const Arguments& arguments, const Plan& plan, const Host& host) {
  if (origin.release_type.empty()) {
    for (const ReleaseTypeRow& row : plan.selection.release_types) {
      const StoragePlace usual =
          FindArtifactBucket(plan.artifact_buckets,
                             {.repository = plan.selection.repository, .release_type = row.name});
      if (store.bucket.empty() || usual.bucket != store.bucket) continue;
      origin.release_type = row.name;
      break;
    }
  }
  const StoragePlace found = FindArtifactBucket(plan.artifact_buckets, origin);
  if (store.folder.empty() && store.bucket.empty()) store.bucket = found.bucket;
  store.prefix = fmt::format("{}{}-{}/", found.prefix, id, TakePlatform(arguments, host));
  return store;
}

std::string ArchiveFolder(std::string_view group) { return fmt::format("artifacts/{}/", group); }

std::string PackageFolder(std::string_view group) { return fmt::format("python/{}/", group); }

std::string AsPrefix(std::string_view folder) {
  while (folder.starts_with('/')) folder.remove_prefix(1);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder.empty() ? std::string() : std::string(folder) + "/";
}

}  // namespace wheelwright
