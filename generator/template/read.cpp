#include "generator/yaml/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "base/below.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "generator/template/body.h"
#include "generator/template/check_types.h"
#include "generator/template/head.h"
#include "generator/template/names.h"
#include "generator/template/template.h"
#include "generator/template/tree.h"

namespace wheelwright {

using template_tree::File;

namespace {

bool IsTemplate(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }

// How messages call a file, wherever the folder is.
std::string MessageName(std::string_view path) { return fmt::format("templates/{}", path); }

bool HasKey(const Node& node, std::string_view key) {
  const auto in = [&](const Node* child) { return HasKey(*child, key); };
  return std::ranges::any_of(node.items, in) ||
         std::ranges::any_of(node.entries, [&](const Entry& entry) {
           return entry.key->text == key || in(entry.value);
         });
}

}  // namespace

std::vector<Property> NamesOf(const Scope* scope) {
  std::vector<Property> names;
  for (const std::string_view name : VisibleNames(scope)) names.push_back({name, TypeKind::kAny});
  return names;
}

class SetReader {
 public:
  SetReader(FileSystem& files, const std::string& folder, std::span<const Property> names,
            std::span<const TemplateSource> shared, SourceManager& sources, Arena& arena,
            Diagnostics& diagnostics)
      : disk_(files),
        folder_(folder),
        shared_(shared),
        types_(names),
        sources_(sources),
        arena_(arena),
        diagnostics_(diagnostics) {
    for (const Property& name : names) matrix_.push_back(name.name);
  }

  std::optional<TemplateSet> Read(std::size_t threads) {
    const std::size_t errors = diagnostics_.errors();
    ReadFolder("");
    for (const TemplateSource& source : shared_) ReadShared(source);
    ReadTrees(threads);
    if (!shared_.empty()) DropUnused();
    if (all_.empty() && diagnostics_.errors() == errors) {
      Diagnostic diagnostic;
      diagnostic.code = "no-templates";
      diagnostic.message = fmt::format("there is no template in {}", folder_);
      diagnostic.notes.push_back("docs/templates.md explains how to write one");
      diagnostics_.Report(std::move(diagnostic));
    }
    if (diagnostics_.errors() > errors) return std::nullopt;
    std::ranges::sort(all_, {}, [](const File* file) { return std::string_view(file->path); });
    // An include checks its arguments against the fragment's head, so heads come first.
    for (File* file : all_) {
      if (file->fragment) ReadFragmentHead(*file);
    }
    for (File* file : all_) ReadBody(*file);
    for (const File* file : all_) CheckUse(*file);
    const std::size_t before = diagnostics_.errors();
    for (File* file : all_) FollowIncludes(*file);
    if (diagnostics_.errors() == before) {  // no circle
      const std::vector<File*> includers_first(followed_.rbegin(), followed_.rend());
      template_tree::CheckTypes(includers_first, before == errors, types_, sources_, diagnostics_);
    }
    if (diagnostics_.errors() > errors) return std::nullopt;
    for (File* file : followed_) {  // what a file includes comes before it
      file->callable = HasKey(*file->root, "workflow_call") ||
                       std::ranges::any_of(file->inclusions, [](const File::Inclusion& inclusion) {
                         return inclusion.fragment->callable;
                       });
    }
    // The matrix was read before, so its files come first.
    if (all_.empty()) return std::move(set_);
    const auto [first, last] = std::ranges::minmax(all_, {}, &File::id);
    std::size_t bytes = 0;
    for (FileId id = 0; id <= last->id; ++id) bytes += sources_.Text(id).size();
    for (File* file : all_) {
      file->input_bytes = bytes;
      file->first_template = first->id;
    }
    std::ranges::copy_if(all_, std::back_inserter(set_.templates_),
                         [](const File* file) { return !file->fragment; });
    return std::move(set_);
  }

 private:
  void ReadFolder(const std::string& below) {
    const std::string path = below.empty() ? folder_ : Below(folder_, below);
    for (const std::string& name : disk_.List(path)) {
      if (IsTemplate(name)) ReadFile({}, path, Below(below, name), MessageName(Below(below, name)));
    }
    for (const std::string& name : disk_.ListFolders(path)) {
      const auto shared = std::ranges::find(shared_, name, &TemplateSource::name);
      if (!below.empty() || shared == shared_.end()) {
        ReadFolder(Below(below, name));
      } else if (!shared->fetched) {
        Diagnostic diagnostic;
        diagnostic.code = "shared-name";
        diagnostic.message = fmt::format(
            "templates/{} is a folder of this project, and '{}' are the "
            "shared templates of {}",
            name, name, shared->shown);
        diagnostic.where = shared->where;
        diagnostic.hint = "rename one of them";
        diagnostics_.Report(std::move(diagnostic));
      }
    }
  }

  void ReadShared(const TemplateSource& source) {
    for (const Node* item : source.take) {
      const std::size_t before = found_.size();
      const std::string taken(item->text);
      if (IsTemplate(taken)) {
        ReadSharedFile(source, taken);
      } else {
        ReadSharedFolder(source, taken);
      }
      if (found_.size() > before) continue;
      const std::vector<std::string> names = disk_.ListFolders(source.folder);
      const std::vector<std::string_view> known(names.begin(), names.end());
      Diagnostic diagnostic;
      diagnostic.code = "unknown-shared-file";
      diagnostic.where = item->where;
      diagnostic.message = fmt::format("{} has no templates '{}'", source.shown, taken);
      diagnostic.hint = known.empty() ? "is it a submodule? `git submodule update --init` fills it"
                                      : DidYouMean(taken, known, "there are");
      diagnostics_.Report(std::move(diagnostic));
    }
  }

  void ReadSharedFolder(const TemplateSource& source, const std::string& below) {
    const std::string path = Below(source.folder, below);
    for (const std::string& name : disk_.List(path)) {
      if (IsTemplate(name)) ReadSharedFile(source, Below(below, name));
    }
    for (const std::string& name : disk_.ListFolders(path)) {
      ReadSharedFolder(source, Below(below, name));
    }
  }

  void ReadSharedFile(const TemplateSource& source, const std::string& path) {
    const std::string name = Below(source.name, path);
    const auto same = [&](const auto& file) { return file->path == name; };
    if (std::ranges::any_of(found_, same)) return;  // taken twice
    const std::string on_disk = Below(source.folder, path);
    std::error_code none;
    const std::string top = RealPath(source.folder, none), real = RealPath(on_disk, none);
    // A file that is in an editor alone has no such path.
    if (!top.empty() && !real.empty() && !real.starts_with(top + "/")) {
      Diagnostic diagnostic;
      diagnostic.code = "linked-templates";
      diagnostic.where = source.where;
      diagnostic.message =
          fmt::format("{} is a link out of {}", Below(source.shown, path), source.shown);
      diagnostic.hint = "only files of that folder are read";
      return diagnostics_.Report(std::move(diagnostic));
    }
    ReadFile(source.name, on_disk.substr(0, on_disk.rfind('/')), name, Below(source.shown, path));
  }

  // `path` is what includes name it by, `shown` what messages do.
  void ReadFile(const std::string& source, const std::string& folder, const std::string& path,
                std::string shown) {
    std::optional<std::string> text =
        disk_.Read(Below(folder, std::string_view(path).substr(path.rfind('/') + 1)));
    if (!text) return;  // removed since it was listed
    auto file = std::make_unique<File>();
    file->path = path;
    file->source = source;
    file->id = sources_.Add(std::move(shown), std::move(*text));
    found_.push_back(std::move(file));
  }

  // Leaves out the fragments of other projects that nothing here includes: they may be about a
  // matrix that this project does not have.
  void DropUnused() {
    std::vector<const File*> used;
    for (const File* file : all_) {
      if (file->source.empty() || !file->fragment) used.push_back(file);
    }
    const auto follow = [&](const auto& again, const File& file, const Node& node) -> void {
      for (const Node* item : node.items) again(again, file, *item);
      for (const Entry& entry : node.entries) {
        again(again, file, *entry.value);
        const auto key = template_tree::ReadDirectiveKey(*entry.key);
        if (!key || key->keyword != "include") continue;
        const auto found = std::ranges::find(all_, file.Included(key->rest),
                                             [](const File* one) { return one->path; });
        if (found != all_.end() && std::ranges::find(used, *found) == used.end()) {
          used.push_back(*found);
        }
      }
    };
    for (std::size_t i = 0; i < used.size(); ++i) {
      const File* file = used[i];  // `used` grows
      follow(follow, *file, *file->root);
    }
    std::erase_if(all_,
                  [&](const File* file) { return std::ranges::find(used, file) == used.end(); });
  }

  void ReadTrees(std::size_t threads) {
    std::vector<FileId> ids;
    for (const auto& file : found_) ids.push_back(file->id);
    std::vector<ReadResult> results = ReadYamlFiles(sources_, ids, threads, arena_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      std::unique_ptr<File>& file = found_[i];
      file->root = results[i].document.root;
      file->comments_end = results[i].document.comments_end;
      diagnostics_.Merge(std::move(results[i].diagnostics));
      if (file->root == nullptr || !FindHead(*file, diagnostics_)) continue;
      all_.push_back(file.get());
      set_.files_.push_back(std::move(file));
    }
  }

  void ReadFragmentHead(File& file) {
    template_tree::NameTable names(matrix_, diagnostics_);
    template_tree::BodyReader reader(file, all_, names, sources_, arena_, diagnostics_);
    template_tree::ReadFragmentHead(file, reader, diagnostics_);
  }

  void ReadBody(File& file) {
    template_tree::NameTable names(matrix_, diagnostics_);
    template_tree::BodyReader reader(file, all_, names, sources_, arena_, diagnostics_);
    if (file.fragment) {
      for (const template_tree::Parameter& parameter : file.parameters) {
        names.Bind(parameter.name, BindingKind::kArgument);
      }
    } else {
      template_tree::ReadTemplateHead(file, reader, names, diagnostics_);
    }
    file.body.node = file.root;
    if (file.root->is_mapping()) {
      file.body.kind = template_tree::ValueKind::kMapping;
      file.body.members = reader.ReadEntries(file.root->entries.subspan(1));
    } else {
      file.body.kind = template_tree::ValueKind::kSequence;
      file.body.members = reader.ReadItems(file.root->items.subspan(1));
    }
    names.Leave(0);
  }

  void CheckUse(const File& file) {
    const auto includes = [&](const File* other) {
      return std::ranges::any_of(other->inclusions, [&](const File::Inclusion& inclusion) {
        return inclusion.fragment == &file;
      });
    };
    if (!file.fragment || !file.source.empty() || std::ranges::any_of(all_, includes)) return;
    Diagnostic diagnostic;
    diagnostic.code = "unused-fragment";
    diagnostic.message = fmt::format("no template includes '{}'", file.path);
    diagnostic.where = file.head->where;
    diagnostic.hint = "remove the file";
    diagnostics_.Report(std::move(diagnostic));
  }

  // Reports a fragment that includes itself, once for each cycle.
  void FollowIncludes(File& file) {
    if (std::ranges::find(followed_, &file) != followed_.end()) return;
    way_.push_back(&file);
    for (const File::Inclusion& inclusion : file.inclusions) {
      const auto again = std::ranges::find(way_, inclusion.fragment);
      if (again == way_.end()) {
        FollowIncludes(*inclusion.fragment);
        continue;
      }
      Diagnostic diagnostic;
      diagnostic.code = "include-circle";
      diagnostic.where = inclusion.key->where;
      diagnostic.message = fmt::format("'{}' includes itself", inclusion.fragment->path);
      if (again + 1 != way_.end()) {
        std::string chain;
        for (auto step = again; step != way_.end(); ++step) chain += (*step)->path + " -> ";
        diagnostic.notes.push_back(chain + inclusion.fragment->path);
      }
      diagnostics_.Report(std::move(diagnostic));
    }
    way_.pop_back();
    followed_.push_back(&file);
  }

  FileSystem& disk_;
  const std::string& folder_;
  std::span<const TemplateSource> shared_;
  std::span<const Property> types_;  // of the names that all templates see
  std::vector<std::string_view> matrix_;
  SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  TemplateSet set_;
  std::vector<std::unique_ptr<File>> found_;  // on the disk
  std::vector<File*> all_;
  std::vector<const File*> way_;  // of includes
  std::vector<File*> followed_;
};

TemplateSet::TemplateSet() = default;
TemplateSet::~TemplateSet() = default;
TemplateSet::TemplateSet(TemplateSet&&) noexcept = default;
TemplateSet& TemplateSet::operator=(TemplateSet&&) noexcept = default;

std::optional<TemplateSet> ReadTemplates(FileSystem& files, const std::string& folder,
                                         std::span<const Property> names, SourceManager& sources,
                                         Arena& arena, Diagnostics& diagnostics,
                                         std::size_t threads,
                                         std::span<const TemplateSource> shared) {
  return SetReader(files, folder, names, shared, sources, arena, diagnostics).Read(threads);
}

}  // namespace wheelwright
