#include "runtime/wheels/index/index_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/markup.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kApiVersion = "1.1";
// Of pages with provenance.
constexpr std::string_view kProvenanceVersion = "1.3";

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The mark of a project's page. HTML pages without it were written by others.
std::string Mark(std::string_view project) {
  return fmt::format("<meta name=\"generator\" content=\"wheelrun index{}{}\">",
                     project.empty() ? "" : ": ", EscapeMarkup(project));
}

// The text behind the version at the start of a JSON page; "" for any other start.
std::string_view BehindVersion(std::string_view json) {
  constexpr std::string_view kBegin = "{\"meta\":{\"api-version\":\"", kEnd = "\"},\n";
  if (!json.starts_with(kBegin)) return {};
  const std::size_t end = json.substr(0, kBegin.size() + 20).find(kEnd, kBegin.size());
  return end == json.npos ? std::string_view() : json.substr(end + kEnd.size());
}

std::string Head(std::string_view title, std::string_view project,
                 std::string_view version = kApiVersion) {
  return fmt::format(
      "<!DOCTYPE html>\n"
      "<html lang=\"en\">\n"
      "<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"pypi:repository-version\" content=\"{0}\">\n"
      "{2}\n"
      "<title>{1}</title>\n"
      "</head>\n"
      "<body>\n"
      "<h1>{1}</h1>\n",
      version, EscapeMarkup(title), Mark(project));
}

constexpr std::string_view kFoot = "</body>\n</html>\n";

std::string UrlOf(const IndexedFile& file, std::string_view base) {
  return std::string(base) + EncodeQuery(file.file);
}

std::string ManifestUrlOf(const IndexedFile& file, std::string_view base) {
  return std::string(base) + EncodeQuery(file.file + std::string(kManifestSuffix));
}

void AddLink(const IndexedFile& file, std::string_view base, std::string& out) {
  out += "<a href=\"" + UrlOf(file, base);
  if (!file.sha256.empty()) out += "#sha256=" + EscapeMarkup(file.sha256);
  out += '"';
  if (!file.requires_python.empty()) {
    out += " data-requires-python=\"" + EscapeMarkup(file.requires_python) + '"';
  }
  if (!file.metadata_sha256.empty()) {
    // Not under the name of PEP 658 too: pip 22.3 to 23.1, which know that alone, fail by it, in
    // JSON for all projects (PEP 714), in HTML for names with an underscore (pypa/pip#12038).
    out += fmt::format(" data-core-metadata=\"sha256={}\"", EscapeMarkup(file.metadata_sha256));
  }
  if (!file.provenance.empty()) {
    out += " data-provenance=\"" + EscapeMarkup(file.provenance) + '"';
  }
  if (file.yanked) out += " data-yanked=\"" + EscapeMarkup(*file.yanked) + '"';
  out += '>' + EscapeMarkup(file.file) + "</a>";
  if (file.has_manifest) out += " <a href=\"" + ManifestUrlOf(file, base) + "\">manifest</a>";
  out += "<br>\n";
}

std::string FileJson(const IndexedFile& file, std::string_view base) {
  Json json;
  json["filename"] = file.file;
  json["url"] = UrlOf(file, base);
  json["hashes"] = Json::object();
  if (!file.sha256.empty()) json["hashes"]["sha256"] = file.sha256;
  json["size"] = file.size;
  if (!file.upload_time.empty()) json["upload-time"] = file.upload_time;
  if (!file.requires_python.empty()) json["requires-python"] = file.requires_python;
  if (!file.metadata_sha256.empty()) {
    json["core-metadata"]["sha256"] = file.metadata_sha256;
  }
  if (file.yanked) {
    json["yanked"] = file.yanked->empty() ? Json(true) : Json(*file.yanked);
  }
  if (!file.provenance.empty()) json["provenance"] = file.provenance;
  // PEP 691 reserves keys with an underscore for the index.
  if (file.has_manifest) json["_manifest"] = ManifestUrlOf(file, base);
  json["_version"] = file.store_version;
  if (!file.metadata_store_version.empty()) {
    json["_metadata_version"] = file.metadata_store_version;
  }
  return Dump(json);
}

// For reading: ordered_json would take quadratic time in the number of keys.
using ReadJson = nlohmann::json;

std::string Member(const ReadJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The texts of a page are untrusted and are copied into new pages.
bool IsSumOrNothing(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.empty() || (text.size() == kDigits &&
                          text.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

std::string SumIn(const ReadJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? Member(*found, "sha256") : std::string();
}

}  // namespace

bool IndexedFile::Before(const IndexedFile& a, const IndexedFile& b) {
  if (a.project != b.project) return a.project < b.project;
  if (const auto order = a.version <=> b.version; order != 0) return order < 0;
  return a.file < b.file;
}

IndexPage ProjectPage(std::string_view project, std::span<const IndexedFile> files,
                      std::string_view base) {
  const std::string_view version =
      std::ranges::all_of(files, &std::string::empty, &IndexedFile::provenance)
          ? kApiVersion
          : kProvenanceVersion;
  IndexPage page{.html = Head(fmt::format("Links for {}", project), project, version)};
  Json versions = Json::array();
  std::string list;
  for (const IndexedFile& file : files) {
    AddLink(file, base, page.html);
    std::string one = file.version.ToString();
    if (versions.empty() || versions.back() != one) versions.push_back(std::move(one));
    list += (list.empty() ? "" : ",\n") + FileJson(file, base);
  }
  page.html += kFoot;
  // One line for each file, so that versions of a page can be compared.
  page.json = fmt::format(
      "{{\"meta\":{{\"api-version\":\"{}\"}},\n\"name\":{},\n\"versions\":{},\n"
      "\"_html\":\"{}\",\n\"files\":[\n{}{}]}}\n",
      version, Dump(std::string(project)), Dump(versions), Sha256Of(page.html), list,
      list.empty() ? "" : "\n");
  return page;
}

IndexPage RootPage(std::span<const std::string> projects, std::string_view find_links) {
  IndexPage page{.html = Head("Projects", "")};
  std::string list;
  for (const std::string& project : projects) {
    page.html +=
        fmt::format("<a href=\"{}/\">{}</a><br>\n", EncodeQuery(project), EscapeMarkup(project));
    list += fmt::format("{}{{\"name\":{}}}", list.empty() ? "" : ",\n", Dump(project));
  }
  page.html += kFoot;
  page.json = fmt::format(
      "{{\"meta\":{{\"api-version\":\"{}\"}},\n\"_html\":\"{}\",\n\"_find_links\":\"{}\",\n"
      "\"projects\":[\n{}{}]}}\n",
      kApiVersion, Sha256Of(page.html), Sha256Of(find_links), list, list.empty() ? "" : "\n");
  return page;
}

std::string FindLinksPage(std::span<const IndexedFile> files, std::string_view base) {
  std::string html = Head("Links", "");
  for (const IndexedFile& file : files) AddLink(file, base, html);
  return html += kFoot;
}

std::vector<IndexedFile> ReadProjectPage(std::string_view text) {
  std::vector<IndexedFile> files;
  const ReadJson json = ReadJson::parse(text, nullptr, false);
  if (!json.is_object()) return files;
  const auto list = json.find("files");
  if (list == json.end() || !list->is_array()) return files;
  files.reserve(list->size());
  for (const ReadJson& item : *list) {
    if (!item.is_object()) continue;
    const auto size = item.find("size");
    if (size == item.end() || !size->is_number_unsigned()) continue;
    files.push_back({.file = Member(item, "filename"),
                     .size = size->get<std::uint64_t>(),
                     .sha256 = SumIn(item, "hashes"),
                     .metadata_sha256 = SumIn(item, "core-metadata"),
                     .requires_python = Member(item, "requires-python"),
                     .upload_time = Member(item, "upload-time"),
                     .store_version = Member(item, "_version"),
                     .metadata_store_version = Member(item, "_metadata_version")});
    const IndexedFile& file = files.back();
    if (!IsSumOrNothing(file.sha256) || !IsSumOrNothing(file.metadata_sha256)) files.pop_back();
  }
  return files;
}

bool IsOwnHtml(std::string_view html, std::string_view project) {
  return html.find(Mark(project)) != std::string_view::npos;
}

bool IsOwnJson(std::string_view json, std::string_view project) {
  const std::string_view rest = BehindVersion(json);
  if (project.empty()) return rest.starts_with("\"_html\":\"");
  return rest.starts_with(fmt::format("\"name\":{},\n\"versions\":", Dump(std::string(project))));
}

}  // namespace wheelwright
