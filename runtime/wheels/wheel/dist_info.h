// The text files in the .dist-info folder of a wheel.
// https://packaging.python.org/specifications/binary-distribution-format/#the-dist-info-directory
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// A part of a text, for places of messages.
struct TextPart {
  std::size_t offset = 0;
  std::size_t length = 0;
};

struct RecordRow {
  std::string path;
  std::string algorithm;  // "sha256"; empty where the row has no sum
  std::string sum;        // as it is written: base 64 without padding
  std::optional<std::uint64_t> size;
  std::string problem;  // why the row cannot be read; empty when it can
  TextPart path_part{};
  TextPart sum_part{};
  TextPart size_part{};
};

// Rows of a RECORD file: comma-separated, with double quotes around paths with a comma. After
// `most` rows, a last row reports that there are more.
std::vector<RecordRow> ReadRecord(std::string_view text, std::size_t most = 1'000'000);

// The headers of METADATA and WHEEL: "Name: value" up to an empty line, and lines that start with a
// blank continue the one before.
struct Header {
  std::string name;
  std::string value;
  TextPart name_part{};
  TextPart value_part{};
};
struct Headers {
  std::vector<Header> fields;
  std::optional<TextPart> broken;  // the first line that is no header
  std::optional<TextPart> beyond;  // the first header above the limit, which was not read

  // The first header of that name, ignoring case, or null.
  const Header* Find(std::string_view name) const;
  std::size_t CountOf(std::string_view name) const;
};
// The largest METADATA of the public index, with all requirements of all extras, has some 2,000.
inline constexpr std::size_t kMostHeaders = 10'000;
Headers ReadHeaders(std::string_view text);

// The normalised names of the projects that a METADATA requires, for any extra and environment.
std::set<std::string> RequiredProjects(std::string_view metadata);
// The normalised names of the extras that a METADATA provides.
std::set<std::string> ExtrasOf(std::string_view metadata);

}  // namespace wheelwright
