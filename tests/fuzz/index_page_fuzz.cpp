// From any page of a package index, a foreign one or an older one of our own, only file names
// without a path, HTTP addresses and hashes are read.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "runtime/wheels/index/index_page.h"
#include "runtime/wheels/mirror/file_choice.h"
#include "runtime/wheels/mirror/remote_page.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

constexpr std::string_view kPage = "https://index.example/simple/numpy/";

void ReadPage(std::string_view body, std::string_view type) {
  const RemotePage page = ReadRemotePage(body, type, kPage, "numpy");
  Require(page.problem.empty() || page.files.empty(), "files of a page that cannot be read");
  for (const RemoteFile& file : page.files) {
    Require(file.file.find_first_of("/\\\n") == std::string::npos, "a path");
    Require(file.url.starts_with("https://"), "a link leads away from HTTPS");
    Require(file.url.find_first_of(" \r\n#") == std::string::npos, "a link ends its line");
    Require(file.sha256.empty() || file.sha256.size() == 64, "a sum of another length");
    Require(ResolveUrl(kPage, file.url) == file.url, "a whole address leads elsewhere");
  }
  const DependencyRow row{
      .name = "numpy", .versions = {">=1"}, .pythons = {"3.12"}, .platforms = {"linux"}};
  const FileChoice choice = ChooseFiles(row, page.files);
  Require(choice.files.size() <= page.files.size(), "more files than there are");
  for (const RemoteFile& file : choice.files) Require(file.wheel, "a source archive is taken");
}

const Fuzzer kIndexPage("index_page", [](const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadPage(text, "text/html");
  ReadPage(text, "application/vnd.pypi.simple.v1+json");
  const std::string url = ResolveUrl(kPage, text);
  Require(url.empty() || url.starts_with("https://") || url.starts_with("HTTPS://") ||
              EqualsIgnoringCase(std::string_view(url).substr(0, 8), "https://"),
          "a link leads away from HTTPS");
  for (const IndexedFile& file : ReadProjectPage(text)) {
    Require(file.sha256.empty() || file.sha256.size() == 64,
            "our page has a sum of another length");
  }
  for (const FileLine& line : FileLinesOf(text).value_or(std::vector<FileLine>())) {
    IndexedFile file;
    if (!ReadFileLine(line.json, file)) continue;
    Require(file.sha256.empty() || file.sha256.size() == 64,
            "a line of our page has a sum of another length");
  }
});

}  // namespace
}  // namespace wheelwright
