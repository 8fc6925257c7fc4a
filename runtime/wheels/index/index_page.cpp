#include "runtime/wheels/index/index_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/json.h"
#include "base/markup.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

constexpr std::string_view kApiVersion = "1.1";
// Of pages with provenance.
constexpr std::string_view kProvenanceVersion = "1.3";

std::string Dump(const Json& json) { return DumpJson(json); }

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

// Bytes of a file on the pages, so that they seldom move while they grow.
constexpr std::size_t kUsualLink = 320, kUsualFile = 640;
constexpr std::string_view kFoot = "</body>\n</html>\n";

// Pages have ten thousands of links, so their texts are added without copies of the parts.

void AddUrl(const IndexedFile& file, std::string_view base, std::string& out) {
  out += base;
  AppendQuery(file.file, out);
}

void AddManifestUrl(const IndexedFile& file, std::string_view base, std::string& out) {
  AddUrl(file, base, out);
  AppendQuery(kManifestSuffix, out);
}

void AddAttribute(std::string_view start, std::string_view value, std::string& out) {
  out += start;
  AppendMarkup(value, out);
  out += '"';
}

void AddLink(const IndexedFile& file, std::string_view base, std::string& out) {
  out += "<a href=\"";
  AddUrl(file, base, out);
  if (!file.sha256.empty()) {
    out += "#sha256=";
    AppendMarkup(file.sha256, out);
  }
  out += '"';
  if (!file.requires_python.empty()) {
    AddAttribute(" data-requires-python=\"", file.requires_python, out);
  }
  if (!file.metadata_sha256.empty()) {
    // Not under the name of PEP 658 too: pip 22.3 to 23.1, which know that alone, fail by it, in
    // JSON for all projects (PEP 714), in HTML for names with an underscore (pypa/pip#12038).
    AddAttribute(" data-core-metadata=\"sha256=", file.metadata_sha256, out);
  }
  if (!file.provenance.empty()) AddAttribute(" data-provenance=\"", file.provenance, out);
  if (file.yanked) AddAttribute(" data-yanked=\"", *file.yanked, out);
  out += '>';
  AppendMarkup(file.file, out);
  out += "</a>";
  if (file.has_manifest) {
    out += " <a href=\"";
    AddManifestUrl(file, base, out);
    out += "\">manifest</a>";
  }
  out += "<br>\n";
}

// A string of JSON. Of what needs an escape, almost all texts have quotes alone, as ETags do.
void AddJsonString(std::string_view text, std::string& out) {
  if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) {
    out += Dump(std::string(text));
    return;
  }
  out += '"';
  while (true) {
    const std::size_t plain = static_cast<std::size_t>(
        std::ranges::find_if(text, [](char c) { return c == '"' || c == '\\'; }) - text.begin());
    out.append(text.substr(0, plain));
    if (plain == text.size()) break;
    out.append(1, '\\').append(1, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out += '"';
}

void AddFileJson(const IndexedFile& file, std::string_view base, std::string& out) {
  const auto add_text = [&](std::string_view start, std::string_view text) {
    if (text.empty()) return;
    out += start;
    AddJsonString(text, out);
  };
  const auto add_sum = [&](std::string_view start, std::string_view sha256) {
    out += start;
    AddJsonString(sha256, out);
    out += '}';
  };
  out += "{\"filename\":";
  AddJsonString(file.file, out);
  // URLs have no character that JSON escapes.
  out += ",\"url\":\"";
  AddUrl(file, base, out);
  out += '"';
  if (file.sha256.empty()) {
    out += ",\"hashes\":{}";
  } else {
    add_sum(",\"hashes\":{\"sha256\":", file.sha256);
  }
  out.append(",\"size\":").append(fmt::format_int(file.size).str());
  add_text(",\"upload-time\":", file.upload_time);
  add_text(",\"requires-python\":", file.requires_python);
  if (!file.metadata_sha256.empty()) {
    add_sum(",\"core-metadata\":{\"sha256\":", file.metadata_sha256);
  }
  if (file.yanked && file.yanked->empty()) out += ",\"yanked\":true";
  if (file.yanked) add_text(",\"yanked\":", *file.yanked);
  add_text(",\"provenance\":", file.provenance);
  // PEP 691 reserves keys with an underscore for the index.
  if (file.has_manifest) {
    out += ",\"_manifest\":\"";
    AddManifestUrl(file, base, out);
    out += '"';
  }
  out += ",\"_version\":";
  AddJsonString(file.store_version, out);
  add_text(",\"_metadata_version\":", file.metadata_store_version);
  out += '}';
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
  std::vector<std::string> versions;
  std::string list;
  page.html.reserve(page.html.size() + files.size() * kUsualLink);
  list.reserve(files.size() * kUsualFile);
  for (const IndexedFile& file : files) {
    AddLink(file, base, page.html);
    std::string one = file.version.ToString();
    if (versions.empty() || versions.back() != one) versions.push_back(std::move(one));
    if (!list.empty()) list += ",\n";
    AddFileJson(file, base, list);
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

IndexPage RootPage(std::span<const std::string> projects, std::span<const std::string> empty,
                   std::string_view find_links) {
  IndexPage page{.html = Head("Projects", "")};
  std::string list;
  for (const std::string& project : projects) {
    page.html +=
        fmt::format("<a href=\"{}/\">{}</a><br>\n", EncodeQuery(project), EscapeMarkup(project));
    list += fmt::format("{}{{\"name\":{}}}", list.empty() ? "" : ",\n", Dump(project));
  }
  page.html += kFoot;
  const std::string without =
      empty.empty()
          ? std::string()
          : fmt::format("\"_empty\":{},\n", Dump(std::vector(empty.begin(), empty.end())));
  page.json = fmt::format(
      "{{\"meta\":{{\"api-version\":\"{}\"}},\n\"_html\":\"{}\",\n\"_find_links\":\"{}\",\n{}"
      "\"projects\":[\n{}{}]}}\n",
      kApiVersion, Sha256Of(page.html), Sha256Of(find_links), without, list,
      list.empty() ? "" : "\n");
  return page;
}

std::string FindLinksPage(std::span<const IndexedFile> files, std::string_view base) {
  std::string html = Head("Links", "");
  html.reserve(html.size() + files.size() * kUsualLink);
  for (const IndexedFile& file : files) AddLink(file, base, html);
  html += kFoot;
  return html;
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
