#include "runtime/commands/unpack.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <mutex>

#include "base/parallel.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/actions/log.h"
#include "runtime/commands/upload_files.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// "blas_lib_gfx94X-dcgpu" of "blas_lib_gfx94X-dcgpu.tar.xz"; "" of what is no archive.
std::string StemOf(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  constexpr std::array<std::string_view, 4> kEndings{".tar.xz", ".tar.zst", ".tar.gz", ".tar"};
  for (const std::string_view ending : kEndings) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return {};
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

bool UnpackAll(const std::string& archives, const std::string& output, bool dry_run, Host& host) {
  std::vector<std::string> paths;
  for (const UploadFile& file : FilesBelow(archives, true)) {
    if (!StemOf(file.path).empty()) paths.push_back(file.path);
  }
  Log log(host);
  if (paths.empty() && !dry_run) {
    log.Error(fmt::format("there is no archive in {}", QuotedPath(archives)));
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
