#include "runtime/wheels/index/index_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/host/actions/log.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostNamed = 10;

}  // namespace

void ReportIndex(const IndexResult& result, const Storage& storage, std::string_view prefix,
                 bool dry_run, Host& host) {
  Log log(host);
  if (dry_run) {
    for (const IndexedFile& file : result.files) {
      // The metadata is known, but there is no metadata file.
      if (file.metadata_sha256.empty() || !file.metadata_store_version.empty()) continue;
      log.Say(
          fmt::format("would write {}{}{}", storage.NameOf(prefix), file.file, kMetadataSuffix));
    }
    for (const std::string& key : result.written) {
      log.Say(fmt::format("would write {}", storage.NameOf(key)));
    }
  }
  const auto& out = result.left_out;
  for (std::size_t i = 0; i < std::min(out.size(), kMostNamed); ++i) {
    log.Warning(out[i], "on no page");
  }
  if (out.size() > kMostNamed) {
    log.Warning(fmt::format("{} more", Count(out.size() - kMostNamed, "file")), "on no page");
  }
  if (!result.without_sum.empty()) {
    log.Say(fmt::format("{} without a SHA-256, such as {}: not uploaded by wheelrun",
                        Count(result.without_sum.size(), "file"),
                        Quoted(result.without_sum.front())));
  }
  std::string conflicts;
  if (result.conflicts > 0) {
    conflicts = fmt::format("; another writer was faster {}", Count(result.conflicts, "time"));
  }
  log.Say(fmt::format(
      "{}: {} of {}, {} new{}; {} {}{}", storage.NameOf(prefix), Count(result.files.size(), "file"),
      Count(result.projects, "project"), result.read,
      result.yanked > 0 ? fmt::format(", {} yanked", result.yanked) : "",
      Count(result.written.size(), "page"), dry_run ? "to write" : "written", conflicts));
}

}  // namespace wheelwright
