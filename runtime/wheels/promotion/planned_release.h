// A read-only view of a store as it will be after a promotion, for the index of a dry run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/promotion/wheel_promotion.h"

namespace wheelwright {

// Shows the files of `wheels` as if they were in `release`, with their metadata from `staging`.
// Functions that write throw StorageError.
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
  // The key that has the bytes.
  std::string_view SourceOf(std::string_view key) const;

  Storage& storage_;
  std::map<std::string, ObjectInfo, std::less<>> planned_;  // by key in the release; of staging
};

}  // namespace wheelwright
