#include "runtime/store/storage/folder_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>

#include "base/file_system.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/platform/file_access.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;
using Kind = StorageError::Kind;

constexpr std::string_view kNotes = ".objects";
constexpr std::size_t kThreads = 16;  // at most
// An older temporary file was left by a killed program.
constexpr std::chrono::hours kAbandoned{24};

// The note about a file, below `.objects/`.
struct Note {
  std::string identity;
  std::string sha256;
  std::string content_type;
  std::string cache_control;
  std::map<std::string, std::string> metadata;
};

std::string TextIn(const nlohmann::json& json, std::string_view name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

class FolderStorage : public Storage {
 public:
  explicit FolderStorage(std::string root) : root_(std::move(root)) {
    while (root_.size() > 1 && root_.back() == '/') root_.pop_back();
  }

  std::string NameOf(std::string_view key) const override {
    return fmt::format("{}/{}", root_, key);
  }
  std::string UrlOf(std::string_view key) const override {
    const std::string_view slash = root_.starts_with('/') ? "" : "/";
    return fmt::format("file://{}{}/{}", slash, EncodePath(root_), EncodePath(key));
  }

  std::vector<ObjectInfo> List(std::string_view prefix) override {
    // Only the folder of the prefix can have matches.
    const std::size_t slash = prefix.rfind('/');
    const std::string folder =
        slash == std::string_view::npos ? root_ : NameOf(prefix.substr(0, slash));
    const std::string below =
        slash == std::string_view::npos ? "" : std::string(prefix.substr(0, slash + 1));
    const std::string_view start = prefix.substr(below.size());
    const auto wants = [&](std::string_view path) {
      return path.starts_with(start) && !(below.empty() && path == kNotes);
    };
    std::error_code error;
    std::vector<FileBelow> files = FilesBelow(folder, wants, error);
    if (error && error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory) {
      throw StorageError(Kind::kLocal, fmt::format("cannot list {}: {}", folder, error.message()));
    }
    std::vector<FileBelow*> sorted(files.size());
    std::ranges::transform(files, sorted.begin(), [](FileBelow& file) { return &file; });
    std::ranges::sort(sorted, {}, &FileBelow::path);
    std::vector<ObjectInfo> found(files.size());
    ParallelForBlocks(files.size(), kThreads, [&](std::size_t i) {
      FileBelow& file = *sorted[i];
      found[i].key = below.empty() ? std::move(file.path) : below + file.path;
      found[i].size = file.facts.size;
      found[i].version = Version(file.facts.identity);
    });
    return found;
  }

  std::optional<ObjectInfo> Head(std::string_view key) override {
    const std::string path = PathOf(key);
    // Retry if the file is replaced meanwhile.
    for (int tries = 0;; ++tries) {
      const std::optional<FileFacts> facts = LookAtFile(path);
      if (!facts) return std::nullopt;
      Note note = NoteOf(key, *facts);
      if (note.sha256.empty()) note.sha256 = SumOf(path, {});
      const std::optional<FileFacts> after = LookAtFile(path);
      if (after && after->identity != facts->identity && tries < 10) continue;
      return Describe(key, *facts, std::move(note));
    }
  }

  std::optional<std::string> Read(std::string_view key) override {
    return ReadRange(key, 0, ~std::uint64_t{0});
  }

  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override {
    const std::string path = PathOf(key);
    if (!LookAtFile(path)) return std::nullopt;
    const std::unique_ptr<ByteSource> source = Open(path);
    if (offset >= source->size()) return std::string();
    std::string bytes(std::min(length, source->size() - offset), '\0');
    if (!source->ReadAt(offset, {reinterpret_cast<Byte*>(bytes.data()), bytes.size()})) {
      throw StorageError(Kind::kLocal, fmt::format("cannot read {}", path));
    }
    return bytes;
  }

  ObjectInfo Write(std::string_view key, std::string_view bytes,
                   const PutOptions& options) override {
    const std::unique_ptr<FileSink> sink = MakeSink(key);
    Put(*sink, 0, AsBytes(bytes), key);
    return Place(*sink, key, Sha256Of(bytes), options);
  }

  ObjectInfo Upload(const std::string& path, std::string_view key, const PutOptions& options,
                    std::string_view sha256, const TransferProgress& progress) override {
    const std::unique_ptr<FileSink> sink = MakeSink(key);
    std::string sum = SumOf(path, [&](std::uint64_t offset, std::span<const Byte> piece) {
      Put(*sink, offset, piece, key);
      if (progress) progress(piece.size());
    });
    if (!sha256.empty() && sum != sha256) {
      throw StorageError(Kind::kLocal, fmt::format("{} has changed: its SHA-256 is {}, and was {}",
                                                   path, sum, sha256));
    }
    return Place(*sink, key, std::move(sum), options);
  }

  void Download(const ObjectInfo& object, const std::string& path,
                const TransferProgress& progress) override {
    const std::string& key = object.key;
    const std::string source = PathOf(key);
    const std::optional<FileFacts> facts = LookAtFile(source);
    if (!facts) throw StorageError(Kind::kNotFound, fmt::format("there is no {}", NameOf(key)));
    std::string problem;
    const std::unique_ptr<FileSink> sink = OpenFileSink(path + ".part", path, problem);
    if (!sink) throw CannotWrite(path, problem);
    const std::string sum = SumOf(source, [&](std::uint64_t offset, std::span<const Byte> piece) {
      if (!sink->WriteAt(offset, piece)) throw CannotWrite(path, sink->problem());
      if (progress) progress(piece.size());
    });
    const Note note = NoteOf(key, *facts);
    if (!note.sha256.empty() && note.sha256 != sum) {
      throw StorageError(Kind::kDamaged, fmt::format("{} was changed while it was read, or its "
                                                     "disk fails: its SHA-256 is {}, and was {}",
                                                     NameOf(key), sum, note.sha256));
    }
    if (!sink->Commit()) throw CannotWrite(path, sink->problem());
  }

  ObjectInfo Copy(const ObjectInfo& from, std::string_view to, const PutOptions& options) override {
    const std::string source = PathOf(from.key);
    const std::optional<FileFacts> facts = LookAtFile(source);
    if (!facts) {
      throw StorageError(Kind::kNotFound, fmt::format("there is no {}", NameOf(from.key)));
    }
    const Note note = NoteOf(from.key, *facts);
    const std::unique_ptr<FileSink> sink = MakeSink(to);
    std::string sum = SumOf(source, [&](std::uint64_t offset, std::span<const Byte> piece) {
      Put(*sink, offset, piece, to);
    });
    const std::optional<FileFacts> after = LookAtFile(source);
    if (Version(facts->identity) != from.version || !after || after->identity != facts->identity ||
        (!note.sha256.empty() && note.sha256 != sum)) {
      throw StorageError(Kind::kConflict,
                         fmt::format("{} was changed since it was checked", NameOf(from.key)));
    }
    PutOptions merged = options;
    if (merged.content_type.empty()) merged.content_type = note.content_type;
    if (merged.cache_control.empty()) merged.cache_control = note.cache_control;
    if (merged.metadata.empty()) merged.metadata = note.metadata;
    return Place(*sink, to, std::move(sum), merged);
  }

  void Remove(std::string_view key) override {
    const std::string path = PathOf(key);
    const FileLock lock(LockPath());
    if (!lock.problem().empty()) throw CannotWrite(LockPath(), lock.problem());
    std::error_code error, ignored;
    RemoveFile(path, error);
    if (error) {
      throw StorageError(Kind::kLocal, fmt::format("cannot remove {}: {}", path, error.message()));
    }
    RemoveFile(NotePath(key), ignored);
  }

 private:
  static std::string Version(std::string_view identity) {
    std::string quoted;
    quoted.reserve(identity.size() + 2);
    return quoted.append(1, '"').append(identity).append(1, '"');
  }

  static StorageError CannotWrite(std::string_view path, std::string_view problem) {
    return {Kind::kLocal, fmt::format("cannot write {}: {}", path, problem)};
  }

  std::string LockPath() const { return fmt::format("{}/{}/lock", root_, kNotes); }
  std::string NotePath(std::string_view key) const {
    return fmt::format("{}/{}/notes/{}.json", root_, kNotes, key);
  }

  // Keys come from untrusted file names and listings, and must not lead out of the folder.
  std::string PathOf(std::string_view key) const {
    const std::vector<std::string_view> parts = Split(key, '/');
    const bool leads_out = std::ranges::any_of(parts, [](std::string_view part) {
      return part.empty() || part == "." || part == ".." ||
             part.find('\0') != std::string_view::npos;
    });
    if (leads_out || parts.front() == kNotes) {
      throw StorageError(Kind::kLocal,
                         fmt::format("{} cannot be the name of a file in {}", Quoted(key), root_));
    }
    return NameOf(key);
  }

  static std::unique_ptr<ByteSource> Open(const std::string& path) {
    std::string problem;
    std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
    if (!source) {
      throw StorageError(Kind::kLocal, fmt::format("cannot read {}: {}", path, problem));
    }
    return source;
  }

  // The sum of a file; calls `visit` with its pieces in order.
  static std::string SumOf(const std::string& path,
                           const std::function<void(std::uint64_t, std::span<const Byte>)>& visit) {
    const std::unique_ptr<ByteSource> source = Open(path);
    Digest digest(DigestKind::kSha256);
    std::uint64_t at = 0;
    const bool read = ReadPieces(*source, 0, source->size(), [&](std::span<const Byte> piece) {
      digest.Add(piece);
      if (visit) visit(at, piece);
      at += piece.size();
    });
    if (!read) throw StorageError(Kind::kLocal, fmt::format("cannot read {}", path));
    return Hexadecimal(digest.Finish());
  }

  std::unique_ptr<FileSink> MakeSink(std::string_view key) {
    const std::string folder = fmt::format("{}/{}/partial", root_, kNotes);
    RemoveAbandoned(folder);
    std::random_device random;
    std::string problem;
    std::unique_ptr<FileSink> sink = OpenFileSink(
        fmt::format("{}/{:08x}{:08x}", folder, random(), random()), PathOf(key), problem);
    if (!sink) throw CannotWrite(NameOf(key), problem);
    return sink;
  }

  static void RemoveAbandoned(const std::string& folder) {
    std::error_code error;
    const auto oldest = fs::file_time_type::clock::now() - kAbandoned;
    for (const FolderEntry& entry : EntriesOf(folder, error)) {
      const auto written = fs::last_write_time(SystemPath(entry.path), error);
      if (!error && written < oldest) RemoveFile(entry.path, error);
    }
  }

  void Put(FileSink& sink, std::uint64_t offset, std::span<const Byte> bytes,
           std::string_view key) const {
    if (!sink.WriteAt(offset, bytes)) throw CannotWrite(NameOf(key), sink.problem());
  }

  // Commits a written file if the conditions on the old one hold.
  ObjectInfo Place(FileSink& sink, std::string_view key, std::string sha256,
                   const PutOptions& options) {
    const std::string path = PathOf(key);
    const FileLock lock(LockPath());
    if (!lock.problem().empty()) throw CannotWrite(LockPath(), lock.problem());
    const std::optional<FileFacts> old = LookAtFile(path);
    if (options.if_absent && old) {
      throw StorageError(Kind::kConflict, fmt::format("there is a {} already", NameOf(key)));
    }
    if (!options.if_version.empty() && (!old || Version(old->identity) != options.if_version)) {
      throw StorageError(Kind::kConflict, fmt::format("{} was changed meanwhile", NameOf(key)));
    }
    if (!sink.Commit()) throw CannotWrite(NameOf(key), sink.problem());
    const std::optional<FileFacts> facts = LookAtFile(path);
    if (!facts) throw CannotWrite(NameOf(key), "it was removed at once");
    Note note{.identity = facts->identity,
              .sha256 = std::move(sha256),
              .content_type = options.content_type,
              .cache_control = options.cache_control,
              .metadata = options.metadata};
    Keep(key, note);
    return Describe(key, *facts, std::move(note));
  }

  static ObjectInfo Describe(std::string_view key, const FileFacts& facts, Note note) {
    return {.key = std::string(key),
            .size = facts.size,
            .version = Version(facts.identity),
            .sha256 = std::move(note.sha256),
            .content_type = std::move(note.content_type),
            .cache_control = std::move(note.cache_control),
            .metadata = std::move(note.metadata)};
  }

  // A missing note is no error: the file then counts as one put there by hand.
  void Keep(std::string_view key, const Note& note) const {
    const nlohmann::ordered_json json{{"identity", note.identity},
                                      {"sha256", note.sha256},
                                      {"content_type", note.content_type},
                                      {"cache_control", note.cache_control},
                                      {"metadata", note.metadata}};
    try {
      RealFileSystem().Write(NotePath(key), DumpJson(json, 1) + "\n");
    } catch (const FileError& error) {
      throw StorageError(Kind::kLocal, error.what());
    }
  }

  // The note about this version of the file; empty when there is none.
  Note NoteOf(std::string_view key, const FileFacts& facts) const {
    std::optional<std::string> text;
    try {
      text = RealFileSystem().Read(NotePath(key));
    } catch (const FileError&) {
      return {};
    }
    const nlohmann::json json = text ? ParseJson(*text) : nlohmann::json();
    if (!json.is_object() || TextIn(json, "identity") != facts.identity) return {};
    Note note{.identity = facts.identity,
              .sha256 = TextIn(json, "sha256"),
              .content_type = TextIn(json, "content_type"),
              .cache_control = TextIn(json, "cache_control")};
    if (const auto metadata = json.find("metadata"); metadata != json.end()) {
      for (const auto& [name, value] : metadata->items()) {
        if (value.is_string()) note.metadata[name] = value.get<std::string>();
      }
    }
    return note;
  }

  std::string root_;
};

}  // namespace

std::unique_ptr<Storage> OpenFolder(std::string root) {
  return std::make_unique<FolderStorage>(std::move(root));
}

}  // namespace wheelwright
