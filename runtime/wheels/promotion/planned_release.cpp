#include "runtime/wheels/promotion/planned_release.h"

#include <algorithm>
#include <utility>

namespace wheelwright {
namespace {

[[noreturn]] void Refuse(const Storage& storage, std::string_view key) {
  throw StorageError(StorageError::Kind::kDenied,
                     "a dry run does not write " + storage.NameOf(key));
}

}  // namespace

PlannedRelease::PlannedRelease(Storage& storage, std::string_view staging, std::string_view release,
                               const std::vector<PromotedWheel>& wheels)
    : storage_(storage) {
  for (const ObjectInfo& object : storage.List(staging)) {
    const std::string_view name = std::string_view(object.key).substr(staging.size());
    const bool goes = std::ranges::any_of(wheels, [&](const PromotedWheel& wheel) {
      return wheel.state == PromotedWheel::State::kWaiting &&
             (name == wheel.file || name.starts_with(wheel.file + "."));
    });
    if (goes) planned_.emplace(std::string(release) + std::string(name), object);
  }
}

std::string_view PlannedRelease::SourceOf(std::string_view key) const {
  const auto found = planned_.find(key);
  return found == planned_.end() ? key : std::string_view(found->second.key);
}

std::vector<ObjectInfo> PlannedRelease::List(std::string_view prefix) {
  std::map<std::string, ObjectInfo> all;
  for (const auto& [key, object] : planned_) {
    if (!key.starts_with(prefix)) continue;
    ObjectInfo shown = object;
    shown.key = key;
    all.emplace(key, std::move(shown));
  }
  // Existing objects are unchanged.
  for (ObjectInfo& object : storage_.List(prefix)) {
    std::string key = object.key;
    all.insert_or_assign(std::move(key), std::move(object));
  }
  std::vector<ObjectInfo> listed;
  for (auto& [key, object] : all) listed.push_back(std::move(object));
  return listed;
}

std::optional<ObjectInfo> PlannedRelease::Head(std::string_view key) {
  std::optional<ObjectInfo> object = storage_.Head(SourceOf(key));
  if (object) object->key = key;
  return object;
}

std::optional<std::string> PlannedRelease::Read(std::string_view key) {
  return storage_.Read(SourceOf(key));
}

std::optional<std::string> PlannedRelease::ReadRange(std::string_view key, std::uint64_t offset,
                                                     std::uint64_t length) {
  return storage_.ReadRange(SourceOf(key), offset, length);
}

ObjectInfo PlannedRelease::Write(std::string_view key, std::string_view /*bytes*/,
                                 const PutOptions& /*options*/) {
  Refuse(storage_, key);
}

ObjectInfo PlannedRelease::Upload(const std::string& /*path*/, std::string_view key,
                                  const PutOptions& /*options*/, std::string_view /*sha256*/,
                                  const TransferProgress& /*progress*/) {
  Refuse(storage_, key);
}

void PlannedRelease::Download(const ObjectInfo& object, const std::string& path,
                              const TransferProgress& progress) {
  ObjectInfo source = object;
  source.key = SourceOf(object.key);
  storage_.Download(source, path, progress);
}

ObjectInfo PlannedRelease::Copy(const ObjectInfo& /*from*/, std::string_view to,
                                const PutOptions& /*options*/) {
  Refuse(storage_, to);
}

void PlannedRelease::Remove(std::string_view key) { Refuse(storage_, key); }

}  // namespace wheelwright
