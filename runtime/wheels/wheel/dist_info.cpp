#include "runtime/wheels/wheel/dist_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Iterates over lines without a list, because a hostile text may have millions of them.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool Next() {
    if (next_ > text_.size()) return false;
    offset_ = next_;
    const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
    line_ = WithoutReturn(text_.substr(offset_, end - offset_));
    next_ = end + 1;
    return true;
  }
  std::string_view line() const { return line_; }
  std::size_t offset() const { return offset_; }

 private:
  std::string_view text_, line_;
  std::size_t offset_ = 0, next_ = 0;
};

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
    row.size = ReadWholeNumber(size);
    if (!row.size) row.problem = "its size is no number";
  }
  return row;
}

}  // namespace

std::vector<RecordRow> ReadRecord(std::string_view text, std::size_t most) {
  std::vector<RecordRow> rows;
  for (Lines lines(text); lines.Next();) {
    if (lines.line().empty()) continue;
    if (rows.size() == most) {
      rows.push_back({.problem = fmt::format("it is one too many: {} are read at most", most),
                      .path_part = {lines.offset(), lines.line().size()}});
      break;
    }
    rows.push_back(ReadRow(lines.line(), lines.offset()));
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
  for (Lines lines(text); lines.Next();) {
    const std::string_view line = lines.line();
    const std::size_t begin = lines.offset();
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
    if (headers.fields.size() == kMostHeaders) {
      headers.beyond = TextPart{begin, line.size()};
      break;
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

std::set<std::string> RequiredProjects(std::string_view metadata) {
  std::set<std::string> projects;
  for (const Header& header : ReadHeaders(metadata).fields) {
    if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
    if (const auto wanted = ReadRequirement(header.value)) {
      projects.insert(NormalizeProject(wanted->name));
    }
  }
  return projects;
}

std::set<std::string> ExtrasOf(std::string_view metadata) {
  std::set<std::string> extras;
  for (const Header& header : ReadHeaders(metadata).fields) {
    if (!EqualsIgnoringCase(header.name, "Provides-Extra")) continue;
    extras.insert(NormalizeProject(Trim(header.value)));
  }
  return extras;
}

}  // namespace wheelwright
