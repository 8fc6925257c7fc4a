// The pages of an index, byte for byte.
#include "runtime/wheels/index/index_page.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/index/distribution.h"

namespace wheelwright {
namespace {

IndexedFile File(std::string_view name) {
  const auto read = ReadDistributionName(name);
  REQUIRE(read);
  return {.file = std::string(name),
          .project = read->project,
          .version = read->version,
          .size = 12,
          .store_version = "\"1\""};
}

const std::string kSum(64, 'a');
const std::string kOther(64, 'b');

std::vector<IndexedFile> Torch() {
  IndexedFile old = File("torch-2.9.1+rocm7.10.0-cp312-cp312-linux_x86_64.whl");
  old.yanked = "breaks <everything> & \"more\"";
  IndexedFile current = File("torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl");
  current.sha256 = kSum;
  current.metadata_sha256 = kOther;
  current.metadata_store_version = "\"2\"";
  current.requires_python = ">=3.10,<4";
  current.upload_time = "2025-11-24T10:00:00Z";
  current.size = 3'000'000'000;
  std::vector<IndexedFile> files{current, old};
  std::ranges::sort(files, IndexedFile::Before);
  return files;
}

TEST_CASE("a project's page lists versions in their order", "[index]") {
  CHECK(ProjectPage("torch", Torch(), "../").html == R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="1.1">
<meta name="generator" content="wheelrun index: torch">
<title>Links for torch</title>
</head>
<body>
<h1>Links for torch</h1>
<a href="../torch-2.9.1%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl" data-yanked="breaks &lt;everything&gt; &amp; &quot;more&quot;">torch-2.9.1+rocm7.10.0-cp312-cp312-linux_x86_64.whl</a><br>
<a href="../torch-2.10.0%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl#sha256=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" data-requires-python="&gt;=3.10,&lt;4" data-core-metadata="sha256=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb">torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl</a><br>
</body>
</html>
)html");
}

TEST_CASE("a manifest that lies beside a wheel is linked", "[index]") {
  IndexedFile file = File("torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl");
  CHECK(ProjectPage("torch", std::vector{file}, "../").html.find("manifest") == std::string::npos);
  file.has_manifest = true;
  const std::string url = "torch-2.10.0%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl.manifest.json";
  const IndexPage page = ProjectPage("torch", std::vector{file}, "../");
  CHECK(page.html.find(".whl</a> <a href=\"../" + url + "\">manifest</a><br>\n") !=
        std::string::npos);
  const auto json = ParseJson(page.json);
  CHECK(json.at("files").at(0).at("_manifest") == "../" + url);
  CHECK(FindLinksPage(std::vector{file}, "").find("<a href=\"" + url) != std::string::npos);
}

TEST_CASE("a project's page in JSON says the same", "[index]") {
  const IndexPage page = ProjectPage("torch", Torch(), "../");
  std::string sum = Sha256Of(page.html);
  CHECK(page.json == R"json({"meta":{"api-version":"1.1"},
"name":"torch",
"versions":["2.9.1+rocm7.10.0","2.10.0+rocm7.10.0"],
"_html":")json" + sum + R"json(",
"files":[
{"filename":"torch-2.9.1+rocm7.10.0-cp312-cp312-linux_x86_64.whl","url":"../torch-2.9.1%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl","hashes":{},"size":12,"yanked":"breaks <everything> & \"more\"","_version":"\"1\""},
{"filename":"torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl","url":"../torch-2.10.0%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl","hashes":{"sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"size":3000000000,"upload-time":"2025-11-24T10:00:00Z","requires-python":">=3.10,<4","core-metadata":{"sha256":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"_version":"\"1\"","_metadata_version":"\"2\""}
]}
)json");
}

TEST_CASE("empty pages are pages", "[index]") {
  CHECK(
      ProjectPage("torch", {}, "../").json ==
      "{\"meta\":{\"api-version\":\"1.1\"},\n\"name\":\"torch\",\n\"versions\":[],\n\"_html\":\"" +
          Sha256Of(ProjectPage("torch", {}, "../").html) + "\",\n\"files\":[\n]}\n");
  const IndexPage root = RootPage({}, {}, FindLinksPage({}, ""));
  CHECK(root.html == R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="1.1">
<meta name="generator" content="wheelrun index">
<title>Projects</title>
</head>
<body>
<h1>Projects</h1>
</body>
</html>
)html");
  CHECK(ParseJson(root.json).at("projects").empty());
}

TEST_CASE("the root names each project once, normalised", "[index]") {
  const std::vector<std::string> projects{"rocm", "rocm-sdk-core"};
  const IndexPage page = RootPage(projects, {}, "");
  CHECK(page.html.find("<a href=\"rocm/\">rocm</a><br>\n"
                       "<a href=\"rocm-sdk-core/\">rocm-sdk-core</a><br>\n") != std::string::npos);
  CHECK(ParseJson(page.json).at("projects").at(1).at("name") == "rocm-sdk-core");
}

TEST_CASE("the flat page has all files, from its own folder", "[index]") {
  std::vector<IndexedFile> files = Torch();
  files.insert(files.begin(), File("rocm-7.10.0.tar.gz"));
  const std::string page = FindLinksPage(files, "");
  CHECK(page.find("<a href=\"rocm-7.10.0.tar.gz\">rocm-7.10.0.tar.gz</a><br>\n"
                  "<a href=\"torch-2.9.1%2Brocm7.10.0-cp312-cp312-linux_x86_64.whl\"") !=
        std::string::npos);
}

TEST_CASE("what a page says is read back", "[index]") {
  const std::vector<IndexedFile> files = Torch();
  const std::vector<IndexedFile> read = ReadProjectPage(ProjectPage("torch", files, "../").json);
  REQUIRE(read.size() == 2);
  CHECK(read[1].file == files[1].file);
  CHECK(read[1].size == 3'000'000'000);
  CHECK(read[1].sha256 == kSum);
  CHECK(read[1].metadata_sha256 == kOther);
  CHECK(read[1].requires_python == ">=3.10,<4");
  CHECK(read[1].upload_time == "2025-11-24T10:00:00Z");
  CHECK(read[1].store_version == "\"1\"");
  CHECK(read[1].metadata_store_version == "\"2\"");
}

TEST_CASE("a line of a page says what the page says of the file", "[index]") {
  std::vector<IndexedFile> files = Torch();
  files[0].provenance = "https://example.org/a.provenance";
  files[0].has_manifest = true;
  files[0].yanked = GENERATE("", "\"quoted\" \\ reason", "caf\xc3\xa9", "two\nlines");
  files[1].requires_python = GENERATE(">=3.10", "");
  files[1].store_version = "\"back\\slash\"";
  files.push_back(File("torch-2.11.0-cp312-cp312-linux_x86_64.whl"));
  const std::string page = ProjectPage("torch", files, "../").json;
  const auto lines = FileLinesOf(page);
  REQUIRE(lines);
  const std::vector<IndexedFile> read = ReadProjectPage(page);
  REQUIRE(lines->size() == files.size());
  REQUIRE(read.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    CHECK((*lines)[i].file == files[i].file);
    IndexedFile file;
    REQUIRE(ReadFileLine((*lines)[i].json, file));
    CHECK(file.file == files[i].file);
    CHECK(file.size == files[i].size);
    CHECK(file.store_version == files[i].store_version);
    for (const auto member :
         {&IndexedFile::sha256, &IndexedFile::metadata_sha256, &IndexedFile::requires_python,
          &IndexedFile::upload_time, &IndexedFile::metadata_store_version}) {
      CHECK(file.*member == files[i].*member);
      CHECK(file.*member == read[i].*member);
    }
  }
  CHECK(FileLinesOf(ProjectPage("torch", {}, "../").json)->empty());
}

TEST_CASE("a page without a line for each file has no lines", "[index]") {
  const std::string page = ProjectPage("torch", Torch(), "../").json;
  CHECK_FALSE(FileLinesOf(DumpJson(ParseJson(page))));
  CHECK_FALSE(FileLinesOf(DumpJson(ParseJson(page), 1)));
  for (const std::string_view text :
       {"", "{", "]}\n", "\n\"files\":[\n", "\n\"files\":[\n]}",
        "\n\"files\":[\n{\"filename\":\"]}\n", "\n\"files\":[\n{\"filename\":\"a\\u002db\"}\n]}\n",
        "\n\"files\":[\n{\"x\":1}\n]}\n"}) {
    CHECK_FALSE(FileLinesOf(text));
  }
  // Cut anywhere, it has no lines, or no others than before.
  const auto whole = FileLinesOf(page);
  for (std::size_t length = 0; length < page.size(); ++length) {
    const auto lines = FileLinesOf(std::string_view(page).substr(0, length));
    if (lines) CHECK(lines->size() <= whole->size());
  }
}

TEST_CASE("a line of another version of the program is read too", "[index]") {
  IndexedFile file;
  REQUIRE(ReadFileLine(R"({"size":1,"extra":{"size":2},"filename":"a.whl","_version":"\u0031"})",
                       file));
  CHECK(file.file == "a.whl");
  CHECK(file.size == 1);
  CHECK(file.store_version == "1");
  for (
      const std::string_view line :
      {"", "{", R"({"filename":"a.whl"})", R"({"filename":"a.whl","size":"1"})",
       R"({"filename":"a.whl","size":1},{"filename":"b.whl","size":1})",
       R"({"filename":"a.whl","url":"a","hashes":{"sha256":"\"><script>"},"size":1,"_version":"1"})",
       R"({"filename":"a.whl","url":"a","hashes":{},"size":99999999999999999999,"_version":"1"})",
       R"({"filename":"a.whl","url":"a","hashes":{},"size":1,"_version":"1"}])"}) {
    INFO(line);
    CHECK_FALSE(ReadFileLine(line, file));
  }
}

TEST_CASE("what is no page of ours is nothing that is known", "[index]") {
  for (const std::string_view text :
       {"", "{", "[]", "null", "{}", R"({"files":{}})", R"({"files":[1,null,"x",{"size":-1}]})",
        R"({"files":[["x"],[1],[[{"size":1}]]]})",
        R"({"files":[{"filename":"x.whl","size":"12"}]})", "\xff\xfe"}) {
    CHECK(ReadProjectPage(text).empty());
  }
  // Wrong types of what matters less.
  const auto read = ReadProjectPage(R"({"files":[{"filename":"x.whl","size":1,"hashes":[]}]})");
  REQUIRE(read.size() == 1);
  CHECK(read[0].sha256.empty());
}

TEST_CASE("texts are escaped in HTML and JSON", "[index]") {
  IndexedFile file = File("a-1.0-py3-none-any.whl");
  file.requires_python = "'\"<b>&";
  file.yanked = "\xff \xc3\xa9";
  const IndexPage page = ProjectPage("a", std::vector{file}, "../");
  CHECK(page.html.find("data-requires-python=\"&#x27;&quot;&lt;b&gt;&amp;\"") != std::string::npos);
  CHECK_NOTHROW(ParseJson(page.json));
}

TEST_CASE("what is no sum on a page goes onto no other", "[index]") {
  for (const char* key : {"hashes", "core-metadata"}) {
    for (const std::string& sum : {std::string("\\\"><script>"), std::string(64, 'g'),
                                   std::string(63, 'a'), std::string(64, 'A')}) {
      const std::string page = R"({"files": [{"filename": "a-1.0-py3-none-any.whl", "size": 1, ")" +
                               std::string(key) + R"(": {"sha256": ")" + sum + "\"}}]}";
      INFO(page);
      CHECK(ReadProjectPage(page).empty());
    }
  }
}

TEST_CASE("a yank without a reason is one", "[index]") {
  IndexedFile file = File("a-1.0-py3-none-any.whl");
  file.yanked = "";
  const IndexPage page = ProjectPage("a", std::vector{file}, "../");
  CHECK(page.html.find(" data-yanked=\"\">") != std::string::npos);
  CHECK(ParseJson(page.json).at("files").at(0).at("yanked") == true);
}

TEST_CASE("names of distributions", "[index]") {
  struct Row {
    std::string_view file;
    std::string_view project;
    std::string_view version;
  };
  const std::vector<Row> rows{
      {"torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl", "torch", "2.10.0+rocm7.10.0"},
      {"Rocm_SDK.Core-7.10.0-py3-none-any.whl", "rocm-sdk-core", "7.10.0"},
      {"rocm-7.10.0a20251124.tar.gz", "rocm", "7.10.0a20251124"},
      {"rocm-sdk-7.10.0.zip", "rocm-sdk", "7.10.0"},
      {"rocm-7.10.0+local.1.tar.gz", "rocm", "7.10.0+local.1"},
      // Nothing that an installer would take.
      {"torch.whl", "", ""},
      {"torch-2.10.0.whl", "", ""},
      {"torch-2.10.0-cp312-cp312-linux_x86_64.whl.metadata", "", ""},
      {"torch-2.10.0-cp312-cp312-linux_x86_64.whl.part", "", ""},
      {"../torch-2.10.0-cp312-cp312-linux_x86_64.whl", "", ""},
      {"t<b>-2.10.0-cp312-cp312-linux_x86_64.whl", "", ""},
      {"a\"b-1.0.tar.gz", "", ""},
      {"a b-1.0.tar.gz", "", ""},
      {"a- 1.0.tar.gz", "", ""},
      {"a-1.0\n.tar.gz", "", ""},
      {"a&b-1.0.tar.gz", "", ""},
      {"\xc3\xa9-1.0.tar.gz", "", ""},
      {"-1.0.tar.gz", "", ""},
      {"_-1.0.tar.gz", "", ""},
      {"_own-1.0.tar.gz", "", ""},
      {"a-.tar.gz", "", ""},
      {"a-nightly.tar.gz", "", ""},
      {".tar.gz", "", ""},
      {"therock-dist-linux-gfx94X-dcgpu-7.10.0.tar.bz2", "", ""},
      {"index.html", "", ""},
      {"", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto read = ReadDistributionName(row.file);
    CHECK((read ? read->project : "") == row.project);
    CHECK((read ? read->version.ToString() : "") == row.version);
  }
}

}  // namespace
}  // namespace wheelwright
