#include "runtime/commands/unpack.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <mutex>

#include "base/parallel.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/actions/log.h"
#include "runtime/commands/archive_filter.h"
#include "runtime/commands/upload_files.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

std::string StemOf(const std::string& path) {
  return ArchiveStem(fs::path(path).filename().string()).value_or("");
}

// tar refuses names that lead out of the folder, and links that would make others do so.
std::string Unpack(const std::string& archive, const fs::path& folder, Host& host) {
  const fs::path partial = folder.string() + ".part";
  std::error_code error;
  fs::remove_all(partial, error);
  fs::create_directories(partial, error);
  if (error) return fmt::format("cannot make {}: {}", partial.string(), error.message());
  std::string said;
  const ProcessEnd end = host.processes->Run(
      {.arguments = {"tar", "-x", "-f", archive, "-C", partial.string(), "--no-same-owner"},
       .variables = host.variables,
       .on_output = [&](std::string_view piece) {
         constexpr std::size_t kMost = 4096;
         if (said.size() < kMost) said.append(piece.substr(0, kMost - said.size()));
       }});
  if (!end.good()) {
    fs::remove_all(partial, error);
    const std::string_view first = Trim(Split(Trim(said), '\n').front());
    return end.how == ProcessEnd::How::kNotStarted ? end.reason : std::string(first);
  }
  fs::remove_all(folder, error);
  fs::rename(partial, folder, error);
  return error ? fmt::format("cannot make {}: {}", folder.string(), error.message()) : "";
}

}  // namespace

bool UnpackAll(const std::string& archives, const std::string& output,
               const std::function<bool(std::string_view stem)>& wanted, bool dry_run, Host& host) {
  std::vector<std::string> paths;
  for (const UploadFile& file : FilesBelow(archives, true)) {
    const std::string stem = StemOf(file.path);
    if (!stem.empty() && wanted(stem)) paths.push_back(file.path);
  }
  Log log(host);
  if (paths.empty() && !dry_run) {
    log.Error(fmt::format("there is no archive in {} that is asked for", QuotedPath(archives)));
    return false;
  }
  std::mutex mutex;
  bool good = true;
  std::atomic<std::size_t> done{0};
  ParallelFor(paths.size(), host.machine.cores, [&](std::size_t i) {
    const fs::path folder = fs::path(output) / StemOf(paths[i]);
    if (dry_run) {
      const std::lock_guard hold(mutex);
      log.Say(fmt::format("would unpack {} into {}", paths[i], folder.string()));
      return;
    }
    const std::string problem = Unpack(paths[i], folder, host);
    if (problem.empty()) {
      ++done;
      return;
    }
    const std::lock_guard hold(mutex);
    log.Error(fmt::format("{} cannot be unpacked: {}", paths[i], problem));
    good = false;
  });
  if (!dry_run) log.Say(fmt::format("{} unpacked into {}", Count(done, "archive"), output));
  return good;
}

}  // namespace wheelwright
