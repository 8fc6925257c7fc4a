// What an upload may replace when other jobs write at the same time.
#include "runtime/wheels/transfer/upload_files.h"

#include <catch2/catch.hpp>

#include "tests/unit/memory_storage.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

struct RunUpload {
  TestHost machine;
  MemoryStorage storage;
  std::vector<UploadFile> files{
      {.path = "ours", .name = "a.tar", .key = "31/a.tar", .size = 4, .of_run = true}};

  std::vector<std::string> Look() { return ReplacedFiles(storage, "31/", files, machine.host); }
  std::string Upload() {
    try {
      UploadAll(storage, "31/", files, machine.host);
    } catch (const StorageError& error) {
      return error.kind() == StorageError::Kind::kConflict ? "conflict" : error.what();
    }
    return storage.Bytes("31/a.tar");
  }
};

TEST_CASE_METHOD(RunUpload, "a file of another job that appears after the check", "[upload]") {
  CHECK(Look().empty());
  storage.Add("31/a.tar", "theirs");
  CHECK(Upload() == "conflict");
  CHECK(storage.Bytes("31/a.tar") == "theirs");
}

TEST_CASE_METHOD(RunUpload, "a file of an earlier attempt that changes after the check",
                 "[upload]") {
  machine.host.variables["GITHUB_RUN_ATTEMPT"] = "2";
  storage.Add("31/a.tar", "before", {{"run-attempt", "1"}});
  CHECK(Look().empty());
  SECTION("replaced if it is the same") { CHECK(Upload() == "ours"); }
  SECTION("kept if another job has written") {
    storage.Add("31/a.tar", "theirs");
    CHECK(Upload() == "conflict");
  }
  SECTION("replaced in any case if that was asked for") {
    storage.Add("31/a.tar", "theirs");
    files[0].replace = true;
    CHECK(Upload() == "ours");
  }
}

TEST_CASE_METHOD(RunUpload, "a file of the same attempt", "[upload]") {
  machine.host.variables["GITHUB_RUN_ATTEMPT"] = "2";
  storage.Add("31/a.tar", "theirs", {{"run-attempt", "2"}});
  CHECK(Look().size() == 1);
}

}  // namespace
}  // namespace wheelwright
