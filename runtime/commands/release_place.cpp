#include "runtime/commands/release_place.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/build_arguments.h"
#include "runtime/commands/session.h"

namespace wheelwright {
namespace {

// Whether it is one on any platform. Reports it otherwise.
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

}  // namespace

OptionSpec ReleaseTypeOption() {
  return {.name = "release-type",
          .argument = "NAME",
          .help =
              "The release type whose folders to use (default: the one that has its wheels in "
              "the bucket)"};
}

const ReleaseIndex* TakeReleaseIndex(const Arguments& arguments, std::string_view command,
                                     const Plan& plan, Diagnostics& diagnostics) {
  std::vector<std::string_view> types, buckets;
  for (const ReleaseIndex& row : plan.indexes) {
    types.push_back(row.release_type);
    buckets.push_back(row.python_bucket);
  }
  if (const std::string_view type = arguments.Get("release-type"); !type.empty()) {
    const ReleaseIndex* row = plan.FindIndex(type);
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
                        .notes = {"without a bucket nothing else says in which folders releases "
                                  "lie"}});
    return nullptr;
  }
  const ReleaseIndex* row = plan.FindIndexIn(bucket);
  if (row != nullptr) return row;
  diagnostics.Report(
      {.code = "unknown-bucket",
       .message = fmt::format("no release type has its wheels in the bucket {}", Quoted(bucket)),
       .hint = DidYouMean(bucket, buckets),
       .notes = {"for a bucket that the matrix does not know, say whose folders it has: "
                 "--release-type nightly"}});
  return nullptr;
}

std::optional<ReleasePlace> TakeReleasePlace(const Arguments& arguments, std::string_view command,
                                             const Plan& plan, Diagnostics& diagnostics) {
  const bool known = CheckFamily(arguments, command, plan, diagnostics);
  const ReleaseIndex* row = TakeReleaseIndex(arguments, command, plan, diagnostics);
  if (row == nullptr || !known) return std::nullopt;
  const std::string family = plan.FolderOf(arguments.Get("family"));
  return ReleasePlace{.staging = AsPrefix(row->staging_subdir) + family + "/",
                      .release = AsPrefix(row->subdir) + family + "/",
                      .index_url = fmt::format("{}/{}/", row->index_url, family)};
}

std::string AsPrefix(std::string_view folder) {
  while (folder.starts_with('/')) folder.remove_prefix(1);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder.empty() ? std::string() : std::string(folder) + "/";
}

}  // namespace wheelwright
