// An in-memory store that logs requests, simulates concurrent writers, and can inject failures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

class MemoryStorage : public Storage {
 public:
  struct Object {
    std::string bytes;
    ObjectInfo info;
  };
  std::map<std::string, Object, std::less<>> objects;
  std::vector<std::string> log;              // "put KEY", "copy KEY", "remove KEY", in order
  std::map<std::string, std::size_t> reads;  // requests for bytes, by key
  std::uint64_t bytes_read = 0;
  std::size_t heads = 0;
  std::vector<std::string> listed;  // prefixes, in order
  // Called with "put KEY" or "copy KEY" before it happens; may change the store, or throw.
  std::function<void(const std::string& what)> before;
  bool knows_sums = true;

  // Writes an object like a concurrent writer, without a call of `before`.
  void Add(std::string_view key, std::string_view bytes,
           std::map<std::string, std::string> metadata = {}) {
    const std::lock_guard lock(mutex_);
    Set(key, std::string(bytes), {.metadata = std::move(metadata)});
  }
  std::string Bytes(std::string_view key) const {
    const auto found = objects.find(key);
    return found == objects.end() ? "(none)" : found->second.bytes;
  }
  bool Has(std::string_view key) const { return objects.contains(key); }

  std::string NameOf(std::string_view key) const override { return "mem://b/" + std::string(key); }
  std::string UrlOf(std::string_view key) const override {
    return "https://b.example/" + std::string(key);
  }

  std::vector<ObjectInfo> List(std::string_view prefix) override {
    const std::lock_guard lock(mutex_);
    listed.emplace_back(prefix);
    std::vector<ObjectInfo> found;
    for (const auto& [key, object] : objects) {
      if (!key.starts_with(prefix)) continue;
      found.push_back({.key = key, .size = object.info.size, .version = object.info.version});
    }
    return found;
  }

  std::optional<ObjectInfo> Head(std::string_view key) override {
    const std::lock_guard lock(mutex_);
    ++heads;
    const auto found = objects.find(key);
    if (found == objects.end()) return std::nullopt;
    return found->second.info;
  }

  std::optional<std::string> Read(std::string_view key) override {
    return ReadRange(key, 0, ~std::uint64_t{0});
  }

  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override {
    const std::lock_guard lock(mutex_);
    const auto found = objects.find(key);
    if (found == objects.end()) return std::nullopt;
    ++reads[std::string(key)];
    const std::string& bytes = found->second.bytes;
    std::string part = offset < bytes.size() ? bytes.substr(static_cast<std::size_t>(offset),
                                                            static_cast<std::size_t>(length))
                                             : std::string();
    bytes_read += part.size();
    return part;
  }

  ObjectInfo Write(std::string_view key, std::string_view bytes,
                   const PutOptions& options) override {
    Before("put", key);
    const std::lock_guard lock(mutex_);
    Check(key, options);
    log.push_back("put " + std::string(key));
    return Set(key, std::string(bytes), options);
  }

  // There are no files here: stores the path as the content.
  ObjectInfo Upload(const std::string& path, std::string_view key, const PutOptions& options,
                    std::string_view, const TransferProgress&) override {
    return Write(key, path, options);
  }
  void Download(const ObjectInfo& object, const std::string&, const TransferProgress&) override {
    throw StorageError(StorageError::Kind::kLocal, "no files here: " + object.key);
  }

  ObjectInfo Copy(const ObjectInfo& from, std::string_view to, const PutOptions& options) override {
    Before("copy", to);
    const std::lock_guard lock(mutex_);
    const auto found = objects.find(from.key);
    if (found == objects.end() || found->second.info.version != from.version) {
      throw StorageError(StorageError::Kind::kConflict, from.key + " has changed");
    }
    Check(to, options);
    log.push_back("copy " + std::string(to));
    return Set(to, found->second.bytes, options);
  }

  void Remove(std::string_view key) override {
    const std::lock_guard lock(mutex_);
    log.push_back("remove " + std::string(key));
    objects.erase(std::string(key));
  }

 private:
  void Before(const std::string& what, std::string_view key) {
    const auto call = before;  // a copy, because the function may replace itself
    if (call) call(what + " " + std::string(key));
  }

  void Check(std::string_view key, const PutOptions& options) const {
    const auto found = objects.find(key);
    const bool bad = options.if_absent ? found != objects.end()
                                       : !options.if_version.empty() &&
                                             (found == objects.end() ||
                                              found->second.info.version != options.if_version);
    if (bad) throw StorageError(StorageError::Kind::kConflict, std::string(key) + " has changed");
  }

  ObjectInfo Set(std::string_view key, std::string bytes, const PutOptions& options) {
    Object& object = objects[std::string(key)];
    object.info = {
        .key = std::string(key),
        .size = bytes.size(),
        .version = "\"" + std::to_string(++count_) + "\"",
        .sha256 = knows_sums ? Hexadecimal(DigestOf(DigestKind::kSha256, bytes)) : std::string(),
        .content_type = options.content_type,
        .cache_control = options.cache_control,
        .metadata = options.metadata};
    object.bytes = std::move(bytes);
    return object.info;
  }

  std::mutex mutex_;
  int count_ = 0;
};

}  // namespace wheelwright
