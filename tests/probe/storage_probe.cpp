// Calls each operation of a store from a script, so that tests can look at one at a time.
//
// storage_probe BUCKET|FOLDER [small] OPERATION ARGUMENT...
// prints the result as JSON; on failure, the kind of the error, and exits with 1. `small` makes
// parts and ranges of 5 MiB and copies in parts above 6 MiB. Servers are named by AWS_ENDPOINT_URL.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/json.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_storage.h"
#include "runtime/store/storage/folder_storage.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

using Json = nlohmann::ordered_json;

Json Shown(const ObjectInfo& info) {
  return {{"key", info.key},
          {"size", info.size},
          {"version", info.version},
          {"sha256", info.sha256},
          {"crc", info.crc ? Json(fmt::format("{} {:x}", NameOf(info.crc->kind), info.crc->value))
                           : Json()},
          {"content_type", info.content_type},
          {"cache_control", info.cache_control},
          {"metadata", info.metadata}};
}

Json Shown(const std::optional<std::string>& bytes) { return bytes ? Json(*bytes) : Json(); }

// Words behind the arguments: if-absent, if-version=V, type=T, cache=C, meta:NAME=VALUE.
PutOptions TakeOptions(const std::vector<std::string>& words, std::size_t from) {
  PutOptions options;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string value = word.substr(std::min(word.find('=') + 1, word.size()));
    if (word == "if-absent") options.if_absent = true;
    if (word.starts_with("if-version=")) options.if_version = value;
    if (word.starts_with("type=")) options.content_type = value;
    if (word.starts_with("cache=")) options.cache_control = value;
    if (word.starts_with("meta:")) options.metadata[word.substr(5, word.find('=') - 5)] = value;
  }
  return options;
}

Json Run(Storage& storage, const std::vector<std::string>& words) {
  const std::string& operation = words.at(0);
  if (operation == "list") {
    Json all = Json::array();
    for (const ObjectInfo& info : storage.List(words.size() > 1 ? words[1] : "")) {
      all.push_back({{"key", info.key}, {"size", info.size}, {"version", info.version}});
    }
    return all;
  }
  const std::string& key = words.at(1);
  if (operation == "head") {
    const std::optional<ObjectInfo> info = storage.Head(key);
    return info ? Shown(*info) : Json();
  }
  if (operation == "url") return storage.UrlOf(key);
  if (operation == "read") return Shown(storage.Read(key));
  if (operation == "range") {
    return Shown(storage.ReadRange(key, std::stoull(words.at(2)), std::stoull(words.at(3))));
  }
  if (operation == "write") return Shown(storage.Write(key, words.at(2), TakeOptions(words, 3)));
  if (operation == "upload") {
    return Shown(storage.Upload(words.at(2), key, TakeOptions(words, 3), {}, {}));
  }
  if (operation == "download") {
    ObjectInfo object{.key = key};
    // As commands do, which go by listings.
    for (ObjectInfo& listed : storage.List(key)) {
      if (listed.key == key) object = std::move(listed);
    }
    storage.Download(object, words.at(2), {});
    return true;
  }
  if (operation == "copy") {
    const std::optional<ObjectInfo> from = storage.Head(key);
    if (!from) return nullptr;
    return Shown(storage.Copy(*from, words.at(2), TakeOptions(words, 3)));
  }
  if (operation == "remove") {
    storage.Remove(key);
    return true;
  }
  throw std::invalid_argument(operation);
}

int Main(std::vector<std::string> words) {
  static constexpr const char* kKinds[] = {"not-found", "conflict",  "denied",
                                           "damaged",   "unreached", "local"};
  const Environment environment{
      .files = RealFileSystem(), .in = std::cin, .out = std::cout, .err = std::cerr};
  Host host{environment,
            OwnVariables(),
            &RealProcesses(),
            ThisMachine(),
            [] { return std::chrono::system_clock::now(); },
            SleepUnlessInterrupted};
  const std::string place = words.at(0);
  words.erase(words.begin());
  S3Sizes sizes;
  if (words.at(0) == "small") {
    sizes = {kLeastPart, kLeastPart, 6 << 20, kLeastPart};
    words.erase(words.begin());
  }
  try {
    const std::unique_ptr<Storage> storage =
        place.starts_with('/')
            ? OpenFolder(place)
            : OpenBucket({.bucket = place, .endpoint = host.Variable("AWS_ENDPOINT_URL")}, sizes,
                         host);
    std::cout << DumpJson(Run(*storage, words)) << '\n';
    return 0;
  } catch (const StorageError& error) {
    std::cout << DumpJson(Json{{"error", kKinds[static_cast<std::size_t>(error.kind())]},
                               {"message", error.what()}})
              << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace wheelwright

int main(int argc, char** argv) { return wheelwright::Main({argv + 1, argv + argc}); }
