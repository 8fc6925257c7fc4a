#include "runtime/wheels/resolve/install_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/resolve/source_metadata.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

constexpr std::size_t kFilesAtOnce = 16;

}  // namespace

struct InstallView::Entry {
  std::string stored;  // the name of the file in the store
  std::uint64_t size = 0;
  std::string sum;      // of the metadata file beside it; "": read the wheel
  std::once_flag once;  // guards `metadata`
  std::string metadata;
};

InstallView::InstallView(Storage& storage, std::string release, std::string dependencies,
                         const std::vector<std::string>& staged)
    : storage_(storage) {
  release_.prefix = std::move(release);
  Fill(release_, staged);
  dependencies_.prefix = std::move(dependencies);
  if (!dependencies_.prefix.empty()) Fill(dependencies_, {});
}

InstallView::~InstallView() = default;

void InstallView::Fill(Folder& folder, const std::vector<std::string>& staged) {
  IndexResult index = WriteIndex(storage_, folder.prefix, {.dry_run = true});
  std::vector<IndexedFile> files = std::move(index.files);
  std::vector<std::unique_ptr<Entry>> entries(files.size());
  ParallelFor(files.size(), kFilesAtOnce, [&](std::size_t i) {
    entries[i] = std::make_unique<Entry>();
    Entry& entry = *entries[i];
    entry.stored = files[i].file;
    entry.size = files[i].size;
    entry.sum = files[i].metadata_sha256;
    if (!files[i].file.ends_with(".whl")) {
      if (!ShowAsWheel(folder, files[i], entry)) entries[i].reset();
    } else if (std::ranges::find(staged, entry.stored) != staged.end()) {
      entry.sum.clear();
      files[i].metadata_sha256 = Sha256Of(Read(folder, entry));
    }
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!entries[i] || folder.entries.contains(files[i].file)) continue;
    folder.entries.emplace(files[i].file, std::move(entries[i]));
    std::string project = files[i].project;
    folder.projects[std::move(project)].push_back(std::move(files[i]));
  }
}

bool InstallView::ShowAsWheel(const Folder& folder, IndexedFile& file, Entry& entry) {
  constexpr std::uint64_t kMostArchive = 16 << 20;
  if (!file.file.ends_with(".tar.gz") || file.size > kMostArchive) return false;
  const std::optional<std::string> archive = storage_.Read(folder.prefix + file.file);
  std::optional<std::string> text;
  if (archive) text = ReadPackageInfo(*archive);
  if (!text) return false;
  file.file =
      fmt::format("{}-{}-py3-none-any.whl", EscapeProject(file.project), file.version.ToString());
  WheelMetadata metadata = ReadMetadataText(*std::move(text), file.file);
  if (!metadata.problem.empty()) return false;
  file.requires_python = metadata.requires_python;
  file.metadata_sha256 = Sha256Of(metadata.text);
  file.sha256.clear();
  std::call_once(entry.once, [&] { entry.metadata = std::move(metadata.text); });
  return true;
}

const std::string& InstallView::Read(const Folder& folder, Entry& entry) {
  std::call_once(entry.once, [&] {
    const std::string key = folder.prefix + entry.stored;
    if (!entry.sum.empty()) {
      std::optional<std::string> text = storage_.Read(key + std::string(kMetadataSuffix));
      if (text && Sha256Of(*text) == entry.sum) {
        entry.metadata = *std::move(text);
        return;
      }
    }
    const StoredSource wheel(storage_, key, entry.size);
    entry.metadata = ReadStoredMetadata(wheel, entry.stored).text;
  });
  return entry.metadata;
}

std::span<const IndexedFile> InstallView::FilesOf(std::string_view project) const {
  for (const Folder* folder : {&release_, &dependencies_}) {
    const auto found = folder->projects.find(project);
    if (found != folder->projects.end()) return found->second;
  }
  return {};
}

const std::string& InstallView::MetadataOf(const IndexedFile& file) {
  const bool released = release_.projects.contains(file.project);
  Folder& folder = released ? release_ : dependencies_;
  return Read(folder, *folder.entries.find(file.file)->second);
}

const std::string& InstallView::StoredName(const IndexedFile& file) const {
  const bool released = release_.projects.contains(file.project);
  return (released ? release_ : dependencies_).entries.find(file.file)->second->stored;
}

LocalAnswer InstallView::Answer(std::string_view encoded) {
  std::string path;
  for (const char c : encoded) path += c == '+' ? std::string("%2B") : std::string(1, c);
  path = DecodeQuery(path);
  try {
    if (path.starts_with(kReleasePath)) {
      return AnswerFrom(release_, std::string_view(path).substr(kReleasePath.size()));
    }
    if (path.starts_with(kDependenciesPath)) {
      return AnswerFrom(dependencies_, std::string_view(path).substr(kDependenciesPath.size()));
    }
  } catch (const StorageError& error) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = error.what();
  }
  return {};
}

LocalAnswer InstallView::AnswerFrom(Folder& folder, std::string_view name) {
  if (name.ends_with('/')) {
    const auto found = folder.projects.find(name.substr(0, name.size() - 1));
    if (found == folder.projects.end()) return {};
    return {200, std::string(kHtmlType), ProjectPage(found->first, found->second, "../").html};
  }
  if (!name.ends_with(kMetadataSuffix)) return {};
  const auto found = folder.entries.find(name.substr(0, name.size() - kMetadataSuffix.size()));
  if (found == folder.entries.end()) return {};
  const std::string& text = Read(folder, *found->second);
  if (text.empty()) return {};
  return {.status = 200, .body = text};
}

std::string InstallView::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace wheelwright
