#include "generator/lsp/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/characters.h"
#include "base/platform/files.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::uint32_t kLastOfOneUnit = 0xFFFF;

[[noreturn]] void RefuseToWrite(const std::string& path) {
  throw FileError(fmt::format("{}: an editor's server writes no files", path));
}

std::size_t UnitsOf(std::uint32_t code) { return code > kLastOfOneUnit ? 2 : 1; }

}  // namespace

std::optional<std::string> OpenFiles::Read(const std::string& path) {
  const auto open = open_.find(path);
  return open != open_.end() ? std::optional(open->second) : files_.Read(path);
}

void OpenFiles::Write(const std::string& path, std::string_view /*text*/) { RefuseToWrite(path); }
void OpenFiles::Append(const std::string& path, std::string_view /*text*/) { RefuseToWrite(path); }
void OpenFiles::Remove(const std::string& path) { RefuseToWrite(path); }

std::string PathOfUri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, code, 16).ec == std::errc()) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return PathText(SystemPath(path).lexically_normal());
}

std::string UriOfPath(std::string_view path) {
  std::string uri(kScheme);
  for (const char c : path) {
    const bool plain =
        IsLetterOrDigit(c) || std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

EditorPosition PositionIn(std::string_view text, std::size_t offset) {
  EditorPosition position;
  offset = std::min(offset, text.size());
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end < offset; end = text.find('\n', at)) {
    ++position.line;
    at = end + 1;
  }
  while (at < offset) {
    const Utf8Character one = DecodeUtf8(text.substr(at));
    position.character += UnitsOf(one.code);
    at += std::max<std::size_t>(1, one.length);
  }
  return position;
}

std::size_t OffsetIn(std::string_view text, EditorPosition position) {
  std::size_t at = 0;
  for (; position.line > 0; --position.line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  for (std::size_t units = 0; units < position.character && at < text.size() && text[at] != '\n';) {
    const Utf8Character one = DecodeUtf8(text.substr(at));
    units += UnitsOf(one.code);
    at += std::max<std::size_t>(1, one.length);
  }
  return at;
}

std::optional<std::string> ProjectAbove(FileSystem& files, const std::string& path) {
  for (auto folder = SystemPath(path).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const std::vector<std::string> names = files.ListFolders(PathText(folder));
    if (std::ranges::count(names, "matrix") > 0 && std::ranges::count(names, "templates") > 0) {
      return PathText(folder);
    }
  }
  return std::nullopt;
}

}  // namespace wheelwright
