#include "runtime/wheels/index/index_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_files.h"

namespace wheelwright {
namespace {

constexpr std::string_view kOwnFolder = "_own/";
constexpr std::string_view kDependenciesFolder = "_dependencies/";

// How the pages of a folder are found.
enum class Find : std::uint8_t {
  kByRoot,     // by the page that lists them, so that the files are listed only once
  kByListing,  // whatever lies there
};

// One attempt to update the index.
class Attempt {
 public:
  Attempt(Storage& storage, std::string_view prefix, const IndexOptions& options, Find find)
      : storage_(storage), prefix_(prefix), options_(options), find_(find) {}

  IndexResult Run() {
    // Read pages first, then files: see the header.
    FindPages();
    ReadPages();
    RequireOwnPages();
    const FileMarks yanks = ReadMarks(storage_, prefix_, kYankedFile);
    const FileMarks retired = ReadMarks(storage_, prefix_, kRetiredFile);
    std::future<KnownFiles> pages = std::async(std::launch::async, [&] { return FilesOnPages(); });
    std::vector<ObjectInfo> listing = storage_.List(prefix_);
    if (find_ == Find::kByRoot) RequireKnownPages(listing);
    const KnownFiles known = pages.get();
    std::erase_if(listing, [&](const ObjectInfo& object) {
      const std::string_view name = std::string_view(object.key).substr(prefix_.size());
      if (options_.only_new && options_.only_new->contains(name)) return false;
      return retired.contains(name) ||
             (options_.only_new && EndsLikeDistribution(name) && !known.Has(name));
    });
    FoundFiles found = FindFiles(
        storage_, prefix_, listing, known,
        {.threads = options_.threads, .write_metadata = !options_.dry_run, .url = options_.url});

    IndexResult result{
        .files = std::move(found.files), .read = found.read, .left_out = std::move(found.left_out)};
    for (IndexedFile& file : result.files) {
      if (file.sha256.empty()) result.without_sum.push_back(file.file);
      const auto yank = yanks.find(file.file);
      if (yank == yanks.end()) continue;
      file.yanked = yank->second;
      ++result.yanked;
    }
    needs_ = std::move(found.needs);
    result.projects = WriteView("", result.files);
    if (!options_.own.empty()) {
      std::vector<IndexedFile> own, others;
      for (const IndexedFile& file : result.files) (IsOwn(file) ? own : others).push_back(file);
      WriteView(kOwnFolder, own);
      WriteView(kDependenciesFolder, others);
    }
    result.written = std::move(written_);
    return result;
  }

 private:
  bool IsOwn(const IndexedFile& file) const {
    return std::ranges::any_of(options_.own, [&](const std::string& pattern) {
      return MatchesStars(pattern, file.project);
    });
  }

  // "torch" for "torch/index.html" in the folder of a view; "" for everything else.
  static std::string_view ProjectOfPage(std::string_view name, std::string_view view) {
    if (!name.starts_with(view)) return {};
    name.remove_prefix(view.size());
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || name.starts_with('_')) return {};
    const std::string_view page = name.substr(slash + 1);
    return page == kHtmlPage || page == kJsonPage ? name.substr(0, slash) : std::string_view();
  }

  // Notes the versions of all pages.
  void FindPages() {
    std::vector<ObjectInfo> objects;
    if (find_ == Find::kByRoot) objects = PagesOfRoot();
    if (objects.empty()) {
      find_ = Find::kByListing;
      objects = storage_.List(prefix_);
    }
    for (ObjectInfo& object : objects) {
      versions_.emplace(object.key.substr(prefix_.size()), std::move(object.version));
    }
  }

  // The pages of which the root page tells, and those of the folders that have nothing but pages.
  // Nothing if there is no root page.
  std::vector<ObjectInfo> PagesOfRoot() {
    const std::optional<std::string> root = storage_.Read(prefix_ + std::string(kJsonPage));
    if (!root) return {};
    std::vector<std::string> folders = ReadRootPage(*root);
    for (std::string& folder : folders) folder += '/';
    for (const std::string_view view : {kOwnFolder, kDependenciesFolder})
      folders.emplace_back(view);
    const std::array pages{kHtmlPage, kFindLinksPage, kJsonPage};
    std::vector<std::vector<ObjectInfo>> found(folders.size() + pages.size());
    ParallelFor(found.size(), options_.threads, [&](std::size_t i) {
      if (i < folders.size()) {
        found[i] = storage_.List(prefix_ + folders[i]);
      } else if (auto page = storage_.Head(prefix_ + std::string(pages[i - folders.size()]))) {
        found[i].push_back(*std::move(page));
      }
    });
    std::vector<ObjectInfo> all;
    for (std::vector<ObjectInfo>& some : found) {
      std::ranges::move(some, std::back_inserter(all));
    }
    return all;
  }

  // Starts again if a project has pages of which the root page did not tell: another writer is at
  // work, or was cut off.
  void RequireKnownPages(const std::vector<ObjectInfo>& listing) const {
    for (const ObjectInfo& object : listing) {
      const std::string_view name = std::string_view(object.key).substr(prefix_.size());
      if (!ProjectOfPage(name, "").empty() && !Exists(std::string(name))) {
        throw StorageError(StorageError::Kind::kConflict,
                           fmt::format("{} is on no page", storage_.NameOf(object.key)));
      }
    }
  }

  // Reads all JSON pages.
  void ReadPages() {
    std::vector<std::string> names;
    for (const auto& [name, version] : versions_) {
      if (name.ends_with(kJsonPage)) names.push_back(name);
    }
    std::vector<std::string> texts(names.size());
    ParallelFor(names.size(), options_.threads,
                [&](std::size_t i) { texts[i] = storage_.Read(prefix_ + names[i]).value_or(""); });
    for (std::size_t i = 0; i < names.size(); ++i) {
      pages_.emplace(std::move(names[i]), std::move(texts[i]));
    }
  }

  // The files on the main pages.
  KnownFiles FilesOnPages() const {
    KnownFiles known;
    for (const auto& [name, text] : pages_) {
      if (!ProjectOfPage(name, "").empty()) known.AddPage(text);
    }
    return known;
  }

  // Refuses to overwrite pages of others, for example in a wrong folder. If the JSON page of a
  // folder exists, it stands for all of its pages.
  void RequireOwnPages() const {
    for (const std::string_view view : {std::string_view(), kOwnFolder, kDependenciesFolder}) {
      for (const std::string_view page : {kHtmlPage, kFindLinksPage, kJsonPage}) {
        RequireOwn(std::string(view), page, "");
      }
    }
    for (const auto& [name, version] : versions_) {
      for (const std::string_view view : {std::string_view(), kOwnFolder, kDependenciesFolder}) {
        const std::string_view project = ProjectOfPage(name, view);
        if (project.empty()) continue;
        const std::string folder = fmt::format("{}{}/", view, project);
        RequireOwn(folder, std::string_view(name).substr(folder.size()), project);
      }
    }
  }

  void RequireOwn(const std::string& folder, std::string_view page,
                  std::string_view project) const {
    const std::string name = folder + std::string(page);
    if (!Exists(name)) return;
    const auto json = pages_.find(folder + std::string(kJsonPage));
    if (json != pages_.end() && !json->second.empty()) {
      if (IsOwnJson(json->second, project)) return;
    } else {
      const std::optional<std::string> html = storage_.Read(prefix_ + name);
      if (!html || IsOwnHtml(*html, project)) return;
    }
    throw StorageError(
        StorageError::Kind::kLocal,
        fmt::format("{} was not written by `wheelrun index` for {}; nothing was written. Is this "
                    "the folder of the wheels? Then move that page away",
                    storage_.NameOf(prefix_ + name),
                    project.empty() ? storage_.NameOf(prefix_) : Quoted(project)));
  }

  bool Exists(const std::string& name) const { return versions_.contains(name); }

  // Whether the pages are up to date. The JSON is written last and has the sums of the others.
  bool IsCurrent(const std::string& json_name, std::string_view json) const {
    const auto found = pages_.find(json_name);
    return found != pages_.end() && found->second == json;
  }

  // Replaces the page that was read.
  void Put(const std::string& name, std::string_view bytes, std::string_view type) {
    if (options_.dry_run) return;
    PutOptions put{.content_type = std::string(type), .cache_control = "no-cache"};
    const auto before = versions_.find(name);
    if (before == versions_.end()) {
      put.if_absent = true;
    } else {
      put.if_version = before->second;
    }
    storage_.Write(prefix_ + name, bytes, put);
  }

  // The length of the longest chain of requirements below a project with new files, for the order
  // of writing; 0 for others. Of a cycle, some project comes first.
  std::size_t Depth(const std::string& project) {
    const auto wanted = needs_.find(project);
    if (wanted == needs_.end()) return 0;
    const auto [known, first] = depths_.try_emplace(project, 0);
    if (!first) return known->second;
    std::size_t depth = 0;
    for (const std::string& other : wanted->second) depth = std::max(depth, Depth(other) + 1);
    return depths_[project] = depth;
  }

  // Writes the pages of projects, each after those of its requirements, then those that list them.
  // Returns the number of projects.
  std::size_t WriteView(std::string_view view, std::span<const IndexedFile> files) {
    const std::string folder(view);
    std::set<std::string> gone;
    for (const auto& [name, version] : versions_) {
      gone.insert(std::string(ProjectOfPage(name, view)));
    }
    gone.erase("");
    std::vector<std::pair<std::string, std::span<const IndexedFile>>> pages;
    std::vector<std::string> projects;
    for (std::size_t i = 0, end = 0; i < files.size(); i = end) {
      while (end < files.size() && files[end].project == files[i].project) ++end;
      projects.push_back(files[i].project);
      pages.emplace_back(files[i].project, files.subspan(i, end - i));
      gone.erase(files[i].project);
    }
    // The page of a removed project becomes empty, because its URL may still be in use.
    for (const std::string& project : gone) pages.emplace_back(project, files.first(0));

    std::future<std::string> find_links = std::async(
        std::launch::async, [&] { return FindLinksPage(files, view.empty() ? "" : "../"); });
    std::vector<std::optional<IndexPage>> changed(pages.size());
    const std::string_view base = view.empty() ? "../" : "../../";
    // Most pages are current, so to make them takes longer than to write the others.
    ParallelFor(pages.size(), Cores(options_.threads), [&](std::size_t i) {
      IndexPage page = ProjectPage(pages[i].first, pages[i].second, base);
      const std::string start = folder + pages[i].first + "/";
      if (!Exists(start + std::string(kHtmlPage)) ||
          !IsCurrent(start + std::string(kJsonPage), page.json)) {
        changed[i] = std::move(page);
      }
    });
    std::map<std::size_t, std::vector<std::size_t>> waves;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (!changed[i]) continue;
      waves[Depth(pages[i].first)].push_back(i);
      for (const std::string_view page : {kHtmlPage, kJsonPage}) {
        written_.push_back(fmt::format("{}{}{}/{}", prefix_, folder, pages[i].first, page));
      }
    }
    for (const auto& [depth, wave] : waves) {
      ParallelFor(wave.size(), options_.threads, [&](std::size_t i) {
        const std::string start = folder + pages[wave[i]].first + "/";
        Put(start + std::string(kHtmlPage), changed[wave[i]]->html, kHtmlType);
        Put(start + std::string(kJsonPage), changed[wave[i]]->json, kJsonType);
      });
    }
    WriteRoot(folder, projects, {gone.begin(), gone.end()}, find_links.get());
    return projects.size();
  }

  void WriteRoot(const std::string& folder, std::span<const std::string> projects,
                 const std::vector<std::string>& empty, const std::string& find_links) {
    const IndexPage page = RootPage(projects, empty, find_links);
    const std::string html = folder + std::string(kHtmlPage),
                      json = folder + std::string(kJsonPage),
                      flat = folder + std::string(kFindLinksPage);
    if (Exists(html) && Exists(flat) && IsCurrent(json, page.json)) return;
    Put(flat, find_links, kHtmlType);
    Put(html, page.html, kHtmlType);
    Put(json, page.json, kJsonType);
    for (const std::string& name : {flat, html, json}) written_.push_back(prefix_ + name);
  }

  Storage& storage_;
  std::string prefix_;
  const IndexOptions& options_;
  Find find_;
  std::map<std::string, std::string, std::less<>> versions_;  // of what was there, by name
  std::map<std::string, std::string, std::less<>> pages_;     // in JSON, by name
  std::vector<std::string> written_;
  std::map<std::string, std::set<std::string>> needs_;  // of new files, by project
  std::map<std::string, std::size_t> depths_;
};

}  // namespace

IndexResult WriteIndex(Storage& storage, std::string_view prefix, const IndexOptions& options) {
  for (Retry retry(kConflictRetries, options.sleep);;) {
    try {
      const Find find = retry.tried() == 1 ? Find::kByRoot : Find::kByListing;
      IndexResult result = Attempt(storage, prefix, options, find).Run();
      result.conflicts = static_cast<std::size_t>(retry.tried() - 1);
      return result;
    } catch (const StorageError& error) {
      if (error.kind() != StorageError::Kind::kConflict || !retry.Again()) throw;
    }
  }
}

}  // namespace wheelwright
