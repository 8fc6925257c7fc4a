#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/characters.h"
#include "base/json.h"
#include "runtime/wheels/index/index_page.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// For reading: ordered_json would take quadratic time in the number of keys.

std::string Member(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The texts of a page are untrusted and are copied into new pages.
bool IsSha256OrNothing(std::string_view text) { return text.empty() || IsSha256(text); }

// Takes a page of any form apart, by the events of the parser.
class PageReader : public nlohmann::json::json_sax_t {
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
  bool number_unsigned(nlohmann::json::number_unsigned_t value) override {
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
      if (!has_size_ || !IsSha256OrNothing(file.sha256) ||
          !IsSha256OrNothing(file.metadata_sha256)) {
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
  bool number_integer(nlohmann::json::number_integer_t) override { return true; }
  bool number_float(nlohmann::json::number_float_t, const std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
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
    // There is no file where a list stands in its place: {"files": [["numpy"]]}.
    const auto member = InFile() ? MemberOf(path_[2]) : nullptr;
    return member == nullptr ? nullptr : &(files.back().*member);
  }

  // What the text of a key of a file is, or null.
  static std::string IndexedFile::* MemberOf(std::string_view key) {
    if (key == "filename") return &IndexedFile::file;
    if (key == "requires-python") return &IndexedFile::requires_python;
    if (key == "upload-time") return &IndexedFile::upload_time;
    if (key == "_version") return &IndexedFile::store_version;
    return key == "_metadata_version" ? &IndexedFile::metadata_store_version : nullptr;
  }

  // The last key of each open object; "[]" for an open list.
  std::vector<std::string> path_;
  bool has_size_ = false;
};

// The start of a text in the form of AddFileJson(), piece by piece.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  // A string of ASCII without other escapes than those of quotes, which ETags have.
  bool TakeText(std::string& text) {
    if (!Take("\"")) return false;
    text.clear();
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      char c = rest_[i];
      if (c == '"') {
        text.append(rest_.substr(0, i));
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (c < ' ' || c > '~') return false;
      if (c != '\\') continue;
      if (i + 1 == rest_.size() || rest_[i + 1] != '"') return false;
      text.append(rest_.substr(0, i));
      rest_.remove_prefix(i + 1);
      i = 0;  // the quote, which is a part of the text
    }
    return false;
  }

  bool TakeSum(std::string& sum) {
    return Take("{\"sha256\":") && TakeText(sum) && IsSha256OrNothing(sum) && Take("}");
  }

  bool TakeNumber(std::uint64_t& number) {
    const char* end = rest_.data() + rest_.size();
    const auto [behind, error] = std::from_chars(rest_.data(), end, number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(behind - rest_.data()));
    return true;
  }

 private:
  std::string_view rest_;
};

// A file in exactly the form of AddFileJson().
bool TakeFile(Scanner& in, IndexedFile& file) {
  std::string unused;
  const auto member = [&](std::string_view name, std::string& text) {
    return !in.Take(name) || in.TakeText(text);
  };
  return in.Take("{\"filename\":") && in.TakeText(file.file) && in.Take(",\"url\":") &&
         in.TakeText(unused) && in.Take(",\"hashes\":") &&
         (in.Take("{}") || in.TakeSum(file.sha256)) && in.Take(",\"size\":") &&
         in.TakeNumber(file.size) && member(",\"upload-time\":", file.upload_time) &&
         member(",\"requires-python\":", file.requires_python) &&
         (!in.Take(",\"core-metadata\":") || in.TakeSum(file.metadata_sha256)) &&
         (in.Take(",\"yanked\":true") || member(",\"yanked\":", unused)) &&
         member(",\"provenance\":", unused) && member(",\"_manifest\":", unused) &&
         in.Take(",\"_version\":") && in.TakeText(file.store_version) &&
         member(",\"_metadata_version\":", file.metadata_store_version) && in.Take("}");
}

}  // namespace

std::optional<std::vector<FileLine>> FileLinesOf(std::string_view page) {
  constexpr std::string_view kFiles = "\n\"files\":[\n", kEnd = "]}\n", kFile = "{\"filename\":\"";
  const std::size_t start = page.find(kFiles);  // no line feed stands within a string
  if (start == page.npos || !page.ends_with(kEnd)) return std::nullopt;
  page = page.substr(start + kFiles.size());
  page.remove_suffix(std::min(page.size(), kEnd.size()));
  std::vector<FileLine> lines;
  lines.reserve(static_cast<std::size_t>(std::ranges::count(page, '\n')));
  while (!page.empty()) {
    const std::size_t end = page.find('\n');
    if (end == page.npos || !page.starts_with(kFile)) return std::nullopt;
    const std::string_view line = page.substr(0, end);
    const std::string_view name =
        line.substr(kFile.size(), line.find('"', kFile.size()) - kFile.size());
    // It is as it is compared: no text that JSON escapes is the name of a distribution.
    if (name.find('\\') != name.npos) return std::nullopt;
    page.remove_prefix(end + 1);
    lines.push_back({name, line.ends_with(',') ? line.substr(0, line.size() - 1) : line});
  }
  return lines;
}

bool ReadFileLine(std::string_view line, IndexedFile& file) {
  // A parser of JSON would take most of the time of an update with ten thousands of known files.
  Scanner in(line);
  if (TakeFile(in, file) && in.done()) return true;
  std::vector<IndexedFile> files = ReadProjectPage(fmt::format("{{\"files\":[{}]}}", line));
  if (files.size() != 1) return false;
  file = std::move(files.front());
  return true;
}

std::vector<IndexedFile> ReadProjectPage(std::string_view text) {
  PageReader reader;
  if (!nlohmann::json::sax_parse(text, &reader)) return {};
  return std::move(reader.files);
}

std::vector<std::string> ReadRootPage(std::string_view text) {
  const nlohmann::json json = ParseJson(text);
  std::vector<std::string> projects;
  // A name becomes a part of a key.
  const auto add = [&](const std::string& name) {
    if (!name.empty() && NormalizeProject(name) == name) projects.push_back(name);
  };
  if (!json.is_object()) return projects;
  if (const auto list = json.find("projects"); list != json.end() && list->is_array()) {
    for (const nlohmann::json& item : *list) {
      if (item.is_object()) add(Member(item, "name"));
    }
  }
  if (const auto list = json.find("_empty"); list != json.end() && list->is_array()) {
    for (const nlohmann::json& item : *list) {
      if (item.is_string()) add(item.get<std::string>());
    }
  }
  return projects;
}

}  // namespace wheelwright
