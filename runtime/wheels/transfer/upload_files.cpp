#include "runtime/wheels/transfer/upload_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>

#include "base/parallel.h"
#include "base/platform/file_access.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/host/actions/log.h"
#include "runtime/host/programs/runner.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/storage/keys.h"
#include "runtime/store/storage/known_sum.h"
#include "runtime/store/storage/transfer_meter.h"
#include "runtime/wheels/index/index_files.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// Concurrent files; parts of large files share the same connections.
constexpr std::size_t kUploadsAtOnce = 32;
constexpr std::string_view kRunAttempt = "run-attempt";  // metadata: the attempt that wrote it

using Listing = std::map<std::string, ObjectInfo>;  // by key

Listing ListAll(Storage& storage, std::string_view prefix) {
  Listing there;
  for (ObjectInfo& object : storage.List(prefix)) there.emplace(object.key, object);
  return there;
}

// 0 if it is not set.
std::size_t AttemptOf(std::string_view text) {
  std::size_t attempt = 0;
  std::from_chars(text.data(), text.data() + text.size(), attempt);
  return attempt;
}

std::string ProblemOf(Storage& storage, UploadFile& file, const Host& host) {
  const std::optional<ObjectInfo> there = storage.Head(file.key);
  if (!there) return {};
  file.replaces = there->version;
  if (!there->sha256.empty()) file.sha256 = Sha256OfFile(file.path).value_or("");
  const bool same = there->sha256.empty() ? HoldsSame(*there, file.path).value_or(false)
                                          : there->sha256 == file.sha256;
  if (same) return {};
  const auto written = there->metadata.find(std::string(kRunAttempt));
  const std::size_t by = written == there->metadata.end() ? 0 : AttemptOf(written->second);
  if (by > 0 && by < AttemptOf(host.Variable("GITHUB_RUN_ATTEMPT"))) return {};
  return fmt::format("{} exists already with other content than {}", storage.NameOf(file.key),
                     file.path);
}

void RequireInside(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path target = SystemPath(RealPath(path, error));
  if (error) return;  // a dangling link is no file
  const fs::path way = target.lexically_relative(SystemPath(folder));
  if (!way.empty() && *way.begin() != "..") return;
  throw StorageError(StorageError::Kind::kLocal,
                     fmt::format("{} is a link out of {}: replace it by its target",
                                 QuotedPath(path), QuotedPath(folder)));
}

// One file at a time; safe to call from several threads for several files.
class Uploader {
 public:
  Uploader(Storage& storage, const Listing& there, Host& host, TransferMeter& meter)
      : storage_(storage), there_(there), host_(host), meter_(meter) {}

  void Put(UploadFile& file) {
    const auto found = there_.find(file.key);
    if (found != there_.end() && found->second.size == file.size && IsThere(file)) {
      file.was_there = true;
      meter_.Add(file.size);
    } else {
      PutOptions options{.content_type = std::string(ContentTypeOf(file.name))};
      if (!file.metadata.empty()) {
        options.metadata[std::string(kUploadTime)] = TimeText(host_.now());
      }
      if (file.of_run) {
        options.if_absent = !file.replace && file.replaces.empty();
        if (!file.replace) options.if_version = file.replaces;
        const std::string attempt = host_.Variable("GITHUB_RUN_ATTEMPT");
        if (!attempt.empty()) options.metadata[std::string(kRunAttempt)] = attempt;
      }
      const ObjectInfo put = storage_.Upload(file.path, file.key, options, file.sha256,
                                             [this](std::uint64_t bytes) { meter_.Add(bytes); });
      file.sha256 = put.sha256;
    }
    if (!file.metadata.empty()) PutMetadata(file);
    if (!file.manifest.empty()) PutManifest(file);
    meter_.FileDone();
  }

 private:
  bool IsThere(UploadFile& file) {
    const std::optional<ObjectInfo> info = storage_.Head(file.key);
    if (!info || info->sha256.empty()) return false;
    if (file.sha256.empty()) file.sha256 = Sha256OfFile(file.path).value_or("");
    return info->sha256 == file.sha256;
  }

  void PutMetadata(const UploadFile& file) {
    const std::string key = file.key + std::string(kMetadataSuffix);
    if (file.was_there && there_.contains(key)) {
      const std::optional<ObjectInfo> info = storage_.Head(key);
      const auto of = info ? info->metadata.find(std::string(kMetadataOfWheel))
                           : std::map<std::string, std::string>::const_iterator();
      if (info && of != info->metadata.end() && of->second == file.sha256) return;
    }
    storage_.Write(key, file.metadata, MetadataOptions(file.sha256));
  }

  void PutManifest(const UploadFile& file) {
    const std::string key = file.key + std::string(kManifestSuffix);
    if (there_.contains(key) && storage_.Read(key) == file.manifest) return;
    storage_.Write(key, file.manifest, ManifestOptions());
  }

  Storage& storage_;
  const Listing& there_;
  Host& host_;
  TransferMeter& meter_;
};

}  // namespace

std::vector<UploadFile> FilesBelow(const std::string& folder, bool deep, const std::string& root) {
  std::vector<UploadFile> files;
  std::error_code error;
  const std::string inside = RealPath(root.empty() ? folder : root, error);
  const fs::path top = SystemPath(folder);
  RequireInside(folder, inside);
  const auto visit = [&](const FolderEntry& entry) {
    // A build may have made links to any file of this machine.
    if (entry.is_link) RequireInside(entry.path, inside);
    if (entry.is_folder) return deep && !entry.name.starts_with('.');
    const std::optional<FileFacts> facts = LookAtFile(entry.path);
    const std::string name = PathText(SystemPath(entry.path).lexically_relative(top));
    if (facts) files.push_back({.path = entry.path, .name = name, .size = facts->size});
    return false;
  };
  WalkBelow(folder, visit, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw StorageError(StorageError::Kind::kLocal,
                       fmt::format("cannot list {}: {}", folder, error.message()));
  }
  std::ranges::sort(files, {}, &UploadFile::name);
  return files;
}

std::uint64_t SizeOf(const std::vector<UploadFile>& files) {
  return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const UploadFile& file) { return sum + file.size; });
}

std::vector<std::string> ReplacedFiles(Storage& storage, std::string_view prefix,
                                       std::vector<UploadFile>& files, const Host& host) {
  const Listing there = ListAll(storage, prefix);
  std::vector<std::string> problems(files.size());
  ParallelFor(files.size(), kUploadsAtOnce, [&](std::size_t i) {
    if (files[i].of_run && there.contains(files[i].key)) {
      problems[i] = ProblemOf(storage, files[i], host);
    }
  });
  std::erase(problems, std::string());
  return problems;
}

void UploadAll(Storage& storage, std::string_view prefix, std::vector<UploadFile>& files,
               Host& host) {
  const Listing there = ListAll(storage, prefix);
  std::vector<UploadFile*> largest_first;
  for (UploadFile& file : files) largest_first.push_back(&file);
  std::ranges::stable_sort(largest_first, std::ranges::greater(), &UploadFile::size);
  const std::uint64_t bytes = SizeOf(files);
  std::chrono::milliseconds time{};
  {
    TransferMeter meter(host, "uploaded", bytes, files.size());
    Uploader uploader(storage, there, host, meter);
    ParallelFor(files.size(), kUploadsAtOnce,
                [&](std::size_t i) { uploader.Put(*largest_first[i]); });
    time = meter.elapsed();
  }
  const auto kept =
      static_cast<std::size_t>(std::ranges::count(files, true, &UploadFile::was_there));
  Log(host).Say(fmt::format("{}: {} ({}) in {}, {}{}", storage.NameOf(prefix),
                            Count(files.size(), "file"), SizeText(bytes), DurationText(time),
                            Rate(bytes, time),
                            kept > 0 ? fmt::format("; {} of them there already", kept) : ""));
}

}  // namespace wheelwright
