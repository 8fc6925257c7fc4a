#include "runtime/wheels/transfer/unpack.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/parallel.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/host/actions/log.h"
#include "runtime/wheels/transfer/upload_files.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

std::string StemOf(const std::string& path) {
  return ArchiveStem(PathText(SystemPath(path).filename())).value_or("");
}

// The temporary folder for unpacking. No archive may have this name.
constexpr std::string_view kFresh = ".unpacking";

// Checks that the stems of archives are safe and different; logs errors.
bool StemsAreFolders(const std::vector<std::string>& paths, Log& log) {
  std::map<std::string, std::string_view> taken;  // in lower case, as some file systems ignore case
  bool good = true;
  for (const std::string& path : paths) {
    const std::string stem = StemOf(path);
    if (const std::string problem = ProblemOfStem(stem); !problem.empty()) {
      log.Error(fmt::format("{} cannot be unpacked into a folder called {}: {}", QuotedPath(path),
                            Quoted(stem), problem));
      good = false;
      continue;
    }
    const auto [other, is_new] = taken.emplace(ToLower(stem), path);
    if (is_new) continue;
    log.Error(fmt::format("{} and {} would be unpacked into one folder: remove one of them",
                          QuotedPath(other->second), QuotedPath(path)));
    good = false;
  }
  return good;
}

// tar itself refuses names and links that lead out of the folder. It runs beside the archive,
// because GNU's takes the drive of `D:/a.tar` for a host.
std::string Unpack(const std::string& archive, const fs::path& fresh, const fs::path& folder,
                   Host& host) {
  const fs::path partial = fresh / folder.filename();
  std::error_code error;
  MakeFolders(PathText(partial), error);
  if (error) return fmt::format("cannot make {}: {}", PathText(partial), error.message());
  std::string said;
  const ProcessEnd end = host.processes->Run(
      {.arguments = {"tar", "-x", "-f", PathText(SystemPath(archive).filename()), "-C",
                     PathText(partial), "--no-same-owner", "--no-same-permissions"},
       .folder = ParentFolder(archive),
       .variables = host.variables,
       .on_output = [&](std::string_view piece) {
         constexpr std::size_t kMost = 4096;
         if (said.size() < kMost) said.append(piece.substr(0, kMost - said.size()));
       }});
  if (!end.good()) {
    const std::string_view first = Trim(Split(Trim(said), '\n').front());
    return end.how == ProcessEnd::How::kNotStarted ? end.reason : std::string(first);
  }
  RemoveAll(PathText(folder), error);
  if (!error) PutInPlace(PathText(partial), PathText(folder), error);
  return error ? fmt::format("cannot make {}: {}", PathText(folder),
                             ReasonFor(error, PathText(folder)))
               : "";
}

}  // namespace

std::optional<std::string> ArchiveStem(std::string_view file) {
  constexpr std::array<std::string_view, 4> kEndings{".tar.xz", ".tar.zst", ".tar.gz", ".tar"};
  for (const std::string_view ending : kEndings) {
    if (file.ends_with(ending) && file.size() > ending.size()) {
      return std::string(file.substr(0, file.size() - ending.size()));
    }
  }
  return std::nullopt;
}

std::string ProblemOfStem(std::string_view stem) {
  if (stem.starts_with('.')) return "it begins with a full stop";
  if (stem.find_first_of("/\\:") != stem.npos || FindForeignByte(stem) ||
      stem.find_first_of("\n\t") != stem.npos) {
    return "it has a character that is not allowed in a name";
  }
  // Windows drops them.
  if (stem.ends_with('.') || stem.ends_with(' ')) return "it ends with a full stop or a blank";
  return {};
}

bool UnpackAll(const std::string& archives, const std::string& output,
               const std::function<bool(std::string_view stem)>& wanted, bool dry_run, Host& host) {
  std::vector<std::string> paths;
  for (const UploadFile& file : FilesBelow(archives, true)) {
    const std::string stem = StemOf(file.path);
    if (!stem.empty() && wanted(stem)) paths.push_back(file.path);
  }
  Log log(host);
  if (paths.empty() && !dry_run) {
    log.Error(fmt::format("there is no requested archive in {}", QuotedPath(archives)));
    return false;
  }
  if (!StemsAreFolders(paths, log)) return false;
  const fs::path fresh = SystemPath(output) / kFresh;
  std::error_code error;
  if (!dry_run) RemoveAll(PathText(fresh), error);  // left by a killed command
  std::mutex mutex;
  bool good = true;
  std::atomic<std::size_t> done{0};
  ParallelFor(paths.size(), host.machine.cores, [&](std::size_t i) {
    const fs::path folder = SystemPath(output) / SystemPath(StemOf(paths[i]));
    if (dry_run) {
      const std::lock_guard hold(mutex);
      log.Say(fmt::format("would unpack {} into {}", paths[i], PathText(folder)));
      return;
    }
    const std::string problem = Unpack(paths[i], fresh, folder, host);
    if (problem.empty()) {
      ++done;
      return;
    }
    const std::lock_guard hold(mutex);
    log.Error(fmt::format("{} cannot be unpacked: {}", paths[i], problem));
    good = false;
  });
  if (!dry_run) RemoveAll(PathText(fresh), error);
  if (!dry_run) log.Say(fmt::format("{} unpacked into {}", Count(done, "archive"), output));
  return good;
}

}  // namespace wheelwright
