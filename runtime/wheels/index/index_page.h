// Pages of a package index. The same list of files gives the same bytes.
//
// The formats are those of
// https://packaging.python.org/specifications/simple-repository-api/, version 1.1: HTML (PEP 503,
// 592, 629, 658, 714) and JSON (PEP 691, 700); 1.3 where a file has provenance (PEP 740). A file of
// metadata lies beside its wheel: {wheel}.metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

inline constexpr std::string_view kHtmlPage = "index.html";
// A bucket cannot choose by the Accept header, so the JSON page has its own name.
inline constexpr std::string_view kJsonPage = "index.v1.json";
inline constexpr std::string_view kFindLinksPage = "find-links.html";
inline constexpr std::string_view kHtmlType = "text/html; charset=utf-8";
inline constexpr std::string_view kJsonType = "application/vnd.pypi.simple.v1+json";
inline constexpr std::string_view kMetadataSuffix = ".metadata";
// The sources and tools of a wheel, written by `wheelrun manifest`. Installers ignore such links.
inline constexpr std::string_view kManifestSuffix = ".manifest.json";
// What is attested of a wheel, as indexes publish it (PEP 740).
inline constexpr std::string_view kProvenanceSuffix = ".provenance";

struct IndexedFile {
  std::string file;
  std::string project;  // normalised
  PackageVersion version;
  std::uint64_t size = 0;
  std::string sha256;                 // hexadecimal; "": not known
  std::string metadata_sha256;        // of the file beside it; "": there is none
  std::string requires_python;        // "": not said
  std::string upload_time;            // "2025-11-24T10:00:00Z"; "": not known
  std::optional<std::string> yanked;  // the reason, which may be empty
  bool has_manifest = false;          // beside it, as {wheel}.manifest.json
  std::string provenance;             // the whole URL of {wheel}.provenance; "": there is none

  // The store's versions of both files, kept on the page to recognise unchanged files.
  std::string store_version;
  std::string metadata_store_version;

  // "torch" before "triton", 2.9 before 2.10, then by name: the order on all pages.
  static bool Before(const IndexedFile& a, const IndexedFile& b);
};

// A page in both forms. The JSON has the sum of the HTML, so reading the JSON checks both.
struct IndexPage {
  std::string html;
  std::string json;
};

// The page of a project with its sorted files. `base` is the relative URL from the page to the
// files.
IndexPage ProjectPage(std::string_view project, std::span<const IndexedFile> files,
                      std::string_view base);

// The list of projects. `empty` are those whose pages list nothing any more: only the JSON names
// them, for the next writer. `find_links` is the text of kFindLinksPage.
IndexPage RootPage(std::span<const std::string> projects, std::span<const std::string> empty,
                   std::string_view find_links);

// One flat page with all files, for `pip --find-links`.
std::string FindLinksPage(std::span<const IndexedFile> files, std::string_view base);

// Reads the JSON of ProjectPage(), also as other versions of this program wrote it. Leaves out what
// it does not understand; such files are then read again. Does not set versions.
std::vector<IndexedFile> ReadProjectPage(std::string_view json);

// The same in two steps, of which only the second takes time. The texts are those of the page.
struct FileLine {
  std::string_view file;  // its name
  std::string_view json;
};
// Nothing for a page that does not have a line for each file.
std::optional<std::vector<FileLine>> FileLinesOf(std::string_view json);
// False if it does not understand the line; `file` is undefined then.
bool ReadFileLine(std::string_view json, IndexedFile& file);

// The projects with a page, empty or not, from the JSON of RootPage(). Leaves out what it does not
// understand.
std::vector<std::string> ReadRootPage(std::string_view json);

// Whether ProjectPage() wrote the page for that project, or for "" RootPage() or FindLinksPage().
// They put a mark into their pages.
bool IsOwnHtml(std::string_view html, std::string_view project);
bool IsOwnJson(std::string_view json, std::string_view project);

}  // namespace wheelwright
