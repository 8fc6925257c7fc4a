#include "runtime/wheels/index/file_marks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "runtime/wheels/index/index_writer.h"

namespace wheelwright {
namespace {

[[noreturn]] void Refuse(Storage& storage, std::string_view key, std::string_view what) {
  throw StorageError(
      StorageError::Kind::kDamaged,
      fmt::format("{} {}; it should map names of files to texts: correct or remove it",
                  storage.NameOf(key), what));
}

}  // namespace

FileMarks ReadMarks(Storage& storage, std::string_view prefix, std::string_view marks) {
  FileMarks found;
  const std::string key = fmt::format("{}{}", prefix, marks);
  const std::optional<std::string> text = storage.Read(key);
  if (!text) return found;
  // Not ordered_json, which takes quadratic time in the number of keys.
  const nlohmann::json json = ParseJson(*text);
  if (!json.is_object()) Refuse(storage, key, "is no JSON object");
  for (const auto& [file, value] : json.items()) {
    if (!value.is_string()) Refuse(storage, key, "has a value that is no text");
    const std::string words = value.get<std::string>();
    if (FindForeignByte(words)) Refuse(storage, key, "has a text with a control character");
    found.emplace(file, words);
  }
  return found;
}

std::size_t ChangeMarks(Storage& storage, std::string_view prefix, std::string_view marks,
                        const std::vector<std::string>& files,
                        const std::optional<std::string>& text, const Retry::Sleep& sleep) {
  const std::string key = fmt::format("{}{}", prefix, marks);
  for (Retry retry(kConflictRetries, sleep);;) {
    const std::optional<ObjectInfo> before = storage.Head(key);
    FileMarks all = ReadMarks(storage, prefix, marks);
    std::size_t changed = 0;
    for (const std::string& file : files) {
      const auto found = all.find(file);
      if (text ? found != all.end() && found->second == *text : found == all.end()) continue;
      ++changed;
      if (text) {
        all.insert_or_assign(file, *text);
      } else {
        all.erase(found);
      }
    }
    if (changed == 0) return 0;
    Json json = Json::object();
    for (const auto& [name, words] : all) json[name] = words;
    PutOptions put{.content_type = "application/json", .cache_control = "no-cache"};
    if (before) {
      put.if_version = before->version;
    } else {
      put.if_absent = true;
    }
    try {
      storage.Write(key, DumpJson(json, 2) + "\n", put);
      return changed;
    } catch (const StorageError& error) {
      if (error.kind() != StorageError::Kind::kConflict || !retry.Again()) throw;
    }
  }
}

}  // namespace wheelwright
