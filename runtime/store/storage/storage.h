// A store for wheels, indexes and logs: a bucket of S3 or of a compatible server, or a local
// folder. Commands see no difference.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/store/digest/sum.h"

namespace wheelwright {

// Objects are named by keys: "v2/gfx94X-dcgpu/torch-2.10.0-cp312-cp312-linux_x86_64.whl". They have
// no leading slash, and may hold any character.
struct ObjectInfo {
  std::string key;
  std::uint64_t size = 0;
  // Changes with the object; opaque. In S3 the ETag, with its quotes.
  std::string version;
  // The hexadecimal SHA-256 that was stored with the object, or "". Not set by List().
  std::string sha256;
  // The store's own CRC of the whole. Not set by List().
  std::optional<WholeCrc> crc;
  // If there is neither: another sum, such as an MD5 or a sum of the sums of parts. Not set by
  // List().
  std::optional<KnownSum> other_sum;
  std::string content_type;                     // not by List()
  std::string cache_control;                    // not by List()
  std::map<std::string, std::string> metadata;  // not by List(); lower-case names
};

struct PutOptions {
  std::string content_type;
  std::string cache_control;
  std::map<std::string, std::string> metadata;
  // Conditions: no object exists yet, or it has that version. Otherwise the put fails with
  // kConflict.
  bool if_absent = false;
  std::string if_version;

  bool conditional() const { return if_absent || !if_version.empty(); }
};

// A failure of a store. The message says what to do next and holds no credential.
class StorageError : public std::exception {
 public:
  enum class Kind : std::uint8_t {
    kNotFound,   // no such object or bucket
    kConflict,   // a condition failed: another writer was faster
    kDenied,     // the credentials do not allow it, or are missing
    kDamaged,    // the bytes are not those that were sent, after all retries
    kUnreached,  // the network or the server failed, after all retries
    kLocal,      // a file here could not be read or written
  };

  StorageError(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Kind kind_;
  std::string message_;
};

// Called with the number of bytes that were just transferred, from several threads.
using TransferProgress = std::function<void(std::uint64_t bytes)>;

// A bucket or a folder. Safe to use from several threads. Functions retry transient errors, then
// throw StorageError; all are safe to repeat.
class Storage {
 public:
  virtual ~Storage() = default;

  // For people and logs: "s3://bucket/key", "out/key".
  virtual std::string NameOf(std::string_view key) const = 0;
  // The URL for browsers and pip: "https://bucket.s3.amazonaws.com/key", "file:///...".
  virtual std::string UrlOf(std::string_view key) const = 0;

  // All objects whose keys begin so, sorted by key.
  virtual std::vector<ObjectInfo> List(std::string_view prefix) = 0;
  // Nothing when there is no such object.
  virtual std::optional<ObjectInfo> Head(std::string_view key) = 0;
  // A whole small object, or `length` bytes from `offset` (fewer at its end). Nothing when there is
  // no such object.
  virtual std::optional<std::string> Read(std::string_view key) = 0;
  virtual std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                               std::uint64_t length) = 0;

  // Writes a small object atomically. Returns the stored object.
  virtual ObjectInfo Write(std::string_view key, std::string_view bytes,
                           const PutOptions& options) = 0;
  // The same from a file of any size, in parallel parts and with a few megabytes of memory. Stores
  // the SHA-256 (computed unless given as `sha256`) with the object, and verifies what the store
  // has.
  virtual ObjectInfo Upload(const std::string& path, std::string_view key,
                            const PutOptions& options, std::string_view sha256,
                            const TransferProgress& progress) = 0;
  // Downloads an object as it is now. The file appears complete and verified, or not at all.
  // `object` comes from List() or Head(); with its size and version, a small one takes one request.
  virtual void Download(const ObjectInfo& object, const std::string& path,
                        const TransferProgress& progress) = 0;
  // Copies within the store, from exactly that version of `from`, else throws kConflict. Content
  // type, caching and metadata are those of the original unless the options set them.
  virtual ObjectInfo Copy(const ObjectInfo& from, std::string_view to,
                          const PutOptions& options) = 0;
  // Removes an object; it may be missing.
  virtual void Remove(std::string_view key) = 0;
};

}  // namespace wheelwright
