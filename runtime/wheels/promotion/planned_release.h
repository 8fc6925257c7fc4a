// A store as it would be after a promotion, to be looked at and not to be written to: what a dry
// run makes an index of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/promotion/wheel_promotion.h"

namespace wheelwright {

// Shows the files of `wheels` that are not in `release` yet as if they lay there, with what lies
// beside them in `staging`. Everything that would write throws StorageError.
class PlannedRelease : public Storage {
 public:
  PlannedRelease(Storage& storage, std::string_view staging, std::string_view release,
                 const std::vector<PromotedWheel>& wheels);

  std::string NameOf(std::string_view key) const override { return storage_.NameOf(key); }
  std::string UrlOf(std::string_view key) const override { return storage_.UrlOf(key); }
  std::vector<ObjectInfo> List(std::string_view prefix) override;
  std::optional<ObjectInfo> Head(std::string_view key) override;
  std::optional<std::string> Read(std::string_view key) override;
  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override;
  ObjectInfo Write(std::string_view key, std::string_view bytes,
                   const PutOptions& options) override;
  ObjectInfo Upload(const std::string& path, std::string_view key, const PutOptions& options,
                    std::string_view sha256, const TransferProgress& progress) override;
  void Download(const ObjectInfo& object, const std::string& path,
                const TransferProgress& progress) override;
  ObjectInfo Copy(const ObjectInfo& from, std::string_view to, const PutOptions& options) override;
  void Remove(std::string_view key) override;

 private:
  // Where the bytes of a key are.
  std::string_view SourceOf(std::string_view key) const;

  Storage& storage_;
  std::map<std::string, ObjectInfo, std::less<>> planned_;  // by key in the release; of staging
};

}  // namespace wheelwright
