// Which wheels are released, and what happens to those that are.
#include <catch2/catch.hpp>

#include "base/source.h"
#include "runtime/wheels/index/index_page.h"
#include "runtime/wheels/promotion/promotion_request.h"
#include "runtime/wheels/promotion/wheel_promotion.h"
#include "tests/unit/memory_storage.h"
#include "tests/unit/said.h"
#include "tests/unit/wheel_builder.h"

namespace wheelwright {
namespace {

using Strings = std::vector<std::string>;

const std::vector<PromotionRow> kPolicy{
    {.branches = {"release/therock-*"}, .promote = true, .why = "branch"},
    {.builds = {"failure", "cancelled", "skipped"}, .why = "build"},
    {.tests = {"failure", "cancelled", "skipped"}, .runner = true, .why = "tests"},
    {.runner = false, .bypass = false, .why = "no runner"},
    {.promote = true, .why = "fine"},
};

TEST_CASE("the policy, by what is known", "[promotion]") {
  struct Row {
    std::string_view branch, build;
    JobResults tests;
    bool bypass;
    std::string_view verdict, why;
  };
  const std::string_view unbuilt = "The build did not succeed, so nothing is promoted";
  const std::vector<Row> rows{
      {"main", "success", {{"f", "success"}}, false, "promote", "fine"},
      {"main", "success", {{"f", "success"}}, true, "promote", "fine"},
      {"main", "success", {{"f", "failure"}}, false, "hold", "tests"},
      {"main", "success", {{"f", "failure"}}, true, "hold", "tests"},
      {"main", "success", {{"f", "cancelled"}}, true, "hold", "tests"},
      {"main", "success", {{"f", "skipped"}}, true, "hold", "tests"},
      {"main", "success", {{"f", "success"}, {"g", "failure"}}, true, "hold", "tests"},
      {"main", "success", {{"f", "success"}, {"g", "skipped"}}, true, "hold", "tests"},
      {"main", "success", {{"f", "success"}, {"g", "success"}}, false, "promote", "fine"},
      {"main", "success", {}, false, "hold", "no runner"},
      {"main", "success", {}, true, "promote", "fine"},
      {"main", "failure", {{"f", "success"}}, true, "hold", "build"},
      {"main", "cancelled", {}, true, "hold", "build"},
      {"main", "skipped", {}, true, "hold", "build"},
      {"release/therock-7.10", "success", {{"f", "failure"}}, false, "promote", "branch"},
      {"release/therock-7.10", "success", {}, false, "promote", "branch"},
      // What was not built is not released, although the row says so.
      {"release/therock-7.10", "failure", {{"f", "success"}}, true, "hold", unbuilt},
      {"release/therock-7.10", "skipped", {}, true, "hold", unbuilt},
      {"release/other", "success", {}, false, "hold", "no runner"},
      {"users/release/therock-7.10", "success", {}, false, "hold", "no runner"},
      {"", "success", {}, false, "hold", "no runner"},
  };
  for (const Row& row : rows) {
    const std::string tests = WorstResult(row.tests);
    CAPTURE(row.branch, row.build, tests, row.bypass);
    const PromotionVerdict verdict = Judge(kPolicy, {.branch = row.branch,
                                                     .build = row.build,
                                                     .tests = tests,
                                                     .runner = !row.tests.empty(),
                                                     .bypass = row.bypass});
    CHECK((verdict.promote ? "promote" : "hold") == row.verdict);
    CHECK(verdict.why == row.why);
  }
}

TEST_CASE("without a row that fits, nothing is promoted", "[promotion]") {
  const PromotionVerdict verdict = Judge({}, {.build = "success", .tests = "success"});
  CHECK(!verdict.promote);
  CHECK(verdict.why == "No row of the policy fits");
}

TEST_CASE("the row that decided is marked", "[promotion]") {
  const PromotionVerdict verdict =
      Judge(kPolicy, {.branch = "main", .build = "success", .tests = "skipped"});
  CHECK(PolicyTable(kPolicy, verdict) ==
        "| | branch | build | tests | a runner tests it | may go untested | verdict | why |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
        "|  | release/therock-\\* | any | any | any | any | promote | branch |\n"
        "|  | any | failure, cancelled and skipped | any | any | any | hold | build |\n"
        "|  | any | any | failure, cancelled and skipped | yes | any | hold | tests |\n"
        "| **this one** | any | any | any | no | no | hold | no runner |\n"
        "|  | any | any | any | any | any | promote | fine |\n");
}

TEST_CASE("results of tests, in each form", "[promotion]") {
  struct Row {
    std::string_view text;
    std::string_view together;
    std::size_t count;
  };
  const std::vector<Row> rows{
      {"", "skipped", 0},
      {" \n", "skipped", 0},
      {"success", "success", 1},
      {"gfx94X-dcgpu=success", "success", 1},
      {"gfx94X-dcgpu=Success\tgfx1151=failure\n", "failure", 2},
      {"a=skipped b=cancelled", "cancelled", 2},
      {"a=b=success", "success", 1},
      {R"({"a": "success", "b": "skipped"})", "skipped", 2},
      {"{}", "skipped", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Diagnostics diagnostics;
    const auto results = ReadTestResults(row.text, diagnostics);
    REQUIRE(results);
    CHECK(results->size() == row.count);
    CHECK(WorstResult(*results) == row.together);
  }
  for (const std::string_view text :
       {"a=sucess", "a=", "maybe", "{", R"({"a": 1})", "a=success;b"}) {
    CAPTURE(text);
    Diagnostics diagnostics;
    CHECK(!ReadTestResults(text, diagnostics));
    CHECK(diagnostics.errors() == 1);
  }
  Diagnostics diagnostics;
  ReadTestResults("gfx1151=sucess", diagnostics);
  CHECK(Said(diagnostics) ==
        "error[option-value]: '--test-results' has 'sucess' as the result of 'gfx1151'\n"
        "   = did you mean 'success'?\n");
}

const std::string kSum(64, 'a');

TEST_CASE("wheels that were tested are named with their sums", "[promotion]") {
  Diagnostics diagnostics;
  const auto wheels =
      ReadTestedWheels(R"({"torchvision-1.0-cp312-cp312-linux_x86_64.whl": ")" + kSum +
                           R"(", "torch-1.0-cp312-cp312-manylinux_2_28_x86_64.whl": ")" +
                           std::string(64, 'A') + R"(", "apex-1.0-py3-none-any.whl": ")" + kSum +
                           R"(", "triton-1.0-cp312-cp312-linux_x86_64.whl": ")" + kSum + R"("})",
                       "linux", diagnostics);
  REQUIRE(wheels);
  Strings files;
  for (const TestedWheel& wheel : *wheels) files.push_back(wheel.file.substr(0, 6));
  CHECK(files == Strings{"triton", "torch-", "apex-1", "torchv"});
  CHECK((*wheels)[1].sha256 == kSum);
}

TEST_CASE("what names no wheel that was tested is refused", "[promotion]") {
  const auto said = [](const std::string& text, std::string_view platform = "linux") {
    Diagnostics diagnostics;
    CHECK(!ReadTestedWheels(text, platform, diagnostics));
    const std::string all = Said(diagnostics);
    return all.substr(0, all.find('\n'));
  };
  const std::string start = "error[option-value]: '--wheels' ";
  CHECK(said("") == start + "is no JSON object");
  CHECK(said("[]") == start + "is no JSON object");
  CHECK(said("{}") == start + "names no wheel");
  CHECK(said(R"({"a.txt": ")" + kSum + R"("})")
            .starts_with(start + "names 'a.txt', which is no wheel: "));
  CHECK(said(R"({"../a-1.0-py3-none-any.whl": ")" + kSum + R"("})")
            .starts_with(start + "names '../a-1.0-py3-none-any.whl', which is no wheel: "));
  CHECK(said(R"({"a-1.0-py3-none-any.whl": "abc"})") ==
        start + "has no SHA-256 for 'a-1.0-py3-none-any.whl'");
  CHECK(said(R"({"a-1.0-py3-none-any.whl": null})") ==
        start + "has no SHA-256 for 'a-1.0-py3-none-any.whl'");
  CHECK(said(R"({"a-1.0-cp312-cp312-win_amd64.whl": ")" + kSum + R"("})") ==
        start + "names 'a-1.0-cp312-cp312-win_amd64.whl', which is not for linux");
  CHECK(said(R"({"a-1.0-cp312-cp312-linux_x86_64.whl": ")" + kSum + R"("})", "windows") ==
        start + "names 'a-1.0-cp312-cp312-linux_x86_64.whl', which is not for windows");
}

struct World {
  MemoryStorage storage;
  std::vector<TestedWheel> wheels;
  std::string torch, vision;

  World() {
    torch = Add("torch");
    vision = Add("torchvision");
  }

  std::string Add(const std::string& project) {
    TestWheel wheel;
    wheel.dist_info = project + "-1.0.dist-info";
    wheel.metadata = "Metadata-Version: 2.1\nName: " + project + "\nVersion: 1.0\n\n";
    wheel.MakeRecord();
    const std::string file = project + "-1.0-py3-none-any.whl";
    storage.Add("s/" + file, Packed(wheel.Zip()));
    wheels.push_back({file, Sha256Of(storage.Bytes("s/" + file))});
    return file;
  }

  std::string manifest_sha256;

  PromotionResult Promote(bool dry_run = false) {
    return PromoteWheels(storage, "s/", "r/", wheels, manifest_sha256, nullptr, dry_run);
  }
};

TEST_CASE("wheels move with their metadata, which comes first", "[promotion]") {
  World world;
  world.storage.Add("s/other-1.0-py3-none-any.whl", "not named, so not moved");
  CHECK(world.Promote().problems == Strings{});
  CHECK(world.storage.log == Strings{"put r/" + world.torch + ".metadata", "copy r/" + world.torch,
                                     "put r/" + world.vision + ".metadata",
                                     "copy r/" + world.vision});
  CHECK(world.storage.Bytes("r/" + world.torch) == world.storage.Bytes("s/" + world.torch));
  CHECK(world.storage.Bytes("r/" + world.torch + ".metadata") ==
        "Metadata-Version: 2.1\nName: torch\nVersion: 1.0\n\n");
  CHECK(!world.storage.Has("r/other-1.0-py3-none-any.whl"));

  world.storage.log.clear();
  const PromotionResult again = world.Promote();
  CHECK(again.good());
  CHECK(again.wheels.at(0).state == PromotedWheel::State::kThere);
  CHECK(world.storage.log.empty());
}

TEST_CASE("a dry run looks and moves nothing", "[promotion]") {
  World world;
  CHECK(world.Promote(true).good());
  CHECK(world.storage.log.empty());
}

TEST_CASE("the manifest that was uploaded goes along", "[promotion]") {
  World world;
  for (const std::string& file : {world.torch, world.vision}) {
    world.storage.Add("s/" + file + ".manifest.json", "{}");
  }
  CHECK(world.Promote(true).good());
  CHECK(world.Promote().good());
  CHECK(!world.storage.Has("r/" + world.torch + ".manifest.json"));
  // Told of it afterwards, it is put beside wheels that are there.
  world.manifest_sha256 = Sha256Of("{}");
  CHECK(world.Promote().problems == Strings{});
  CHECK(world.storage.Bytes("r/" + world.torch + ".manifest.json") == "{}");
  CHECK(world.storage.Bytes("r/" + world.vision + ".manifest.json") == "{}");
  world.storage.log.clear();
  world.storage.objects.erase("s/" + world.torch + ".manifest.json");
  CHECK(world.Promote().good());
  CHECK(world.storage.log.empty());
}

TEST_CASE("another manifest, or none, holds all wheels", "[promotion]") {
  World world;
  world.manifest_sha256 = Sha256Of("{}");
  world.storage.Add("s/" + world.torch + ".manifest.json", "{}");
  const std::string name = "mem://b/s/" + world.vision + ".manifest.json";
  CHECK(world.Promote().problems == Strings{name + " is not there"});
  world.storage.Add("s/" + world.vision + ".manifest.json", "{ }");
  CHECK(world.Promote().problems == Strings{name + " is not what was uploaded: its SHA-256 is " +
                                            Sha256Of("{ }") + ", and was " + Sha256Of("{}")});
  CHECK(world.storage.log.empty());
}

TEST_CASE("the sum of a manifest is read", "[promotion]") {
  Diagnostics diagnostics;
  CHECK(ReadManifestSum("", diagnostics).empty());
  CHECK(ReadManifestSum(std::string(64, 'A'), diagnostics) == std::string(64, 'a'));
  CHECK(diagnostics.empty());
  ReadManifestSum("abc", diagnostics);
  CHECK(Said(diagnostics)
            .starts_with("error[option-value]: '--manifest-sha256' does not take 'abc'\n"));
}

TEST_CASE("one bad wheel holds all of them", "[promotion]") {
  World world;
  std::string problem;
  SECTION("swapped since it was tested") {
    const std::string other = world.storage.Bytes("s/" + world.vision);
    world.storage.Add("s/" + world.vision, other + "x");
    problem = "mem://b/s/" + world.vision + " is not what was tested: its SHA-256 is " +
              Sha256Of(other + "x") + ", and was " + Sha256Of(other);
  }
  SECTION("swapped, in a store that knows no sums") {
    const std::string other = world.storage.Bytes("s/" + world.vision);
    world.storage.knows_sums = false;
    world.storage.Add("s/" + world.vision, other + "x");
    problem = "mem://b/s/" + world.vision + " is not what was tested: its SHA-256 is " +
              Sha256Of(other + "x") + ", and was " + Sha256Of(other);
  }
  SECTION("gone") {
    world.storage.objects.erase("s/" + world.vision);
    problem = "mem://b/s/" + world.vision + " is not there any more";
  }
  SECTION("another one in the release") {
    world.storage.Add("r/" + world.vision, "other");
    problem = "mem://b/r/" + world.vision + " exists already with other content: its SHA-256 is " +
              Sha256Of("other") + ", not " + world.wheels[1].sha256;
  }
  SECTION("no wheel inside") {
    world.storage.Add("s/" + world.vision, "no zip");
    world.wheels[1].sha256 = Sha256Of("no zip");
    problem = "mem://b/s/" + world.vision +
              " is no wheel to install: it is no zip archive: it is too short";
  }
  const PromotionResult result = world.Promote();
  CHECK(result.problems == Strings{problem});
  CHECK(world.storage.log.empty());
}

TEST_CASE("a wheel that is swapped between the look and the copy is not copied", "[promotion]") {
  World world;
  world.storage.before = [&](const std::string& what) {
    if (what == "copy r/" + world.torch) world.storage.Add("s/" + world.torch, "evil");
  };
  const PromotionResult result = world.Promote();
  CHECK(result.problems == Strings{"mem://b/s/" + world.torch + " changed after it was checked"});
  CHECK(!world.storage.Has("r/" + world.torch));
  CHECK(!world.storage.Has("r/" + world.vision));
}

TEST_CASE("another promotion of the same wheels may be faster", "[promotion]") {
  World world;
  world.storage.before = [&](const std::string& what) {
    if (what != "copy r/" + world.torch) return;
    world.storage.Add("r/" + world.torch, world.storage.Bytes("s/" + world.torch));
  };
  CHECK(world.Promote().good());
  World other;
  other.storage.before = [&](const std::string& what) {
    if (what == "copy r/" + other.torch) other.storage.Add("r/" + other.torch, "evil");
  };
  CHECK(other.Promote().problems.size() == 1);
}

TEST_CASE("a promotion that was cut off anywhere goes on", "[promotion]") {
  for (std::size_t cut = 0; cut < 4; ++cut) {
    World world;
    std::size_t writes = 0;
    world.storage.before = [&](const std::string&) {
      if (writes++ == cut) throw StorageError(StorageError::Kind::kUnreached, "cut off");
    };
    CHECK_THROWS_AS(world.Promote(), StorageError);
    world.storage.before = nullptr;
    // What is in the release already needs no staging any more.
    if (world.storage.Has("r/" + world.torch)) world.storage.objects.erase("s/" + world.torch);
    CHECK(world.Promote().good());
    CHECK(world.storage.Has("r/" + world.torch));
    CHECK(world.storage.Has("r/" + world.vision + ".metadata"));
  }
}

}  // namespace
}  // namespace wheelwright
