#include "base/source.h"

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kStride = 1024;  // bytes from one count of characters to the next

}  // namespace

SourceRange Subrange(SourceRange range, std::size_t offset, std::size_t length) {
  return {{range.begin.file, range.begin.offset + static_cast<std::uint32_t>(offset)},
          static_cast<std::uint32_t>(length)};
}

FileId SourceManager::Add(std::string name, std::string text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (text.find('\r') != std::string::npos) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') plain += text[i];
    }
    text = std::move(plain);
  }
  std::vector<std::uint32_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<std::uint32_t>(at + 1));
  }
  // Makes columns in lines of several megabytes cheap to compute.
  std::vector<std::uint32_t> characters{0};
  for (std::size_t at = 0; at + kStride <= text.size(); at += kStride) {
    characters.push_back(characters.back() + static_cast<std::uint32_t>(CountCharacters(
                                                 std::string_view(text).substr(at, kStride))));
  }
  files_.push_back({std::move(name), std::move(text), std::move(starts), std::move(characters)});
  return static_cast<FileId>(files_.size() - 1);
}

std::string_view SourceManager::Name(FileId file) const { return files_[file].name; }

std::string_view SourceManager::Text(FileId file) const { return files_[file].text; }

std::string_view SourceManager::Text(SourceRange range) const {
  return Text(range.begin.file).substr(range.begin.offset, range.length);
}

Position SourceManager::PositionOf(Location location) const {
  const File& file = files_[location.file];
  const auto next =
      std::upper_bound(file.line_starts.begin(), file.line_starts.end(), location.offset);
  const auto line = static_cast<std::uint32_t>(next - file.line_starts.begin());
  const std::uint32_t start = file.line_starts[line - 1];
  const auto before = [&](std::uint32_t offset) {
    const std::size_t block = std::min(offset / kStride, file.characters.size() - 1);
    const auto rest = std::string_view(file.text).substr(block * kStride, offset - block * kStride);
    return file.characters[block] + static_cast<std::uint32_t>(CountCharacters(rest));
  };
  return {line, before(location.offset) - before(start) + 1};
}

std::string_view SourceManager::Line(FileId file, std::uint32_t line) const {
  const std::uint32_t start = LineStart(file, line);
  const std::string_view rest = Text(file).substr(start);
  return rest.substr(0, rest.find('\n'));
}

std::uint32_t SourceManager::LineStart(FileId file, std::uint32_t line) const {
  return files_[file].line_starts[line - 1];
}

std::string SourceManager::Describe(Location location) const {
  if (!location.known()) return "";
  const Position position = PositionOf(location);
  return DescribeLine(location) + ":" + std::to_string(position.column);
}

std::string SourceManager::DescribeLine(Location location) const {
  if (!location.known()) return "";
  return std::string(Name(location.file)) + ":" + std::to_string(PositionOf(location).line);
}

FileId SourceManager::Find(std::string_view name) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].name == name) return static_cast<FileId>(i);
  }
  return kNoFile;
}

}  // namespace wheelwright
