#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "runtime/wheels/index/index_writer.h"

namespace wheelwright {
namespace {

using Json = nlohmann::ordered_json;

std::string KeyOf(std::string_view prefix) {
  return std::string(prefix) + std::string(kYankedFile);
}

[[noreturn]] void Refuse(Storage& storage, std::string_view prefix, std::string_view what) {
  throw StorageError(
      StorageError::Kind::kDamaged,
      fmt::format("{} {}; it should map names of files to reasons: correct or remove it",
                  storage.NameOf(KeyOf(prefix)), what));
}

}  // namespace

Yanks ReadYanks(Storage& storage, std::string_view prefix) {
  Yanks yanks;
  const std::optional<std::string> text = storage.Read(KeyOf(prefix));
  if (!text) return yanks;
  // Not ordered_json, which takes quadratic time in the number of keys.
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) Refuse(storage, prefix, "is no JSON object");
  for (const auto& [file, reason] : json.items()) {
    if (!reason.is_string()) Refuse(storage, prefix, "has a reason that is no text");
    const std::string words = reason.get<std::string>();
    if (FindForeignByte(words)) Refuse(storage, prefix, "has a reason with a control character");
    yanks.emplace(file, words);
  }
  return yanks;
}

std::size_t ChangeYanks(Storage& storage, std::string_view prefix,
                        const std::vector<std::string>& files,
                        const std::optional<std::string>& reason, const Retry::Sleep& sleep) {
  const std::string key = KeyOf(prefix);
  for (Retry retry(kConflictRetries, sleep);;) {
    const std::optional<ObjectInfo> before = storage.Head(key);
    Yanks yanks = ReadYanks(storage, prefix);
    std::size_t changed = 0;
    for (const std::string& file : files) {
      const auto found = yanks.find(file);
      if (reason ? found != yanks.end() && found->second == *reason : found == yanks.end()) {
        continue;
      }
      ++changed;
      if (reason) {
        yanks.insert_or_assign(file, *reason);
      } else {
        yanks.erase(found);
      }
    }
    if (changed == 0) return 0;
    Json json = Json::object();
    for (const auto& [name, why] : yanks) json[name] = why;
    PutOptions put{.content_type = "application/json", .cache_control = "no-cache"};
    if (before) {
      put.if_version = before->version;
    } else {
      put.if_absent = true;
    }
    try {
      storage.Write(key, json.dump(2) + "\n", put);
      return changed;
    } catch (const StorageError& error) {
      if (error.kind() != StorageError::Kind::kConflict || !retry.Again()) throw;
    }
  }
}

}  // namespace wheelwright
