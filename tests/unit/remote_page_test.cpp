// Pages of other people's indexes, in both forms, and links on them.

#include "runtime/wheels/mirror/remote_page.h"

#include <catch2/catch.hpp>

#include "runtime/wheels/mirror/file_choice.h"

namespace wheelwright {
namespace {

const std::string kSum(64, 'a');
constexpr const char* kPage = "https://pypi.example/simple/numpy/";

TEST_CASE("links of a page lead on from it", "[mirror]") {
  const auto leads = [](const char* link) {
    return ResolveUrl("https://a.example/simple/x/", link);
  };
  CHECK(leads("y.whl#sha256=1") == "https://a.example/simple/x/y.whl");
  CHECK(leads("../../f/y.whl") == "https://a.example/f/y.whl");
  CHECK(leads("../../../../../y.whl?a=b/../c") == "https://a.example/y.whl?a=b/../c");
  CHECK(leads("/y.whl") == "https://a.example/y.whl");
  CHECK(leads("//b.example/y.whl") == "https://b.example/y.whl");
  CHECK(leads("https://b.example:8080/y%2Bz.whl") == "https://b.example:8080/y%2Bz.whl");
  for (const char* no : {"", "#x", "http://b.example/y.whl", "ftp://b.example/y",
                         "file:///etc/passwd", "javascript:alert(1)", "https://", "a b"}) {
    INFO(no);
    CHECK(leads(no).empty());
  }
  CHECK(ResolveUrl("http://a.example/", "http://b.example/y") == "http://b.example/y");
  CHECK(ResolveUrl("nonsense", "y").empty());
}

TEST_CASE("HTML and JSON say the same of a project", "[mirror]") {
  const std::string html =
      "<!DOCTYPE html><html><!-- <a href=x>numpy-9.9-py3-none-any.whl</a> --><body>"
      "<A class='x' HREF='../f/numpy-2.0-py3-none-any.whl#sha256=" +
      kSum +
      "' data-requires-python=\"&gt;=3.9,&#60;4\" data-yanked>numpy-2.0-py3-none-any.whl</A>\n"
      "<a href=\"numpy-2.0.tar.gz\">numpy-2.0.tar.gz</a>"
      "<a href=evil-1.0-py3-none-any.whl>evil-1.0-py3-none-any.whl</a>"
      "<abbr href=x>numpy-3.0-py3-none-any.whl</abbr>"
      "<a href=y>../../numpy-3.0-py3-none-any.whl</a><a href='z";
  const std::string json =
      R"({"files": [7, {"filename": "numpy-2.0-py3-none-any.whl",
          "url": "../f/numpy-2.0-py3-none-any.whl", "hashes": {"sha256": ")" +
      kSum +
      R"("}, "requires-python": ">=3.9,<4", "yanked": true, "size": 12,
          "upload-time": "2025-01-02T03:04:05.6Z"},
         {"filename": "numpy-2.0.tar.gz", "url": "numpy-2.0.tar.gz", "hashes": {"sha256": "zz"}},
         {"filename": "numpy-2.1.tar.gz"},
         {"filename": "evil-1.0-py3-none-any.whl", "url": "x"}]})";
  const RemotePage of_html = ReadRemotePage(html, "text/html", kPage, "numpy");
  const RemotePage of_json =
      ReadRemotePage(json, "application/vnd.pypi.simple.v1+json", kPage, "numpy");
  for (const RemotePage* page : {&of_html, &of_json}) {
    CHECK(page->problem.empty());
    REQUIRE(page->files.size() == 2);
    const RemoteFile& wheel = page->files[0];
    CHECK(wheel.url == "https://pypi.example/simple/f/numpy-2.0-py3-none-any.whl");
    CHECK(wheel.sha256 == kSum);
    CHECK(wheel.requires_python == ">=3.9,<4");
    CHECK((wheel.wheel && wheel.yanked == ""));
    CHECK_FALSE(page->files[1].wheel);
    CHECK(page->files[1].sha256.empty());
  }
  CHECK(of_json.files[0].upload_time == "2025-01-02T03:04:05Z");
  CHECK(of_json.files[0].size == 12);
  CHECK(ReadRemotePage("[]", "application/json", kPage, "x").problem == "it is no JSON object");
  CHECK(ReadRemotePage("{}", "application/json", kPage, "x").problem == "it has no files");
}

TEST_CASE("the newest version that fits is chosen for each Python", "[mirror]") {
  const auto file = [](const char* name, const char* python = "") {
    RemotePage page = ReadRemotePage(std::string("<a href=x#sha256=") + kSum +
                                         " data-requires-python='" + python + "'>" + name + "</a>",
                                     "text/html", kPage, "numpy");
    return page.files.at(0);
  };
  const std::vector<RemoteFile> page{
      file("numpy-1.0-py3-none-any.whl"), file("numpy-2.0-cp311-cp311-manylinux_2_28_x86_64.whl"),
      file("numpy-2.1-cp38-abi3-manylinux2014_x86_64.whl", ">=3.12.1"),
      file("numpy-2.2-cp312-cp312-win_amd64.whl"), file("numpy-9.0.tar.gz")};
  const auto chosen = [&](const DependencyRow& row) {
    const FileChoice choice = ChooseFiles(row, page);
    std::string text;
    for (const RemoteFile& taken : choice.files) text += taken.file + "\n";
    for (const std::string& problem : choice.problems) text += problem + "\n";
    return text;
  };
  CHECK(chosen({"numpy", {">=1"}, {"3.11", "3.12", "3.13t"}, {"linux"}}) ==
        "numpy-1.0-py3-none-any.whl\nnumpy-2.0-cp311-cp311-manylinux_2_28_x86_64.whl\n"
        "numpy-2.1-cp38-abi3-manylinux2014_x86_64.whl\n");
  CHECK(chosen({"numpy", {">=2.2"}, {"3.12"}, {"windows"}}) ==
        "numpy-2.2-cp312-cp312-win_amd64.whl\n");
  CHECK(chosen({"numpy", {"2.2"}, {"3.12"}, {"linux"}}) ==
        "numpy==2.2 has no wheel for Python 3.12 on linux; there is 2.1 and 1.0\n");
  CHECK(chosen({"numpy", {"x"}, {"3.12"}, {"linux"}}) ==
        "numpy: 'x' is neither a version nor bounds\n");
}

}  // namespace
}  // namespace wheelwright
