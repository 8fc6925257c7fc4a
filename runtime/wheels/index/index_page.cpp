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

// A string of JSON. Almost all need no escape, and pages have ten thousands of them.
std::string JsonString(std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::ranges::all_of(text, plain)) return Dump(std::string(text));
  std::string quoted;
  quoted.reserve(text.size() + 2);
  return quoted.append(1, '"').append(text).append(1, '"');
}

void AddMember(std::string_view name, std::string_view json, std::string& out) {
  out += out.ends_with('{') ? "\"" : ",\"";
  out.append(name).append("\":").append(json);
}

void AddFileJson(const IndexedFile& file, std::string_view base, std::string& out) {
  const auto add_text = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) AddMember(name, JsonString(text), out);
  };
  const auto add_sum = [&](std::string_view name, std::string_view sha256) {
    AddMember(name, fmt::format("{{\"sha256\":{}}}", JsonString(sha256)), out);
  };
  out += '{';
  AddMember("filename", JsonString(file.file), out);
  AddMember("url", JsonString(UrlOf(file, base)), out);
  if (file.sha256.empty())
    AddMember("hashes", "{}", out);
  else
    add_sum("hashes", file.sha256);
  AddMember("size", fmt::format_int(file.size).str(), out);
  add_text("upload-time", file.upload_time);
  add_text("requires-python", file.requires_python);
  if (!file.metadata_sha256.empty()) add_sum("core-metadata", file.metadata_sha256);
  if (file.yanked) {
    AddMember("yanked", file.yanked->empty() ? "true" : JsonString(*file.yanked), out);
  }
  add_text("provenance", file.provenance);
  // PEP 691 reserves keys with an underscore for the index.
  if (file.has_manifest) add_text("_manifest", ManifestUrlOf(file, base));
  AddMember("_version", JsonString(file.store_version), out);
  add_text("_metadata_version", file.metadata_store_version);
  out += '}';
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

// Takes the files of a project's page from the events of the parser: with a tree of ten thousand
// files, reading would be the longest part of an update.
class PageReader : public ReadJson::json_sax_t {
 public:
  std::vector<IndexedFile> files;

  bool key(std::string& name) override {
    path_.back() = std::move(name);
    return true;
  }
  bool string(std::string& value) override {
    if (std::string* place = Place()) *place = std::move(value);
    return true;
  }
  bool number_unsigned(ReadJson::number_unsigned_t value) override {
    if (InFile() && path_.back() == "size") {
      files.back().size = value;
      has_size_ = true;
    }
    return true;
  }
  bool start_object(std::size_t) override {
    path_.emplace_back();
    if (InFile()) {
      files.emplace_back();
      has_size_ = false;
    }
    return true;
  }
  bool end_object() override {
    if (InFile()) {
      const IndexedFile& file = files.back();
      if (!has_size_ || !IsSumOrNothing(file.sha256) || !IsSumOrNothing(file.metadata_sha256)) {
        files.pop_back();
      }
    }
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    path_.emplace_back("[]");
    return true;
  }
  bool end_array() override {
    path_.pop_back();
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(ReadJson::number_integer_t) override { return true; }
  bool number_float(ReadJson::number_float_t, const std::string&) override { return true; }
  bool binary(ReadJson::binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  // In {"files": [{: not in an object inside of the file.
  bool InFile() const { return path_.size() == 3 && path_[0] == "files" && path_[1] == "[]"; }

  // Where the text of the last key belongs, or null.
  std::string* Place() {
    if (path_.size() == 4 && path_[0] == "files" && path_[1] == "[]" && path_[3] == "sha256") {
      if (path_[2] == "hashes") return &files.back().sha256;
      if (path_[2] == "core-metadata") return &files.back().metadata_sha256;
    }
    if (!InFile()) return nullptr;
    IndexedFile& file = files.back();
    if (path_[2] == "filename") return &file.file;
    if (path_[2] == "requires-python") return &file.requires_python;
    if (path_[2] == "upload-time") return &file.upload_time;
    if (path_[2] == "_version") return &file.store_version;
    return path_[2] == "_metadata_version" ? &file.metadata_store_version : nullptr;
  }

  // The last key of each open object; "[]" for an open list.
  std::vector<std::string> path_;
  bool has_size_ = false;
};

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
  for (const IndexedFile& file : files) AddLink(file, base, html);
  return html += kFoot;
}

std::vector<IndexedFile> ReadProjectPage(std::string_view text) {
  PageReader reader;
  if (!ReadJson::sax_parse(text, &reader)) return {};
  return std::move(reader.files);
}

std::vector<std::string> ReadRootPage(std::string_view text) {
  const ReadJson json = ReadJson::parse(text, nullptr, false);
  std::vector<std::string> projects;
  // A name becomes a part of a key.
  const auto add = [&](const std::string& name) {
    if (!name.empty() && NormalizeProject(name) == name) projects.push_back(name);
  };
  if (!json.is_object()) return projects;
  if (const auto list = json.find("projects"); list != json.end() && list->is_array()) {
    for (const ReadJson& item : *list) {
      if (item.is_object()) add(Member(item, "name"));
    }
  }
  if (const auto list = json.find("_empty"); list != json.end() && list->is_array()) {
    for (const ReadJson& item : *list) {
      if (item.is_string()) add(item.get<std::string>());
    }
  }
  return projects;
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
