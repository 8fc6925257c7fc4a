// The record of a release, while other jobs write theirs and the store fails.
#include "runtime/wheels/release/release_record.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "tests/unit/failing_storage.h"
#include "tests/unit/memory_storage.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

constexpr std::string_view kKey = "v2/f/release-7.12.0.json";

struct Recording {
  TestHost machine;
  MemoryStorage storage;
  ReleaseSet set{.family = "f",
                 .release_type = "nightly",
                 .rocm = *ParsePackageVersion("7.12.0"),
                 .platforms = {"linux"}};

  void Record() { RecordRelease(storage, "v2/f/", set, {}, machine.host); }
  // Like the job of the other platform.
  void RecordOther() {
    Recording other;
    other.set.platforms = {"windows"};
    if (storage.Has(kKey)) other.storage.Add(kKey, storage.Bytes(kKey));
    other.Record();
    storage.Add(kKey, other.storage.Bytes(kKey));
  }
  std::vector<std::string> Platforms() const {
    std::vector<std::string> platforms;
    const auto record = ParseJson(storage.Bytes(kKey));
    for (const auto& [name, part] : record["platforms"].items()) platforms.push_back(name);
    return platforms;
  }
};

TEST_CASE_METHOD(Recording, "two platforms are recorded at the same time", "[release-record]") {
  storage.before = [&](const std::string& what) {
    CHECK(what == "put " + std::string(kKey));
    storage.before = nullptr;
    RecordOther();
  };
  Record();
  CHECK(Platforms() == std::vector<std::string>{"linux", "windows"});
  CHECK(machine.waits.size() <= 1);  // a wait of no time is left out
}

TEST_CASE_METHOD(Recording, "a record that cannot be replaced stays", "[release-record]") {
  RecordOther();
  const std::string before = storage.Bytes(kKey);
  storage.before = [](const std::string&) {
    throw StorageError(StorageError::Kind::kUnreached, "the server is gone");
  };
  CHECK_THROWS_WITH(Record(), "the server is gone");
  CHECK(storage.Bytes(kKey) == before);
  storage.before = nullptr;
  Record();
  CHECK(Platforms() == std::vector<std::string>{"linux", "windows"});
}

TEST_CASE("a store that fails at any request leaves the record before or the new one",
          "[release-record]") {
  using Fault = FailingStorage::Fault;
  for (const Fault fault : {Fault::kRequest, Fault::kAnswer, Fault::kFromHere}) {
    for (const bool first : {true, false}) {
      std::size_t at = 0;
      for (;; ++at) {
        CAPTURE(static_cast<int>(fault), first, at);
        Recording recording;
        // Two members of the set, which lie in the store.
        ReleaseCheck check{.of_member = {{0}, {1}}};
        for (const char* file : {"rocm-7.12.0.tar.gz", "rocm_sdk_core-7.12.0-py3-none-any.whl"}) {
          recording.storage.Add("v2/f/" + std::string(file), file);
          check.files.push_back({.key = "v2/f/" + std::string(file),
                                 .file = file,
                                 .distribution = *ReadDistributionName(file)});
          recording.set.members.push_back({.project = check.files.back().distribution.project});
        }
        if (!first) recording.RecordOther();
        const std::string before = recording.storage.Bytes(kKey);
        std::string after;
        const auto look = [&] {
          const std::string now = recording.storage.Bytes(kKey);
          if (now == before) return;
          if (after.empty()) after = now;
          REQUIRE(now == after);
          const auto record = ParseJson(now);
          REQUIRE(record.at("platforms").size() == (first ? 1U : 2U));
          REQUIRE(record.at("platforms").at("linux").at("files").size() == 2);
        };
        FailingStorage failing(recording.storage, fault, at, look);
        bool said = false;
        try {
          RecordRelease(failing, "v2/f/", recording.set, check, recording.machine.host);
        } catch (const StorageError&) {
          said = true;
        }
        REQUIRE(said == failing.failed());
        RecordRelease(recording.storage, "v2/f/", recording.set, check, recording.machine.host);
        look();
        REQUIRE_FALSE(after.empty());
        if (!said) break;
      }
      CHECK(at > 6);
    }
  }
}

TEST_CASE_METHOD(Recording, "a record of a newer program is not replaced", "[release-record]") {
  const std::string newer = R"({"format": 2, "platforms": {"linux": {}}})";
  storage.Add(kKey, newer);
  CHECK_THROWS_AS(Record(), StorageError);
  CHECK(storage.Bytes(kKey) == newer);
}

}  // namespace
}  // namespace wheelwright
