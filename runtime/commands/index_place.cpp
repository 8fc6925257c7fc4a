#include "runtime/commands/index_place.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "base/quote.h"
#include "runtime/commands/build_arguments.h"
#include "runtime/commands/release_place.h"
#include "runtime/store/open_storage.h"
#include "runtime/store/storage/folder_storage.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {
namespace {

std::optional<IndexPlace> TakeFolder(const Arguments& arguments, std::string_view folder,
                                     Host& host, Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 6> kElsewhere{
      "bucket", "output-dir", "family", "release-type", "staging", "endpoint-url"};
  for (const std::string_view option : kElsewhere) {
    if (!arguments.Has(option)) continue;
    diagnostics.Report({.code = "two-places",
                        .message = fmt::format("'--{}' and the folder {} say two places", option,
                                               QuotedPath(folder)),
                        .hint = "leave one of them out"});
  }
  const std::string path = AbsolutePath(folder, host);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    diagnostics.Report(
        {.code = "no-folder", .message = fmt::format("there is no folder {}", QuotedPath(folder))});
  }
  if (diagnostics.errors() > 0) return std::nullopt;
  return IndexPlace{OpenFolder(path), AsPrefix(arguments.Get("prefix"))};
}

}  // namespace

std::vector<OptionSpec> WithIndexPlace(std::vector<OptionSpec> own) {
  own = Joined(std::move(own),
               {{.name = "family",
                 .argument = "FAMILY",
                 .help = "The GPU family whose folder of the bucket it is; the matrix knows where"},
                ReleaseTypeOption(),
                {.name = "staging",
                 .argument = {},
                 .help = "Its folder of wheels that are not released yet"},
                {.name = "prefix",
                 .argument = "FOLDER",
                 .help = "A folder in the bucket or the folder, instead of a family's"}});
  return Joined(WithStorage(std::move(own)), {PlanOption()});
}

std::optional<IndexPlace> TakeIndexPlace(const Arguments& arguments, std::string_view command,
                                         std::string_view folder, Host& host,
                                         Diagnostics& diagnostics) {
  if (!folder.empty()) return TakeFolder(arguments, folder, host, diagnostics);
  std::string prefix = AsPrefix(arguments.Get("prefix"));
  const std::optional<StoragePlace> place = TakeStoragePlace(arguments, host, diagnostics);
  if (arguments.Has("family")) {
    if (arguments.Has("prefix")) {
      diagnostics.Report({.code = "two-places",
                          .message = "'--family' and '--prefix' say two places",
                          .hint = "leave one of them out"});
      return std::nullopt;
    }
    const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
    if (!plan) return std::nullopt;
    const auto release = TakeReleasePlace(arguments, command, *plan, diagnostics);
    if (!release) return std::nullopt;
    prefix = arguments.Has("staging") ? release->staging : release->release;
  } else if (prefix.empty() && !arguments.Has("prefix") && arguments.Has("bucket")) {
    diagnostics.Report({.code = "missing-argument",
                        .message = fmt::format("'{}' needs '--family' or '--prefix'", command),
                        .hint = "such as --family gfx94X-dcgpu",
                        .notes = {"the whole bucket is --prefix /"}});
  }
  if (!place || diagnostics.errors() > 0) return std::nullopt;
  return IndexPlace{OpenStorage(*place, host), std::move(prefix)};
}

}  // namespace wheelwright
