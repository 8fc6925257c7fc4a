#include "runtime/wheels/mirror/remote_page.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/characters.h"
#include "base/json.h"
#include "base/text.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/index/distribution.h"

namespace wheelwright {
namespace {

constexpr std::size_t kSha256Digits = 64;
constexpr std::string_view kSha256 = "sha256=";

std::string AsSha256(std::string_view text) {
  const bool good = text.size() == kSha256Digits && AreHexDigits(text);
  return good ? ToLower(text) : std::string();
}

// "2025-11-24T10:00:00Z" of "2025-11-24T10:00:00.123456Z".
std::string AsTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() <= kShape.size() || !text.ends_with('Z')) return {};
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = IsDigit(text[i]);
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return {};
  }
  return std::string(text.substr(0, kShape.size())) + "Z";
}

// Adds the file, unless its name or address is invalid.
void Add(RemoteFile file, std::string_view link, std::string_view page, std::string_view project,
         std::vector<RemoteFile>& files) {
  const auto read = ReadDistributionName(file.file);
  if (!read || read->project != project || file.file.find_first_of("/\\") != std::string::npos ||
      Printable(file.file) != file.file) {
    return;
  }
  file.url = ResolveUrl(page, link);
  if (file.url.empty()) return;
  file.version = read->version;
  file.wheel = read->wheel;
  files.push_back(std::move(file));
}

std::string TextIn(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

RemotePage ReadJsonPage(std::string_view body, std::string_view url, std::string_view project) {
  const nlohmann::json json = ParseJson(body);
  if (!json.is_object()) return {.files = {}, .problem = "it is no JSON object"};
  const auto list = json.find("files");
  if (list == json.end() || !list->is_array()) return {.files = {}, .problem = "it has no files"};
  RemotePage page;
  for (const nlohmann::json& item : *list) {
    if (!item.is_object()) continue;
    RemoteFile file{.file = TextIn(item, "filename"),
                    .version = {},
                    .url = {},
                    .sha256 = {},
                    .requires_python = TextIn(item, "requires-python"),
                    .upload_time = AsTime(TextIn(item, "upload-time")),
                    .yanked = {}};
    if (const auto hashes = item.find("hashes"); hashes != item.end() && hashes->is_object()) {
      file.sha256 = AsSha256(TextIn(*hashes, "sha256"));
    }
    if (const auto beside = item.find("core-metadata");
        beside != item.end() && beside->is_object()) {
      file.metadata_sha256 = AsSha256(TextIn(*beside, "sha256"));
    }
    if (const auto size = item.find("size"); size != item.end() && size->is_number_unsigned()) {
      file.size = size->get<std::uint64_t>();
    }
    if (const auto yanked = item.find("yanked"); yanked != item.end()) {
      if (yanked->is_string()) file.yanked = yanked->get<std::string>();
      if (yanked->is_boolean() && yanked->get<bool>()) file.yanked = "";
    }
    Add(std::move(file), TextIn(item, "url"), url, project, page.files);
  }
  return page;
}

// Decodes the five named entities of HTML that must be escaped, and numeric ones.
std::string PlainText(std::string_view html) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string text;
  while (!html.empty()) {
    const std::size_t end = html.front() == '&' ? html.substr(0, 12).find(';') : html.npos;
    if (end == html.npos) {
      text += html.front();
      html.remove_prefix(1);
      continue;
    }
    std::string_view name = html.substr(1, end - 1);
    char found = 0;
    for (const auto& [known, letter] : kNamed) {
      if (name == known) found = letter;
    }
    if (name.starts_with('#')) {
      name.remove_prefix(1);
      const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
      if (hexadecimal) name.remove_prefix(1);
      unsigned code = 0;
      const auto read =
          std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
      const bool whole = read.ec == std::errc() && read.ptr == name.data() + name.size();
      if (whole && code >= ' ' && code < 0x7F) found = static_cast<char>(code);
    }
    text += found != 0 ? std::string(1, found) : std::string(html.substr(0, end + 1));
    html.remove_prefix(end + 1);
  }
  return text;
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Takes `name`, `name=value` or `name="value"` from the front; false at the end of the tag.
bool TakeAttribute(std::string_view& rest, std::string& name, std::string& value) {
  while (!rest.empty() && (IsBlank(rest.front()) || rest.front() == '/')) rest.remove_prefix(1);
  if (rest.empty() || rest.front() == '>') return false;
  const auto take_until = [&](std::string_view ends) {
    const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end);
    return taken;
  };
  name = ToLower(take_until("= \t\n\r\f>/"));
  value.clear();
  if (name.empty()) rest.remove_prefix(1);
  while (!rest.empty() && IsBlank(rest.front())) rest.remove_prefix(1);
  if (!rest.starts_with('=')) return true;
  rest.remove_prefix(1);
  while (!rest.empty() && IsBlank(rest.front())) rest.remove_prefix(1);
  if (rest.starts_with('"') || rest.starts_with('\'')) {
    const std::string quote(1, rest.front());
    rest.remove_prefix(1);
    value = PlainText(take_until(quote));
    if (!rest.empty()) rest.remove_prefix(1);
  } else {
    value = PlainText(take_until(" \t\n\r\f>"));
  }
  return true;
}

RemotePage ReadHtmlPage(std::string_view body, std::string_view url, std::string_view project) {
  RemotePage page;
  std::string_view rest = body;
  for (;;) {
    const std::size_t tag = rest.find('<');
    if (tag == rest.npos) break;
    rest.remove_prefix(tag + 1);
    if (rest.starts_with("!--")) {
      rest.remove_prefix(std::min(rest.find("-->"), rest.size()));
      continue;
    }
    const bool anchor = rest.size() > 1 && ToLower(rest.front()) == 'a' && IsBlank(rest[1]);
    if (!anchor) continue;
    rest.remove_prefix(1);
    RemoteFile file;
    std::string name, value, link;
    while (TakeAttribute(rest, name, value)) {
      if (name == "href") link = value;
      if (name == "data-requires-python") file.requires_python = value;
      if (name == "data-yanked") file.yanked = value;
      if (name == "data-core-metadata" && value.starts_with(kSha256)) {
        file.metadata_sha256 = AsSha256(value.substr(kSha256.size()));
      }
    }
    if (!rest.empty()) rest.remove_prefix(1);
    file.file = PlainText(Trim(rest.substr(0, rest.find('<'))));
    const std::size_t sum = link.find("#sha256=");
    if (sum != link.npos) file.sha256 = AsSha256(link.substr(sum + 8));
    Add(std::move(file), link, url, project, page.files);
  }
  return page;
}

// "/a/c" of "/a/b/../c".
std::string WithoutDots(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : Split(path, '/')) {
    if (part == ".." && !parts.empty()) parts.pop_back();
    if (part != ".." && part != ".") parts.push_back(part);
  }
  std::string whole;
  for (const std::string_view part : parts) {
    if (!part.empty()) whole += "/" + std::string(part);
  }
  return path.ends_with('/') || whole.empty() ? whole + "/" : whole;
}

}  // namespace

std::string ResolveUrl(std::string_view base, std::string_view link) {
  link = Trim(link.substr(0, link.find('#')));
  HttpUrl from, to;
  if (link.empty() || !ReadHttpUrl(base, from)) return {};
  std::string whole(link);
  const std::string scheme = from.tls ? "https:" : "http:";
  const std::string site = scheme + "//" + from.authority;
  const std::size_t colon = link.find(':');
  const bool has_scheme = colon < link.find_first_of("/?");
  if (link.starts_with("//")) {
    whole = scheme + std::string(link);
  } else if (!has_scheme) {
    const std::size_t question = std::min(link.find('?'), link.size());
    std::string path(link.substr(0, question));
    if (!path.starts_with('/')) path = from.path.substr(0, from.path.rfind('/') + 1) + path;
    whole = site + WithoutDots(path) + std::string(link.substr(question));
  }
  // A page from HTTPS must not lead to HTTP.
  return ReadHttpUrl(whole, to) && (to.tls || !from.tls) ? whole : std::string();
}

RemotePage ReadRemotePage(std::string_view body, std::string_view content_type,
                          std::string_view url, std::string_view project) {
  const bool json = ToLower(content_type).find("json") != std::string::npos;
  return json ? ReadJsonPage(body, url, project) : ReadHtmlPage(body, url, project);
}

}  // namespace wheelwright
