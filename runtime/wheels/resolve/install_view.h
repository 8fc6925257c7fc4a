// What installers would find: the pages of a release and of its dependencies, and the metadata of
// their files. No wheel is downloaded: metadata is read by ranges, once, and only when asked for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/http/local_server.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {

// The paths of both indexes on the server of the view.
inline constexpr std::string_view kReleasePath = "/release/";
inline constexpr std::string_view kDependenciesPath = "/dependencies/";

class InstallView {
 public:
  // `storage` shows the folders as they will be. `dependencies` may be "". The metadata of `staged`
  // wheels is read from the wheels, because the file beside a staged one may be of an older wheel.
  // Throws StorageError.
  InstallView(Storage& storage, std::string release, std::string dependencies,
              const std::vector<std::string>& staged);
  InstallView(const InstallView&) = delete;
  InstallView& operator=(const InstallView&) = delete;
  ~InstallView();

  // The pages, and the metadata of files, by the path of a URL. Anything else is 404, such as the
  // wheels themselves.
  LocalAnswer Answer(std::string_view encoded);

  // The files of a project in the release, else in the dependencies, in the order of the pages.
  std::span<const IndexedFile> FilesOf(std::string_view project) const;
  // METADATA of one of them; "" when it cannot be read. Safe to call from several threads. Throws
  // StorageError.
  const std::string& MetadataOf(const IndexedFile& file);
  // The name of its file in the store: of a source archive, whose page here says it is a wheel,
  // because a resolver would have to build it.
  const std::string& StoredName(const IndexedFile& file) const;
  // The first failure of the store while it answered, or "".
  std::string failure() const;

 private:
  struct Entry;
  struct Folder {
    std::string prefix;
    std::map<std::string, std::vector<IndexedFile>, std::less<>> projects;
    std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries;  // by name of the file
  };

  void Fill(Folder& folder, const std::vector<std::string>& staged);
  bool ShowAsWheel(const Folder& folder, IndexedFile& file, Entry& entry);
  LocalAnswer AnswerFrom(Folder& folder, std::string_view name);
  const std::string& Read(const Folder& folder, Entry& entry);

  Storage& storage_;
  Folder release_;
  Folder dependencies_;
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace wheelwright
