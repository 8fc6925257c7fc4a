#include "runtime/wheel/dist_info.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace wheelwright {
namespace {

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

struct Field {
  std::string value;
  TextPart part{};
};

// Splits at commas outside of quotes. False where a quote is never closed.
bool SplitRow(std::string_view line, std::size_t offset, std::vector<Field>& fields) {
  std::size_t at = 0;
  while (true) {
    Field field;
    const std::size_t begin = at;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at == line.size()) return false;
        if (line[at] == '"') {
          if (at + 1 == line.size() || line[at + 1] != '"') break;
          ++at;
        }
        field.value += line[at];
      }
      ++at;
    }
    while (at < line.size() && line[at] != ',') field.value += line[at++];
    field.part = {offset + begin, at - begin};
    fields.push_back(std::move(field));
    if (at == line.size()) return true;
    ++at;
  }
}

RecordRow ReadRow(std::string_view line, std::size_t offset) {
  RecordRow row{.path_part = {offset, line.size()}};
  std::vector<Field> fields;
  if (!SplitRow(line, offset, fields)) {
    row.problem = "a quote is never closed";
    return row;
  }
  if (fields.size() != 3) {
    row.problem = "it has not three fields";
    return row;
  }
  row.path = fields[0].value;
  row.path_part = fields[0].part;
  row.sum_part = fields[1].part;
  row.size_part = fields[2].part;
  if (!fields[1].value.empty()) {
    const std::size_t equals = fields[1].value.find('=');
    if (equals == std::string::npos) {
      row.problem = "its sum is not ALGORITHM=SUM";
      return row;
    }
    row.algorithm = fields[1].value.substr(0, equals);
    row.sum = fields[1].value.substr(equals + 1);
    while (row.sum.ends_with('=')) row.sum.pop_back();
  }
  if (const std::string& size = fields[2].value; !size.empty()) {
    std::uint64_t number = 0;
    const char* const end = size.data() + size.size();
    if (std::from_chars(size.data(), end, number).ptr != end) {
      row.problem = "its size is no number";
      return row;
    }
    row.size = number;
  }
  return row;
}

}  // namespace

std::vector<RecordRow> ReadRecord(std::string_view text) {
  std::vector<RecordRow> rows;
  std::size_t offset = 0;
  for (const std::string_view line : Split(text, '\n')) {
    const std::string_view row = WithoutReturn(line);
    if (!row.empty()) rows.push_back(ReadRow(row, offset));
    offset += line.size() + 1;
  }
  return rows;
}

const Header* Headers::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      fields, [&](const Header& field) { return EqualsIgnoringCase(field.name, name); });
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Headers::CountOf(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields, [&](const Header& field) { return EqualsIgnoringCase(field.name, name); }));
}

Headers ReadHeaders(std::string_view text) {
  Headers headers;
  std::size_t offset = 0;
  for (const std::string_view whole : Split(text, '\n')) {
    const std::string_view line = WithoutReturn(whole);
    const std::size_t begin = offset;
    offset += whole.size() + 1;
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!headers.fields.empty()) {
        headers.fields.back().value += "\n" + std::string(Trim(line));
        continue;
      }
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      if (!headers.broken) headers.broken = TextPart{begin, line.size()};
      continue;
    }
    const std::string_view value = Trim(line.substr(colon + 1));
    const std::size_t value_begin =
        value.empty() ? begin + line.size()
                      : begin + static_cast<std::size_t>(value.data() - line.data());
    headers.fields.push_back({.name = std::string(line.substr(0, colon)),
                              .value = std::string(value),
                              .name_part = {begin, colon},
                              .value_part = {value_begin, value.size()}});
  }
  return headers;
}

}  // namespace wheelwright
