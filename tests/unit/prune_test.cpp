// Old versions leave, while the store fails and others publish.
#include "runtime/wheels/release/prune.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_files.h"
#include "runtime/wheels/index/index_page.h"
#include "tests/unit/failing_storage.h"
#include "tests/unit/memory_storage.h"

namespace wheelwright {
namespace {

using Fault = FailingStorage::Fault;
using Names = std::set<std::string>;

const std::string kFolder = "v2/f/";

std::string RocmOf(const std::string& rocm) { return "rocm-" + rocm + ".tar.gz"; }
std::string TorchOf(const std::string& rocm) {
  return "torch-2.10.0+rocm" + rocm + "-py3-none-any.whl";
}

// A folder in which 7.1.0 is to be removed, 7.2.0 is to leave the pages, 7.3.0 is to return to them
// because somebody tagged it, and 7.4.0 is the newest.
struct Pruning {
  MemoryStorage storage;
  Plan plan;

  Pruning() {
    plan.projects.push_back({.name = "torch"});
    for (const char* rocm : {"7.1.0", "7.2.0", "7.3.0", "7.4.0"}) {
      storage.Add(kFolder + RocmOf(rocm), rocm);
      AddTorch(TorchOf(rocm), "2.10.0+rocm" + std::string(rocm));
      storage.Add(kFolder + TorchOf(rocm) + ".manifest.json", "{}");
      const nlohmann::json files = {{{"file", RocmOf(rocm)}}, {{"file", TorchOf(rocm)}}};
      const nlohmann::json record = {{"format", 1}, {"platforms", {{"linux", {{"files", files}}}}}};
      storage.Add(kFolder + "release-" + rocm + ".json", DumpJson(record));
    }
    const IndexOptions index{.threads = 1};
    for (const char* rocm : {"7.1.0", "7.3.0"}) {
      ChangeMarks(storage, kFolder, kRetiredFile, {RocmOf(rocm), TorchOf(rocm)},
                  "2026-01-01T00:00:00Z", index.sleep);
    }
    WriteIndex(storage, kFolder, index);
  }

  void AddTorch(const std::string& file, const std::string& version) {
    storage.Add(kFolder + file, file);
    storage.Add(kFolder + file + std::string(kMetadataSuffix),
                "Metadata-Version: 2.1\nName: torch\nVersion: " + version + "\n\n",
                {{std::string(kMetadataOfWheel), Sha256Of(file)}});
  }

  void Run(Storage& store) {
    const auto now = std::chrono::sys_days(std::chrono::year(2026) / 3 / 1);
    const PruneRules rules{1, {{*ParsePackageVersion("7.3.0"), "a tag"}}, std::chrono::days(7)};
    const PrunePlan found = PlanPrune(store, kFolder, kFolder, plan, rules, now);
    if (found.Changes()) Prune(store, kFolder, found, {.threads = 1}, now);
  }

  Names Listed() {
    Names names;
    for (const char* project : {"rocm", "torch"}) {
      const auto page = ParseJson(storage.Bytes(kFolder + project + "/index.v1.json"));
      for (const auto& file : page.at("files")) names.insert(file.at("filename"));
    }
    return names;
  }

  // What readers see is there: on all pages, and in the records.
  void RequireWhole() {
    for (const std::string& name : Listed()) REQUIRE(storage.Has(kFolder + name));
    for (const char* rocm : {"7.1.0", "7.2.0", "7.3.0", "7.4.0"}) {
      for (const std::string& name : {RocmOf(rocm), TorchOf(rocm)}) {
        if (storage.Has(kFolder + name)) continue;
        REQUIRE_FALSE(storage.Has(kFolder + "release-" + rocm + ".json"));
        for (const char* page : {"find-links.html", "rocm/index.html", "torch/index.html"}) {
          REQUIRE(storage.Bytes(kFolder + page).find(name + "</a>") == std::string::npos);
        }
      }
    }
  }

  void RequireDone() {
    RequireWhole();
    REQUIRE(Listed() ==
            Names{RocmOf("7.3.0"), TorchOf("7.3.0"), RocmOf("7.4.0"), TorchOf("7.4.0")});
    for (const auto& [key, object] : storage.objects) {
      REQUIRE(key.find("7.1.0") == std::string::npos);
    }
    const FileMarks marks = ReadMarks(storage, kFolder, kRetiredFile);
    REQUIRE(marks == FileMarks{{RocmOf("7.2.0"), "2026-03-01T00:00:00Z"},
                               {TorchOf("7.2.0"), "2026-03-01T00:00:00Z"}});
    REQUIRE(storage.Has(kFolder + TorchOf("7.2.0")));
  }
};

TEST_CASE("a prune whose store fails at any request leaves a whole index", "[prune]") {
  for (const Fault fault : {Fault::kRequest, Fault::kAnswer, Fault::kFromHere}) {
    std::size_t at = 0;
    for (;; ++at) {
      CAPTURE(static_cast<int>(fault), at);
      Pruning pruning;
      FailingStorage failing(pruning.storage, fault, at, [&] { pruning.RequireWhole(); });
      bool said = false;
      try {
        pruning.Run(failing);
      } catch (const StorageError& error) {
        REQUIRE(std::string(error.what()) == "the store is gone");
        said = true;
      }
      const bool whole = !failing.failed();
      REQUIRE(said == !whole);
      FailingStorage watched(pruning.storage, fault, ~std::size_t{0},
                             [&] { pruning.RequireWhole(); });
      pruning.Run(watched);
      pruning.RequireDone();
      if (whole) break;
    }
    CHECK(at > 30);
  }
}

TEST_CASE("a prune lists nothing of a publication that goes on", "[prune]") {
  Pruning pruning;
  // It was copied, and nobody has looked yet whether its set is whole.
  const std::string copied = TorchOf("7.5.0");
  pruning.AddTorch(copied, "2.10.0+rocm7.5.0");
  pruning.storage.Add(kFolder + RocmOf("7.4.1"), "x");
  pruning.Run(pruning.storage);
  CHECK_FALSE(pruning.Listed().contains(copied));
  CHECK_FALSE(pruning.Listed().contains(RocmOf("7.4.1")));
  CHECK(pruning.storage.Has(kFolder + copied));
  // Then its own job writes the index.
  WriteIndex(pruning.storage, kFolder, {});
  CHECK(pruning.Listed().contains(copied));
  pruning.RequireWhole();
}

TEST_CASE("a publication in the middle of a prune loses nothing", "[prune]") {
  for (std::size_t at = 0;; ++at) {
    CAPTURE(at);
    Pruning pruning;
    std::size_t writes = 0;
    bool published = false;
    pruning.storage.before = [&](const std::string&) {
      if (writes++ != at) return;
      published = true;
      pruning.storage.before = nullptr;
      pruning.AddTorch(TorchOf("7.4.1"), "2.10.0+rocm7.4.1");
      WriteIndex(pruning.storage, kFolder, {});
    };
    pruning.Run(pruning.storage);
    pruning.storage.before = nullptr;
    pruning.RequireWhole();
    if (!published) break;
    REQUIRE(pruning.Listed().contains(TorchOf("7.4.1")));
    REQUIRE(pruning.storage.Bytes(kFolder + "find-links.html").find(TorchOf("7.4.1") + "</a>") !=
            std::string::npos);
  }
}

TEST_CASE("what somebody takes back meanwhile is not removed", "[prune]") {
  Pruning pruning;
  pruning.storage.before = [&](const std::string& what) {
    if (!what.ends_with("torch/index.html")) return;
    pruning.storage.before = nullptr;
    ChangeMarks(pruning.storage, kFolder, kRetiredFile, {TorchOf("7.1.0")}, std::nullopt,
                IndexOptions().sleep);
  };
  CHECK_THROWS_WITH(pruning.Run(pruning.storage),
                    "mem://b/v2/f/" + TorchOf("7.1.0") +
                        " is to stay after all: somebody changed retired.json meanwhile; nothing "
                        "was removed");
  CHECK(pruning.storage.Has(kFolder + TorchOf("7.1.0")));
  CHECK(pruning.storage.Has(kFolder + RocmOf("7.1.0")));
}

}  // namespace
}  // namespace wheelwright
