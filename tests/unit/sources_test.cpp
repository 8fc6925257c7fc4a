// What is read of repositories: refs, records, pins, versions, and the commits that jobs hand on.
#include <catch2/catch.hpp>

#include "base/characters.h"
#include "runtime/pytorch/sources/commits.h"
#include "runtime/pytorch/sources/git.h"
#include "runtime/pytorch/sources/manifest.h"
#include "runtime/pytorch/sources/related_commits.h"
#include "runtime/pytorch/sources/remote_refs.h"
#include "runtime/pytorch/sources/resolver.h"
#include "runtime/pytorch/sources/rocm_index.h"
#include "runtime/pytorch/sources/scope.h"
#include "runtime/pytorch/sources/wheel_version.h"
#include "runtime/wheels/version/package_version.h"
#include "tests/unit/said.h"
#include "tests/unit/source_path.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

const std::string kA(40, 'a');
const std::string kB(40, 'b');

const Plan& ThePlan() {
  static const Plan plan = [] {
    Diagnostics diagnostics;
    const std::string path = SourcePath("generated-workflows/plan.json");
    auto read = ReadPlanText(*RealFileSystem().Read(path), "plan.json", diagnostics);
    INFO(Said(diagnostics));
    REQUIRE(read);
    return *std::move(read);
  }();
  return plan;
}

TEST_CASE("a commit is 40 digits and nothing else", "[sources]") {
  CHECK(IsCommitId(kA));
  for (const std::string& no : {std::string(), kA + "0", kA.substr(1), std::string(40, 'A'),
                                std::string(40, 'g'), kA.substr(1) + "\n", "-" + kA.substr(1)}) {
    CHECK_FALSE(IsCommitId(no));
  }
}

TEST_CASE("names of refs are those that git takes", "[sources]") {
  for (const char* yes :
       {"main", "release/2.10", "v2.10.0-rc1", "a@b", "users/x/y_z", "1.0", "ü"}) {
    INFO(yes);
    CHECK(IsRefName(yes));
  }
  for (const char* no : {"",         "-",    "--upload-pack=x",
                         "a/-b",     "a b",  "a\nb",
                         "a..b",     "a~1",  "a^",
                         "a:b",      "a?",   "a*",
                         "a[",       "a\\b", "/a",
                         "a/",       "a//b", ".a",
                         "a/.b",     "a.",   "a.lock",
                         "a.lock/b", "@",    "a@{1}",
                         "\x7f"}) {
    INFO(no);
    CHECK_FALSE(IsRefName(no));
  }
  CHECK_FALSE(IsRefName(std::string(251, 'a')));
}

TEST_CASE("addresses are compared, shown and shortened", "[sources]") {
  CHECK(SameRepository("https://github.com/ROCm/apex", "https://github.com/rocm/Apex.git/"));
  CHECK(SameRepository("https://token@github.com/ROCm/apex", "https://github.com/ROCm/apex.git"));
  CHECK_FALSE(SameRepository("https://github.com/ROCm/apex", "https://github.com/NVIDIA/apex"));
  CHECK(WithoutCredentials("https://user:p@ss@host/x@y") == "https://host/x@y");
  CHECK(WithoutCredentials("/srv/a@b") == "/srv/a@b");
  CHECK(ShortRepository("https://github.com/ROCm/pytorch.git") == "ROCm/pytorch");
  CHECK(ShortRepository("https://x:y@example.org/a.git") == "https://example.org/a.git");
}

TEST_CASE("lists of refs are read", "[sources]") {
  const auto refs = ParseLsRemote(kA + "\trefs/heads/main\r\n" + kB + "\trefs/tags/main\n");
  REQUIRE(refs);
  REQUIRE(refs->size() == 2);
  CHECK(refs->front().name == "refs/heads/main");
  CHECK(ParseLsRemote("")->empty());
  for (const std::string& no :
       {std::string("hello\n"), kA, kA + "\t\n", std::string("x\trefs/heads/x\n")}) {
    CHECK_FALSE(ParseLsRemote(no));
  }
}

TEST_CASE("a branch wins over a tag, and a tag is what it is for", "[sources]") {
  const std::vector<RemoteRef> refs{
      {.name = "refs/heads/x", .commit = kA},         {.name = "refs/tags/x", .commit = kB},
      {.name = "refs/tags/v1", .commit = kB},         {.name = "refs/tags/v1^{}", .commit = kA},
      {.name = "refs/heads/feature/x", .commit = kB}, {.name = "refs/pull/1/head", .commit = kB}};
  CHECK(FindRef(refs, "x")->commit == kA);
  CHECK(FindRef(refs, "x")->hides_a_tag);
  CHECK(FindRef(refs, "v1")->commit == kA);
  CHECK_FALSE(FindRef(refs, "v1")->hides_a_tag);
  CHECK(FindRef(refs, "refs/pull/1/head")->commit == kB);
  CHECK_FALSE(FindRef(refs, "feature"));
  CHECK_FALSE(FindRef(refs, "heads/x"));
  CHECK(NearRefs(refs, "feature/y") == std::vector<std::string>{"feature/x"});
  CHECK(NearRefs(refs, "something else entirely").empty());
}

struct Records {
  SourceManager sources;
  Diagnostics diagnostics;
  std::optional<std::vector<RelatedCommit>> read;

  explicit Records(const std::string& text) {
    read = ReadRelatedCommits(sources, sources.Add("related_commits", text), {"apex", "torchaudio"},
                              diagnostics);
  }
  std::string said() const { return Said(diagnostics, sources); }
};

TEST_CASE("records of related commits are read", "[sources]") {
  const Records records(
      "ubuntu|pytorch|apex|master|" + kA + "|https://github.com/ROCm/apex\n" + "\n" +  //
      "centos|pytorch|apex|master|" + kA + "|https://github.com/ROCm/apex.git\r\n" +
      "centos|pytorch|torchaudio|main|" + kB + "|https://github.com/pytorch/audio\n" +
      "centos|pytorch|ao|main|HEAD|https://github.com/pytorch/ao");
  INFO(records.said());
  REQUIRE(records.read);
  REQUIRE(records.read->size() == 2);
  CHECK(records.read->at(0).project == "apex");
  CHECK(records.read->at(1).commit == kB);
  CHECK(records.read->at(1).branch == "main");
}

TEST_CASE("records that are none are reported with their line", "[sources]") {
  CHECK(Records("a|b|c\n").said() ==
        "error[related-commits]: a record has six fields, and this line has 3\n"
        "  --> related_commits:1:1\n"
        "   |\n"
        " 1 | a|b|c\n"
        "   | ^^^^^ os|source|project|branch|commit|origin\n");
  const std::string other = "ubuntu|pytorch|apex|master|" + kA + "|x\n";
  CHECK(Records(other + "centos|pytorch|apex|master|" + kB + "|x\n")
            .said()
            .starts_with("error[related-commits]: two records of 'apex' contradict each other\n"
                         "  --> related_commits:2:28\n"));
  CHECK_FALSE(Records(other + "centos|pytorch|apex|master|" + kA + "|y\n").read);
  CHECK_FALSE(Records("ubuntu|pytorch|apex|master|HEAD|x\n").read);
  CHECK_FALSE(Records("beos|pytorch|apex|master|" + kA + "|x\n").read);
}

TEST_CASE("triton's version is read from its setup", "[sources]") {
  struct Row {
    std::string setup;
    std::string base;
    bool adds_commit;
  };
  const std::string variable = "os.environ.get(\"TRITON_WHEEL_VERSION_SUFFIX\", \"\")";
  for (const Row& row : std::vector<Row>{
           {"TRITON_VERSION = \"3.7.0\" + get_triton_version_suffix()\n", "3.7.0", true},
           {"setup(\n    version='3.4.0' + get_git_version_suffix() + " + variable + ",\n", "3.4.0",
            true},
           {"setup(\n    version=\"3.3.1\" + " + variable + ",\r\n", "3.3.1", false},
           {"x = '1'\nversion_of(x)\n    version = \"3.2.0\"+" + variable + "\n", "3.2.0", false},
       }) {
    INFO(row.setup);
    const auto version = ReadTritonVersion(row.setup);
    REQUIRE(version);
    CHECK(version->base == row.base);
    CHECK(version->adds_commit == row.adds_commit);
  }
  for (const char* no :
       {"", "version=\"3.3.1\",", "version=TRITON_VERSION,", "TRITON_VERSION = \"3.3.1",
        "TRITON_VERSION = \"x\" + get_triton_version_suffix()", "version=\"3.3.1\" + clever(),",
        "TRITON_VERSION = read() + get_triton_version_suffix()"}) {
    INFO(no);
    CHECK_FALSE(ReadTritonVersion(no));
  }
}

std::optional<std::string> VersionOf(std::string_view project, TextPairs files,
                                     std::string_view suffix, Diagnostics& diagnostics) {
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    for (const auto& [name, text] : files) {
      if (name == path) return text;
    }
    return std::nullopt;
  };
  return ComputeWheelVersion(project, read, kA, suffix, "x", diagnostics);
}

TEST_CASE("the version of a wheel is that of its sources and its ROCm's", "[sources]") {
  const std::string git = "TRITON_VERSION = \"3.5.0\" + get_triton_version_suffix()\n";
  const std::string plain =
      " version=\"3.3.1\" + os.environ.get(\"TRITON_WHEEL_VERSION_SUFFIX\"),\n";
  struct Row {
    std::string project;
    TextPairs files;
    std::string suffix;
    std::string version;
  };
  for (const Row& row : std::vector<Row>{
           {"torch", {{"version.txt", "2.10.0\n"}}, "+rocm7.12.0", "2.10.0+rocm7.12.0"},
           {"torch",
            {{"version.txt", "2.11.0a0"}},
            "+rocm7.12.0a20260101",
            "2.11.0a0+rocm7.12.0a20260101"},
           {"torch", {{"version.txt", "2.11.0a0+git1234"}}, "+rocm7", "2.11.0a0+rocm7"},
           {"torchvision",
            {{"version.txt", "0.25.0"}},
            "+devrocm7.10.0.dev0-efed3c",
            "0.25.0+devrocm7.10.0.dev0.efed3c"},
           {"apex", {{"version.txt", "1.10.0"}}, "+rocm7.12.0", "1.10.0+rocm7.12.0"},
           {"triton", {{"setup.py", git}}, "+rocm7.12.0", "3.5.0+gitaaaaaaaa.rocm7.12.0"},
           {"triton", {{"setup.py", git}}, "", "3.5.0+gitaaaaaaaa"},
           {"triton",
            {{"setup.py", git}, {"python/setup.py", plain}},
            "+rocm7.12.0",
            "3.3.1+rocm7.12.0"},
       }) {
    INFO(row.project << " " << row.version);
    Diagnostics diagnostics;
    const auto version = VersionOf(row.project, row.files, row.suffix, diagnostics);
    INFO(Said(diagnostics));
    REQUIRE(version);
    CHECK(*version == row.version);
  }
}

TEST_CASE("wheels of one project for several branches have names of their own", "[sources]") {
  ByRow versions = {
      {"torch_210",
       {{"torch", "2.10.0+rocm7"}, {"apex", "1.10.0+rocm7"}, {"triton", "3.5.0+git0f.rocm7"}}},
      {"torch_29",
       {{"torch", "2.9.0+rocm7"}, {"apex", "1.9.0+rocm7"}, {"triton", "3.5.0+git0f.rocm7"}}},
      {"torch_nightly", {{"torch", "2.11.0a0+rocm7"}, {"apex", "1.10.0+rocm7"}}}};
  CHECK(TellVersionsApart(versions) == std::vector<std::string>{"apex", "triton"});
  const ByRow apart = {
      {"torch_210",
       {{"torch", "2.10.0+rocm7"},
        {"apex", "1.10.0+rocm7.torch210"},
        {"triton", "3.5.0+git0f.rocm7.torch210"}}},
      {"torch_29",
       {{"torch", "2.9.0+rocm7"},
        {"apex", "1.9.0+rocm7"},
        {"triton", "3.5.0+git0f.rocm7.torch29"}}},
      {"torch_nightly", {{"torch", "2.11.0a0+rocm7"}, {"apex", "1.10.0+rocm7.torchnightly"}}}};
  CHECK(versions == apart);
  for (const auto& [id, projects] : versions) {
    for (const auto& [project, version] : projects) {
      CHECK(ParsePackageVersion(version)->ToString() == version);
    }
  }

  ByRow alone = {{"Torch.x_1", {{"apex", "1.10.0"}}}};
  CHECK(TellVersionsApart(alone).empty());
  ByRow bare = {{"a_1", {{"apex", "1.10.0"}}}, {"B.2", {{"apex", "1.10.0"}}}};
  TellVersionsApart(bare);
  CHECK(bare == ByRow{{"a_1", {{"apex", "1.10.0+a1"}}}, {"B.2", {{"apex", "1.10.0+b2"}}}});
}

TEST_CASE("versions that cannot be read are reported", "[sources]") {
  Diagnostics diagnostics;
  CHECK_FALSE(VersionOf("torch", {}, "+rocm7", diagnostics));
  CHECK_FALSE(VersionOf("torch", {{"version.txt", "two\n"}}, "+rocm7", diagnostics));
  CHECK_FALSE(VersionOf("triton", {}, "+rocm7", diagnostics));
  CHECK(Said(diagnostics) ==
        "error[package-version]: x has no version.txt\n\n"
        "error[package-version]: version.txt of x holds 'two', which is no version\n\n"
        "error[package-version]: x has no setup.py\n");
}

TEST_CASE("commits go through JSON and back", "[sources]") {
  Diagnostics diagnostics;
  const ByRow rows{{"torch_210", {{"torch", kA}, {"apex", kB}}}, {"torch_29", {{"torch", kB}}}};
  const std::string json = RowsAsJson(rows);
  CHECK(json.find('\n') == std::string::npos);
  CHECK(ReadCommitRows(json, ThePlan(), diagnostics) == rows);
  CHECK(ReadCommitRow(json, "torch_29", ThePlan(), diagnostics) == rows[1].second);
  CHECK(ReadCommitRow("{\"torch\": \"" + kA + "\"}", "any", ThePlan(), diagnostics) ==
        ByProject{{"torch", kA}});
  CHECK(Said(diagnostics).empty());
  CHECK_FALSE(ReadCommitRow(json, "torch_28", ThePlan(), diagnostics));
  CHECK(Said(diagnostics) ==
        "error[option-value]: '--commits' is invalid: it has nothing for 'torch_28'\n"
        "   = it takes the output 'commits' of `wheelrun resolve`, as it is\n");
}

TEST_CASE("the newest ROCm is the newest of its kind", "[sources]") {
  const auto versions = ReadPipVersions(
      "rocm (9.0)\nAvailable versions: 9.0, 7.12.0a2, 7.12.0a10, 7.12.0rc1, nonsense, 0.1.0\n"
      "  INSTALLED: 1.0\n");
  REQUIRE(versions.size() == 5);
  const auto newest = [&](std::string_view type) {
    Diagnostics diagnostics;
    const auto found = NewestRocm(versions, type, "the index", diagnostics);
    return found ? found->ToString() : Said(diagnostics);
  };
  CHECK(newest("nightly") == "7.12.0a10");
  CHECK(newest("prerelease") == "7.12.0rc1");
  CHECK(newest("") == "9.0");
  CHECK(newest("dev") ==
        "error[no-rocm]: the index has no rocm package for dev releases\n"
        "   = it has 9.0, 7.12.0a2, 7.12.0a10, 7.12.0rc1 and 0.1.0\n"
        "   = name one: --rocm-version VERSION\n");
}

TEST_CASE("a scope has the combos that were asked for", "[sources]") {
  Diagnostics diagnostics;
  const auto one =
      FindScope(ThePlan(), {.set = "ci", .platform = "windows", .family = "GFX110x"}, diagnostics);
  INFO(Said(diagnostics));
  REQUIRE(one);
  REQUIRE(one->combos.size() == 1);
  CHECK(one->gfx == "gfx110X-all");
  CHECK(one->combos[0].id == "py312_torch210");
  CHECK(one->combos[0].projects == Texts{"torch", "torchaudio", "torchvision"});
  const auto all = FindScope(ThePlan(), {.release_type = "prerelease"}, diagnostics);
  REQUIRE(all);
  CHECK(all->gfx.empty());
  for (const ResolveScope::Combo& combo : all->combos) CHECK(combo.torch != "nightly");
}

TEST_CASE("a scope of names that the plan does not have", "[sources]") {
  const auto said = [](const ScopeRequest& request) {
    Diagnostics diagnostics;
    CHECK_FALSE(FindScope(ThePlan(), request, diagnostics));
    return Said(diagnostics);
  };
  CHECK(said({.set = "relaese"}) ==
        "error[unknown-combo-set]: no set of combos is called 'relaese'\n"
        "   = did you mean 'release'?\n");
  CHECK(said({.platform = "linnux"}) ==
        "error[unknown-platform]: no platform is called 'linnux'\n   = did you mean 'linux'?\n");
  CHECK(
      said({.set = "release", .platform = "windows", .family = "gfx94x"})
          .starts_with("error[no-combos]: the set 'release' has no combo for gfx94x on windows\n"));
}

TEST_CASE("refs that are no names are reported before anything is asked", "[sources]") {
  TestHost host;
  Runner runner(host.host, false);
  SourceManager sources;
  Diagnostics diagnostics;
  Resolver resolver(ThePlan(), runner, sources, diagnostics);
  CHECK_FALSE(resolver.Commits({{.id = "x", .ref = "--upload-pack=x", .projects = {"torch"}}}));
  CHECK(Said(diagnostics) ==
        "error[ref-name]: '--upload-pack=x' is not a valid name of a branch\n");
  CHECK(host.processes.requests.empty());
}

TEST_CASE("a missing ref is answered with near ones", "[sources]") {
  TestHost host;
  host.processes.answers = {
      {.end = ScriptedProcesses::Exit(0)},
      {.end = ScriptedProcesses::Exit(0), .output = kA + "\trefs/heads/release/2.9\n"}};
  Runner runner(host.host, false);
  SourceManager sources;
  Diagnostics diagnostics;
  Resolver resolver(ThePlan(), runner, sources, diagnostics);
  CHECK_FALSE(
      resolver.Commits({{.id = "torch_210", .ref = "release/2.10", .projects = {"torch"}}}));
  CHECK(Said(diagnostics) ==
        "error[unknown-ref]: ROCm/pytorch has no branch or tag 'release/2.10'\n"
        "   = there is 'release/2.9'\n"
        "   = refs and where they come from stand in matrix/pytorch.yml\n");
}

TEST_CASE("a pin of Triton that is none", "[sources]") {
  TestHost host;
  const auto ok = [](std::string output = {}) {
    return ScriptedProcesses::Answer{.end = ScriptedProcesses::Exit(0),
                                     .output = std::move(output)};
  };
  // ls-remote; init, config, fetch; ls-tree and cat-file of the pin.
  host.processes.answers = {
      ok(kA + "\trefs/heads/nightly\n"), ok(), ok(), ok(), ok("entry"), ok("main\n")};
  Runner runner(host.host, false);
  SourceManager sources;
  Diagnostics diagnostics;
  Resolver resolver(ThePlan(), runner, sources, diagnostics);
  CHECK_FALSE(resolver.Commits({{.id = "x", .ref = "nightly", .projects = {"torch", "triton"}}}));
  CHECK(
      Said(diagnostics) ==
      "error[triton-pin]: pytorch/pytorch@aaaaaaaaaaaa/.ci/docker/ci_commit_pins/triton.txt holds "
      "'main', which is no commit\n"
      "   = it says which commit of Triton belongs to this PyTorch\n");
}

TEST_CASE("a manifest says where each project is from", "[sources]") {
  Diagnostics diagnostics;
  const auto read = ReadManifest(R"({"pytorch": {"commit": ")" + kA +
                                     R"(", "repo": "https://github.com/ROCm/pytorch.git",
          "branch": "release/2.10"},
          "apex": {"commit": ")" + kB +
                                     R"(", "repo": "/srv/apex"},
          "jax": {"commit": "no"}, "therock": {"commit": "unknown"}})",
                                 "m.json", ThePlan(), diagnostics);
  REQUIRE(read);
  CHECK(diagnostics.empty());
  REQUIRE(read->size() == 2);
  CHECK(read->at(0).project == "torch");
  CHECK(read->at(0).repository == "https://github.com/ROCm/pytorch.git");
  CHECK(read->at(0).commit == kA);
  CHECK(read->at(0).branch == "release/2.10");
  CHECK(read->at(1).project == "apex");
  CHECK(read->at(1).branch.empty());
}

TEST_CASE("what is no manifest is refused, and every mistake in one is told", "[sources]") {
  const auto said = [](const std::string& text) {
    Diagnostics diagnostics;
    CHECK_FALSE(ReadManifest(text, "m.json", ThePlan(), diagnostics));
    return Said(diagnostics);
  };
  CHECK(said("[]") ==
        "error[manifest]: m.json is no manifest: it is no JSON object\n"
        "   = `wheelrun manifest` writes one\n");
  CHECK(said("{}").starts_with("error[manifest]: m.json is no manifest of PyTorch"));
  const std::string two = said(R"({"pytorch": {"commit": "main", "repo": "--upload-pack=x"}})");
  CHECK(two.find("m.json has no commit of pytorch, but 'main'") != std::string::npos);
  CHECK(two.find("m.json has no address of pytorch, but '--upload-pack=x'") != std::string::npos);
  for (const char* address : {"ext::sh -c id", "ext::sh", "", "a b", "x\\u001b[31m"}) {
    INFO(address);
    CHECK(said(R"({"pytorch": {"commit": ")" + kA + R"(", "repo": ")" + address + "\"}}")
              .starts_with("error[manifest]: m.json has no address of pytorch"));
  }
}

TEST_CASE("names of manifests", "[sources]") {
  CHECK(ManifestName("3.12", "release/2.10") == "therock-manifest_torch_py3.12_release-2.10.json");
  CHECK(ManifestName("py3.13t", "nightly") == "therock-manifest_torch_py3.13t_nightly.json");
  CHECK(ManifestName("3.12", "a/b\"<>|c") == "therock-manifest_torch_py3.12_a-b----c.json");
}

}  // namespace
}  // namespace wheelwright
