// The text of all inputs, kept for the whole run, and positions in it.
//
// A Location is eight bytes: a file and an offset. Line and column are computed only for messages,
// so a location on every node is cheap.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

using FileId = std::uint32_t;
inline constexpr FileId kNoFile = ~FileId{0};

struct Location {
  FileId file = kNoFile;
  std::uint32_t offset = 0;  // in bytes

  bool known() const { return file != kNoFile; }
  friend auto operator<=>(const Location&, const Location&) = default;
};

struct SourceRange {
  Location begin;
  std::uint32_t length = 0;  // in bytes; 0 points between two characters

  bool known() const { return begin.known(); }
  friend auto operator<=>(const SourceRange&, const SourceRange&) = default;
};

// The part of `range` that starts `offset` bytes into it.
SourceRange Subrange(SourceRange range, std::size_t offset, std::size_t length);

// A Location as line and column. Both count from 1; columns count characters, not bytes.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Owns the text of all inputs. Files are never dropped, so views into them hold for the whole run.
// Add() is not thread safe; everything else is, once the last file was added.
class SourceManager {
 public:
  // Adds a file. Messages call it `name`: a path relative to the root, or a made-up name such as
  // "<command line>". CRLF becomes LF and a UTF-8 byte order mark is dropped.
  FileId Add(std::string name, std::string text);

  std::string_view Name(FileId file) const;
  std::string_view Text(FileId file) const;
  std::string_view Text(SourceRange range) const;

  Position PositionOf(Location location) const;
  // The line's text without its line feed. `line` counts from 1.
  std::string_view Line(FileId file, std::uint32_t line) const;
  // Offset of a line's first byte. `line` counts from 1.
  std::uint32_t LineStart(FileId file, std::uint32_t line) const;

  // "file:line:column", or "" for an unknown location.
  std::string Describe(Location location) const;
  // "file:line".
  std::string DescribeLine(Location location) const;

  // The file with that name, or kNoFile.
  FileId Find(std::string_view name) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> characters;  // before every so many bytes
  };
  std::deque<File> files_;  // a deque: views into it stay valid while it grows
};

}  // namespace wheelwright
