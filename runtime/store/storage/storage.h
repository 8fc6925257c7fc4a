// Where wheels, indexes and logs are kept: a bucket of S3 or of a server that speaks its language,
// or a folder on a laptop. Commands see no difference.
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

// Names of objects are keys: "v2/gfx94X-dcgpu/torch-2.10.0-cp312-cp312-linux_x86_64.whl". They have
// no leading slash, and may hold any character.
struct ObjectInfo {
  std::string key;
  std::uint64_t size = 0;
  // Changes when the object changes: S3's ETag, in its quotes. What it is made of is the store's
  // own business.
  std::string version;
  // Hexadecimal SHA-256 of the bytes, as it was when the object was written; "" when the store does
  // not know it. List() does not ask for it.
  std::string sha256;
  // Of all the bytes, as the store itself has it. List() does not ask for it.
  std::optional<WholeCrc> crc;
  // Where there is neither: what else the store has, such as an MD5, or the sum of the sums of the
  // parts in which it went up. List() does not ask for it.
  std::optional<KnownSum> other_sum;
  std::string content_type;                     // not by List()
  std::string cache_control;                    // not by List()
  std::map<std::string, std::string> metadata;  // not by List(); lower-case names
};

struct PutOptions {
  std::string content_type;
  std::string cache_control;
  std::map<std::string, std::string> metadata;
  // Only when there is none yet, or only over that version. Otherwise the put fails with kConflict.
  bool if_absent = false;
  std::string if_version;

  bool conditional() const { return if_absent || !if_version.empty(); }
};

// What a store refused, or could not do. The message says what to do next and holds no credential.
class StorageError : public std::exception {
 public:
  enum class Kind : std::uint8_t {
    kNotFound,   // no such object or bucket
    kConflict,   // a condition did not hold: somebody else was faster
    kDenied,     // the credentials may not, or there are none
    kDamaged,    // what arrived is not what was sent, after all tries
    kUnreached,  // the network or the server failed, after all tries
    kLocal,      // a file here could not be read or written
  };

  StorageError(Kind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Kind kind_;
  std::string message_;
};

// Bytes of a file that go up or came down, for progress lines. Called from several threads.
using TransferProgress = std::function<void(std::uint64_t bytes)>;

// One store: a bucket or a folder. Safe to use from several threads. Everything that can fail
// throws StorageError, after it was tried as often as makes sense; everything is safe to do again.
class Storage {
 public:
  virtual ~Storage() = default;

  // For people and logs: "s3://bucket/key", "out/key".
  virtual std::string NameOf(std::string_view key) const = 0;
  // Where a browser or pip finds it: "https://bucket.s3.amazonaws.com/key", "file:///...".
  virtual std::string UrlOf(std::string_view key) const = 0;

  // All objects whose keys begin so, sorted by key.
  virtual std::vector<ObjectInfo> List(std::string_view prefix) = 0;
  // Nothing when there is no such object.
  virtual std::optional<ObjectInfo> Head(std::string_view key) = 0;
  // A whole small object, or `length` bytes of it from `offset`; fewer where it ends. Nothing when
  // there is no such object.
  virtual std::optional<std::string> Read(std::string_view key) = 0;
  virtual std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                               std::uint64_t length) = 0;

  // Writes a small object. A reader sees the old bytes or the new ones. Gives what is there then.
  virtual ObjectInfo Write(std::string_view key, std::string_view bytes,
                           const PutOptions& options) = 0;
  // The same from a file of any size, in parallel parts and within a few megabytes of memory. The
  // SHA-256 is computed on the way (unless given as `sha256`), stored with the object, and what the
  // store says it holds is verified before this returns.
  virtual ObjectInfo Upload(const std::string& path, std::string_view key,
                            const PutOptions& options, std::string_view sha256,
                            const TransferProgress& progress) = 0;
  // The reverse, of what is there now. The file appears whole and verified or not at all. `object`
  // is as List() or Head() gave it: a small one takes one request when its size and version are
  // known.
  virtual void Download(const ObjectInfo& object, const std::string& path,
                        const TransferProgress& progress) = 0;
  // Inside the store, without moving bytes through here; from exactly that version of `from`, else
  // kConflict. Where the options say nothing of content type, caching or metadata, the copy has
  // what the original has.
  virtual ObjectInfo Copy(const ObjectInfo& from, std::string_view to,
                          const PutOptions& options) = 0;
  // Not an error when there is none.
  virtual void Remove(std::string_view key) = 0;
};

}  // namespace wheelwright
