// What is written into a store, when, and what is read for it.
#include "runtime/wheels/index/index_writer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/json.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_files.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "tests/unit/memory_storage.h"
#include "tests/unit/wheel_builder.h"

namespace wheelwright {
namespace {

using Strings = std::vector<std::string>;

// A small wheel of that version, on two interpreters if need be.
struct Made {
  std::string file;
  std::string bytes;
  std::string metadata;
};
Made Wheel(const std::string& project, const std::string& version,
           const std::string& requires_python = ">=3.10", const std::string& python = "py3",
           const Strings& needs = {}) {
  TestWheel wheel;
  wheel.dist_info = project + "-" + version + ".dist-info";
  wheel.metadata = "Metadata-Version: 2.1\nName: " + project + "\nVersion: " + version +
                   "\nRequires-Python: " + requires_python + "\n";
  for (const std::string& need : needs) wheel.metadata += "Requires-Dist: " + need + "\n";
  wheel.metadata += "\n";
  wheel.MakeRecord();
  return {project + "-" + version + "-" + python + "-none-any.whl", Packed(wheel.Zip()),
          wheel.metadata};
}

IndexResult Write(MemoryStorage& storage, std::string_view prefix = "v2/f/",
                  IndexOptions options = {}) {
  options.threads = 1;
  return WriteIndex(storage, prefix, options);
}

nlohmann::json Json(const MemoryStorage& storage, std::string_view key) {
  return ParseJson(storage.Bytes(key));
}

Strings NamesIn(const nlohmann::json& page) {
  Strings names;
  for (const auto& file : page.at("files")) names.push_back(file.at("filename"));
  return names;
}

TEST_CASE("an empty folder gets an empty index", "[index]") {
  MemoryStorage storage;
  const IndexResult result = Write(storage);
  CHECK(result.projects == 0);
  CHECK(result.written == Strings{"v2/f/find-links.html", "v2/f/index.html", "v2/f/index.v1.json"});
  CHECK(storage.objects.at("v2/f/index.html").info.content_type == "text/html; charset=utf-8");
  CHECK(storage.objects.at("v2/f/index.html").info.cache_control == "no-cache");
  CHECK(storage.objects.at("v2/f/index.v1.json").info.content_type ==
        "application/vnd.pypi.simple.v1+json");
  CHECK(Write(storage).written.empty());
}

TEST_CASE("files on pages are those that lie in the folder and are packages", "[index]") {
  MemoryStorage storage;
  const Made torch = Wheel("torch", "2.10.0+rocm7.10.0");
  storage.Add("v2/f/" + torch.file, torch.bytes);
  storage.Add("v2/f/rocm-7.10.0.tar.gz", "x");
  storage.Add("v2/f/readme.txt", "x");
  storage.Add("v2/f/deep/" + Wheel("nested", "1.0").file, Wheel("nested", "1.0").bytes);
  storage.Add("v2/f/torch/" + torch.file, torch.bytes);
  storage.Add("v2/f2/" + Wheel("other", "1.0").file, "x");
  storage.Add("v2/f/broken.whl", "x");
  storage.Add("v2/f/a-1.0-py3-none-any.whl", "no zip");
  storage.Add("v2/f/lonely-1.0-py3-none-any.whl.metadata", "x");
  const IndexResult result = Write(storage);
  CHECK(result.projects == 2);
  CHECK(result.files.size() == 2);
  CHECK(result.left_out ==
        Strings{"'a-1.0-py3-none-any.whl': it is no zip archive: it is too short",
                "'broken.whl': it has 1 field instead of 5 or 6"});
  CHECK(NamesIn(Json(storage, "v2/f/torch/index.v1.json")) == Strings{torch.file});
  CHECK(NamesIn(Json(storage, "v2/f/rocm/index.v1.json")) == Strings{"rocm-7.10.0.tar.gz"});
  CHECK(!storage.Has("v2/f/nested/index.html"));
  const auto file = Json(storage, "v2/f/torch/index.v1.json").at("files").at(0);
  CHECK(file.at("hashes").at("sha256") == Sha256Of(torch.bytes));
  CHECK(file.at("requires-python") == ">=3.10");
  CHECK(file.at("core-metadata").at("sha256") == Sha256Of(torch.metadata));
  CHECK(storage.Bytes("v2/f/" + torch.file + ".metadata") == torch.metadata);
  CHECK(storage.objects.at("v2/f/" + torch.file + ".metadata").info.metadata.at("wheel-sha256") ==
        Sha256Of(torch.bytes));
}

TEST_CASE("what is known is not read again", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0"), b = Wheel("b", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  Write(storage, "p/");
  storage.reads.clear();
  storage.heads = 0;
  storage.listed.clear();
  storage.Add("p/" + b.file, b.bytes);
  const IndexResult result = Write(storage, "p/");
  // The files, which may be many, once; beside them only folders of pages.
  CHECK(std::ranges::count(storage.listed, "p/") == 1);
  CHECK(result.read == 1);
  CHECK(storage.heads == 1 + 3);  // of the file and of the three root pages
  CHECK(!storage.reads.contains("p/" + a.file));
  CHECK(!storage.reads.contains("p/" + a.file + ".metadata"));
  CHECK(result.written == Strings{"p/b/index.html", "p/b/index.v1.json", "p/find-links.html",
                                  "p/index.html", "p/index.v1.json"});
  storage.log.clear();
  CHECK(Write(storage, "p/").written.empty());
  CHECK(storage.log.empty());
}

// An index of two versions of a project, of which the first is `a`, and the page of the project.
struct TwoVersions {
  Made a = Wheel("a", "1.0");
  MemoryStorage storage;
  std::string key = "p/a/index.v1.json";
  std::string before;

  TwoVersions() {
    for (const Made& wheel : {a, Wheel("a", "2.0")}) storage.Add("p/" + wheel.file, wheel.bytes);
    Write(storage, "p/");
    before = storage.Bytes(key);
  }
};

TEST_CASE("a page in another form is understood and written anew", "[index]") {
  TwoVersions index;
  MemoryStorage& storage = index.storage;
  const nlohmann::json json = ParseJson(index.before);
  std::string page = index.before;
  if (GENERATE(true, false)) {
    // Of the form, `_html` and the start alone stay.
    const std::size_t files = page.find("\"files\":[");
    page = page.substr(0, files) + "\"files\":" + DumpJson(json["files"], 1) + "}";
  } else {
    // A member that this program does not write.
    const std::size_t url = page.find("\"url\":");
    page.insert(url, "\"extra\":{\"size\":7},");
  }
  storage.Add(index.key, page);
  storage.reads.clear();
  const IndexResult result = Write(storage, "p/");
  CHECK(result.read == 0);
  CHECK(!storage.reads.contains("p/" + index.a.file));
  CHECK(result.written == Strings{"p/a/index.html", index.key});
  CHECK(storage.Bytes(index.key) == index.before);
}

TEST_CASE("a file whose line is damaged is read again, and no other", "[index]") {
  TwoVersions index;
  MemoryStorage& storage = index.storage;
  std::string page = index.before;
  page.insert(page.find("\"hashes\":"), "\"");
  storage.Add(index.key, page);
  CHECK(Write(storage, "p/").read == 1);
  CHECK(storage.Bytes(index.key) == index.before);
}

TEST_CASE("what lies beside a file is found among names that begin with its name", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0"), ab = Wheel("ab", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  storage.Add("p/" + ab.file, ab.bytes);
  storage.Add("p/" + a.file + ".a-1.0.tar.gz", "x");
  storage.Add("p/" + a.file + ".other", "x");
  storage.Add("p/" + a.file + ".manifest.json", "{}");
  storage.Add("p/" + a.file + ".manifest.json.metadata", "x");
  Write(storage, "p/");
  CHECK(Json(storage, "p/a/index.v1.json").at("files").at(0).contains("_manifest"));
  CHECK(!Json(storage, "p/ab/index.v1.json").at("files").at(0).contains("_manifest"));
  CHECK(Write(storage, "p/").read == 0);  // the metadata of both is found
}

TEST_CASE("a wheel that was replaced is read again, and so is its metadata", "[index]") {
  MemoryStorage storage;
  const Made old = Wheel("a", "1.0", ">=3.9"), now = Wheel("a", "1.0", ">=3.11");
  storage.Add("p/" + old.file, old.bytes);
  Write(storage, "p/");
  storage.Add("p/" + now.file, now.bytes);
  CHECK(Write(storage, "p/").read == 1);
  const auto file = Json(storage, "p/a/index.v1.json").at("files").at(0);
  CHECK(file.at("requires-python") == ">=3.11");
  CHECK(file.at("hashes").at("sha256") == Sha256Of(now.bytes));
  CHECK(storage.Bytes("p/" + now.file + ".metadata") == now.metadata);
}

TEST_CASE("metadata and sum that an upload wrote are enough", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes, {{"upload-time", "2025-11-24T10:00:00Z"}});
  storage.Add("p/" + a.file + ".metadata", a.metadata, {{"wheel-sha256", Sha256Of(a.bytes)}});
  Write(storage, "p/");
  CHECK(!storage.reads.contains("p/" + a.file));
  const auto file = Json(storage, "p/a/index.v1.json").at("files").at(0);
  CHECK(file.at("upload-time") == "2025-11-24T10:00:00Z");
  CHECK(file.at("core-metadata").at("sha256") == Sha256Of(a.metadata));
}

TEST_CASE("metadata that does not say of which wheel it is, is replaced by the wheel's",
          "[index]") {
  MemoryStorage storage;
  storage.knows_sums = GENERATE(true, false);
  const Made old = Wheel("a", "1.0", ">=3.9"), now = Wheel("a", "1.0", ">=3.11");
  storage.Add("p/" + old.file, old.bytes);
  storage.Add(
      "p/" + old.file + ".metadata", old.metadata,
      GENERATE(as<std::map<std::string, std::string>>(), std::map<std::string, std::string>{},
               std::map<std::string, std::string>{{"wheel-sha256", std::string(64, '0')}}));
  storage.Add("p/" + now.file, now.bytes);
  Write(storage, "p/");
  CHECK(storage.Bytes("p/" + now.file + ".metadata") == now.metadata);
  CHECK(Json(storage, "p/a/index.v1.json").at("files").at(0).at("requires-python") == ">=3.11");
}

TEST_CASE("what a poisoned page says of a file is not taken over", "[index]") {
  MemoryStorage storage;
  storage.knows_sums = false;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  Write(storage, "p/");
  const std::string key = "p/a/index.v1.json";
  auto json = ParseOrderedJson(storage.Bytes(key));
  const std::string evil = "\"><script>alert(1)</script>";
  const std::string member = GENERATE(as<std::string>(), "sha256", "core", "time", "python");
  auto& file = json["files"][0];
  if (member == "sha256") file["hashes"]["sha256"] = evil;
  if (member == "core") file["core-metadata"]["sha256"] = evil;
  if (member == "time") file["upload-time"] = evil;
  if (member == "python") file["requires-python"] = evil + "\n";
  std::string page = storage.Bytes(key);
  const std::size_t files = page.find("\"files\":[");
  page = page.substr(0, files) + "\"files\":[\n" + DumpJson(file) + "\n]}\n";
  storage.Add(key, page);
  Write(storage, "p/");
  for (const char* name : {"p/a/index.html", "p/a/index.v1.json", "p/find-links.html"}) {
    CHECK(storage.Bytes(name).find("script") == std::string::npos);
  }
}

TEST_CASE("pages that others wrote end the command before anything is written", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  // One level too high lies the index of another folder, with our mark and not for this place.
  MemoryStorage other;
  other.Add("p/" + a.file, a.bytes);
  Write(other, "p/");
  const std::string root = other.Bytes("p/index.html"), root_json = other.Bytes("p/index.v1.json"),
                    project = other.Bytes("p/a/index.html");
  const auto [key, bytes] =
      GENERATE_COPY(std::pair<std::string, std::string>("p/index.html", "<html>mine</html>"),
                    std::pair<std::string, std::string>("p/docs/index.html", "<html>mine</html>"),
                    std::pair<std::string, std::string>("p/a/index.html", "<html>mine</html>"),
                    std::pair<std::string, std::string>("p/a/index.v1.json", "{}"),
                    std::pair<std::string, std::string>("p/find-links.html", "<html>mine</html>"),
                    std::pair<std::string, std::string>("p/_own/a/index.html", "<html>mine</html>"),
                    std::pair<std::string, std::string>("p/gfx942/index.html", root),
                    std::pair<std::string, std::string>("p/gfx942/index.v1.json", root_json),
                    std::pair<std::string, std::string>("p/b/index.html", project));
  CAPTURE(key);
  storage.Add(key, bytes);
  const std::size_t before = storage.objects.size();
  CHECK_THROWS_WITH(Write(storage, "p/"), Catch::Contains("nothing was written"));
  CHECK(storage.objects.size() == before);
  CHECK(storage.Bytes(key) == bytes);
}

TEST_CASE("metadata of another wheel is replaced", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  storage.Add("p/" + a.file + ".metadata", "Metadata-Version: 2.1\nName: b\nVersion: 1.0\n");
  Write(storage, "p/");
  CHECK(storage.Bytes("p/" + a.file + ".metadata") == a.metadata);
}

TEST_CASE("without a sum in the store, a link has none", "[index]") {
  MemoryStorage storage;
  storage.knows_sums = false;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  CHECK(Write(storage, "p/").without_sum == Strings{a.file});
  CHECK(storage.Bytes("p/a/index.html").find("#sha256") == std::string::npos);
}

TEST_CASE("a project without files keeps an empty page", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  Write(storage, "p/");
  storage.objects.erase("p/" + a.file);
  const IndexResult result = Write(storage, "p/");
  CHECK(result.projects == 0);
  CHECK(NamesIn(Json(storage, "p/a/index.v1.json")).empty());
  CHECK(Json(storage, "p/index.v1.json").at("projects").empty());
  CHECK(storage.Bytes("p/a/index.html").find("<a ") == std::string::npos);
  storage.listed.clear();
  CHECK(Write(storage, "p/").written.empty());
  CHECK(std::ranges::count(storage.listed, "p/") == 1);  // the root page knows of it
  storage.Add("p/" + a.file, a.bytes);
  CHECK(Write(storage, "p/").conflicts == 0);
  CHECK(NamesIn(Json(storage, "p/a/index.v1.json")) == Strings{a.file});
}

TEST_CASE("pages that the root page does not list are found all the same", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0"), b = Wheel("b", "1.0");
  for (const Made& made : {a, b}) storage.Add("p/" + made.file, made.bytes);
  Write(storage, "p/");
  // A writer that was cut off before it wrote the root page, and another that removed its file.
  std::string text = storage.Bytes("p/index.v1.json");
  const std::string line = ",\n{\"name\":\"b\"}";
  text.erase(text.find(line), line.size());
  storage.Add("p/index.v1.json", text);
  storage.objects.erase("p/" + b.file);
  CHECK(Write(storage, "p/").conflicts == 1);
  CHECK(NamesIn(Json(storage, "p/b/index.v1.json")).empty());
  // What a root page says is not believed to be names of projects.
  text = storage.Bytes("p/index.v1.json");
  text.replace(text.find("{\"name\":\"a\"}"), 12, "{\"name\":\"../q\"},3,{\"name\":4}");
  storage.Add("p/index.v1.json", text);
  storage.listed.clear();
  Write(storage, "p/");
  CHECK(std::ranges::all_of(storage.listed, [](const auto& one) {
    return one.starts_with("p/") && one.find("..") == std::string::npos;
  }));
  CHECK(NamesIn(Json(storage, "p/a/index.v1.json")) == Strings{a.file});
}

TEST_CASE("pages that were lost are written again, those of others are left alone", "[index]") {
  const std::string key = GENERATE(as<std::string>(), "p/a/index.html", "p/a/index.v1.json",
                                   "p/index.html", "p/index.v1.json", "p/find-links.html");
  CAPTURE(key);
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  Write(storage, "p/");
  const std::string page = storage.Bytes(key);
  storage.objects.erase(key);
  CHECK(!Write(storage, "p/").written.empty());
  CHECK(storage.Bytes(key) == page);
  if (key.ends_with(".json")) {
    storage.Add(key, "{}");
    CHECK_THROWS_WITH(Write(storage, "p/"), Catch::Contains("nothing was written"));
    CHECK(storage.Bytes(key) == "{}");
  }
}

TEST_CASE("a writer that was cut off at any place leaves nothing that the next does not mend",
          "[index]") {
  const Made a = Wheel("a", "1.0"), b = Wheel("b", "1.0");
  MemoryStorage whole;
  for (const Made& made : {a, b}) whole.Add("p/" + made.file, made.bytes);
  Write(whole, "p/");
  for (std::size_t cut = 0; cut < whole.log.size(); ++cut) {
    MemoryStorage storage;
    for (const Made& made : {a, b}) storage.Add("p/" + made.file, made.bytes);
    std::size_t writes = 0;
    storage.before = [&](const std::string&) {
      if (writes++ == cut) throw StorageError(StorageError::Kind::kUnreached, "cut off");
    };
    CHECK_THROWS_AS(Write(storage, "p/"), StorageError);
    storage.before = nullptr;
    Write(storage, "p/");
    CHECK(NamesIn(Json(storage, "p/a/index.v1.json")) == Strings{a.file});
    CHECK(NamesIn(Json(storage, "p/b/index.v1.json")) == Strings{b.file});
    CHECK(storage.Bytes("p/index.html") == whole.Bytes("p/index.html"));
    CHECK(storage.Bytes("p/find-links.html") == whole.Bytes("p/find-links.html"));
  }
}

// What each wheel requires exactly, and what an installer finds on a project's page.
const std::vector<std::pair<std::string, Strings>> kPinned{
    {"torchvision", {"torch"}}, {"torch", {"triton", "rocm"}}, {"triton", {}}, {"rocm", {}}};

// The versions on both pages of the project: what an installer may choose from.
Strings Offered(const MemoryStorage& storage, const std::string& project) {
  Strings offered;
  const std::string html = storage.Bytes("p/" + project + "/index.html");
  const std::string json = storage.Bytes("p/" + project + "/index.v1.json");
  for (const std::string version : {"1.0", "2.0"}) {
    const std::string file = project + "-" + version + "-py3-none-any.whl";
    if (html.find(file) == std::string::npos && json.find(file) == std::string::npos) continue;
    REQUIRE(storage.Has("p/" + file));  // a page refers to files that are there
    offered.push_back(version);
  }
  return offered;
}

// Each version of a project that is on any page has what it requires on all pages.
void RequireInstallable(const MemoryStorage& storage) {
  for (const auto& [project, needs] : kPinned) {
    for (const std::string& version : Offered(storage, project)) {
      for (const std::string& need : needs) {
        for (const std::string page : {"index.html", "index.v1.json"}) {
          INFO(project << " " << version << " needs " << need << ", " << page);
          const std::string file = need + "-" + version + "-py3-none-any.whl";
          REQUIRE(storage.Bytes("p/" + need + "/" + page).find(file) != std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("at every moment of a publication, what is listed can be installed", "[index]") {
  const auto add = [](MemoryStorage& storage, const std::string& version) {
    for (const auto& [project, needs] : kPinned) {
      Strings pins;
      for (const std::string& need : needs) pins.push_back(need + "==" + version);
      const Made made = Wheel(project, version, ">=3.10", "py3", pins);
      storage.Add("p/" + made.file, made.bytes);
    }
  };
  // A fault at each write in turn, before and after which a reader looks.
  for (std::size_t cut = 0;; ++cut) {
    MemoryStorage storage;
    add(storage, "1.0");
    Write(storage, "p/");
    add(storage, "2.0");
    std::size_t writes = 0;
    storage.before = [&](const std::string&) {
      RequireInstallable(storage);
      if (writes++ == cut) throw StorageError(StorageError::Kind::kUnreached, "cut off");
    };
    const bool whole = [&] {
      try {
        Write(storage, "p/");
        return true;
      } catch (const StorageError&) {
        return false;
      }
    }();
    RequireInstallable(storage);
    storage.before = [&](const std::string&) { RequireInstallable(storage); };
    Write(storage, "p/");
    REQUIRE(Offered(storage, "torchvision") == Strings{"1.0", "2.0"});
    if (!whole) continue;
    CHECK(cut > 8);
    break;
  }
}

TEST_CASE("packages that require each other are listed too", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0", ">=3.10", "py3", {"b"}),
             b = Wheel("b", "1.0", ">=3.10", "py3", {"a"});
  for (const Made& made : {a, b}) storage.Add("p/" + made.file, made.bytes);
  CHECK(Write(storage, "p/").projects == 2);
}

TEST_CASE("a writer that comes in between loses nothing and nothing is lost", "[index]") {
  const Made a = Wheel("a", "1.0"), late = Wheel("a", "2.0");
  MemoryStorage once;
  once.Add("p/" + a.file, a.bytes);
  Write(once, "p/");
  for (std::size_t at = 0; at < once.log.size(); ++at) {
    CAPTURE(at);
    MemoryStorage storage;
    storage.Add("p/" + a.file, a.bytes);
    std::size_t writes = 0;
    storage.before = [&](const std::string&) {
      if (writes++ != at) return;
      storage.before = nullptr;
      storage.Add("p/" + late.file, late.bytes);
      Write(storage, "p/");
    };
    Write(storage, "p/");
    CHECK(NamesIn(Json(storage, "p/a/index.v1.json")) == Strings{a.file, late.file});
    for (const std::string_view page : {"p/a/index.html", "p/find-links.html"}) {
      CHECK(storage.Bytes(page).find(late.file + "</a>") != std::string::npos);
    }
  }
}

TEST_CASE("writers on several threads list every file", "[index]") {
  MemoryStorage storage;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 6; ++i) {
    writers.emplace_back([&storage, i] {
      for (int k = 0; k < 4; ++k) {
        const Made made = Wheel("a", std::to_string(i) + "." + std::to_string(k));
        storage.Add("p/" + made.file, made.bytes);
        WriteIndex(storage, "p/",
                   {.threads = 2, .sleep = [](auto time) { std::this_thread::sleep_for(time); }});
      }
    });
  }
  writers.clear();
  CHECK(NamesIn(Json(storage, "p/a/index.v1.json")).size() == 24);
  CHECK(Write(storage, "p/").written.empty());
}

TEST_CASE("it gives up when it always comes too late", "[index]") {
  MemoryStorage storage;
  storage.before = [](const std::string& what) {
    throw StorageError(StorageError::Kind::kConflict, what);
  };
  CHECK_THROWS_AS(Write(storage), StorageError);
  CHECK(storage.listed.size() > 20);
}

TEST_CASE("a dry run writes nothing and says what would be written", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  const IndexResult result = Write(storage, "p/", {.dry_run = true});
  CHECK(storage.log.empty());
  CHECK(result.written.size() == 5);
  CHECK(result.files.at(0).metadata_sha256 == Sha256Of(a.metadata));
}

TEST_CASE("two indexes of one folder", "[index]") {
  MemoryStorage storage;
  for (const Made& made : {Wheel("torch", "1.0"), Wheel("rocm_sdk_core", "1.0"),
                           Wheel("numpy", "1.0"), Wheel("rocmless", "1.0")}) {
    storage.Add("p/" + made.file, made.bytes);
  }
  const IndexOptions options{.own = {"torch", "rocm", "rocm-*"}};
  Write(storage, "p/", options);
  CHECK(storage.Has("p/_own/torch/index.html"));
  CHECK(storage.Has("p/_own/rocm-sdk-core/index.html"));
  CHECK(!storage.Has("p/_own/numpy/index.html"));
  CHECK(storage.Has("p/_dependencies/numpy/index.v1.json"));
  CHECK(storage.Has("p/_dependencies/rocmless/index.v1.json"));
  CHECK(!storage.Has("p/_dependencies/torch/index.html"));
  CHECK(storage.Bytes("p/_own/torch/index.html").find("href=\"../../torch-1.0-py3") !=
        std::string::npos);
  CHECK(storage.Bytes("p/_dependencies/find-links.html").find("href=\"../numpy-1.0-py3") !=
        std::string::npos);
  CHECK(Json(storage, "p/index.v1.json").at("projects").size() == 4);
  CHECK(Write(storage, "p/", options).written.empty());
}

TEST_CASE("yanked files are marked, and the reason survives", "[index]") {
  MemoryStorage storage;
  const Made a = Wheel("a", "1.0");
  storage.Add("p/" + a.file, a.bytes);
  Write(storage, "p/");
  CHECK(1 == ChangeMarks(storage, "p/", kYankedFile, {a.file}, "crashes on gfx1151",
                         IndexOptions().sleep));
  CHECK(0 == ChangeMarks(storage, "p/", kYankedFile, {a.file}, "crashes on gfx1151",
                         IndexOptions().sleep));
  const IndexResult result = Write(storage, "p/");
  CHECK(result.yanked == 1);
  CHECK(result.read == 0);
  CHECK(Json(storage, "p/a/index.v1.json").at("files").at(0).at("yanked") == "crashes on gfx1151");
  CHECK(storage.Bytes("p/yanked.json") ==
        "{\n  \"a-1.0-py3-none-any.whl\": \"crashes on gfx1151\"\n}\n");
  CHECK(1 == ChangeMarks(storage, "p/", kYankedFile, {a.file}, std::nullopt, IndexOptions().sleep));
  CHECK(0 == ChangeMarks(storage, "p/", kYankedFile, {a.file}, std::nullopt, IndexOptions().sleep));
  Write(storage, "p/");
  CHECK(!Json(storage, "p/a/index.v1.json").at("files").at(0).contains("yanked"));
}

TEST_CASE("two who yank at once both do", "[index]") {
  MemoryStorage storage;
  storage.before = [&](const std::string&) {
    storage.before = nullptr;
    ChangeMarks(storage, "p/", kYankedFile, {"b.whl"}, "b", IndexOptions().sleep);
  };
  ChangeMarks(storage, "p/", kYankedFile, {"a.whl"}, "a", IndexOptions().sleep);
  CHECK(ReadMarks(storage, "p/", kYankedFile).size() == 2);
}

TEST_CASE("a list of yanks that is none is not passed over", "[index]") {
  MemoryStorage storage;
  const std::string text =
      GENERATE(as<std::string>(), "", "[]", "{\"a\": 1}", "{\"a\": \"\\u0007\"}");
  storage.Add("p/yanked.json", text);
  CHECK_THROWS_AS(Write(storage, "p/"), StorageError);
}

TEST_CASE("a wheel of gigabytes is read by kilobytes", "[index]") {
  TestWheel wheel;
  for (int i = 0; i < 50; ++i) {
    wheel.files.emplace_back("torch/lib" + std::to_string(i) + ".so", std::string(1 << 20, 'x'));
  }
  wheel.MakeRecord();
  TestZip zip;
  for (const auto& [path, text] : wheel.All()) zip.entries.emplace_back(path, text, false);
  MemoryStorage storage;
  storage.Add("w.whl", Packed(zip));
  const StoredSource source(storage, "w.whl", storage.Bytes("w.whl").size());
  CHECK(ReadStoredMetadata(source, wheel.file).text == wheel.metadata);
  CHECK(storage.reads.at("w.whl") <= 2);
  CHECK(storage.bytes_read < 200'000);
}

TEST_CASE("what is no metadata of the wheel is refused", "[index]") {
  const auto problem = [](const TestWheel& wheel) {
    const std::string bytes = Packed(wheel.Zip());
    const MemorySource source(bytes);
    return ReadStoredMetadata(source, wheel.file).problem;
  };
  TestWheel wheel;
  CHECK(problem(wheel).empty());
  wheel.metadata = "Name: torch\nVersion: 2.9\n\n";
  CHECK(problem(wheel) == "its METADATA is about 'torch' '2.9'");
  wheel.metadata = "Name: torch\n\n";
  CHECK(problem(wheel) == "its METADATA does not say its name and version");
  wheel = TestWheel();
  wheel.files.emplace_back("other.dist-info/METADATA", "x");
  CHECK(problem(wheel) == "'torch-2.10.0+rocm7.10.0.dist-info/METADATA' is not the only one");
  wheel = TestWheel();
  wheel.dist_info = "torch";
  CHECK(problem(wheel) == "no entry has the name that is looked for");
  CHECK(ReadMetadataText("Name: torch\nVersion: 2.10.0+rocm7.10.0\nRequires-Python: \x01\n\n",
                         wheel.file)
            .requires_python.empty());
}

}  // namespace
}  // namespace wheelwright
