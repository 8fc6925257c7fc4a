#include "generator/pins/adopt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/characters.h"
#include "base/text.h"
#include "generator/emit/quoting.h"

namespace wheelwright {
namespace {

constexpr std::string_view kDigestStart = "sha256:";

// A row of the matrix, with the cells that a bump changes.
struct Pin {
  std::string key;
  std::string_view name;
  const Node* row;
  const Node* cell;     // `sha` or `digest`
  const Node* version;  // may be null
};

// A pin in a generated file.
struct Occurrence {
  std::string_view name;
  std::string_view pin;
  std::string_view version;
};

using PinsByName = std::map<std::string_view, std::vector<const Pin*>>;

// A pin of a generated file that differs from the matrix's.
struct Candidate {
  std::string_view pin;
  std::string_view version;
  std::string file;
};

std::vector<Pin> ListPins(const Node* actions, const Node* images) {
  std::vector<Pin> pins;
  const auto add = [&](const Node* table, std::string_view title, std::string_view name_column,
                       std::string_view pin_column) {
    if (table == nullptr) return;
    for (const Entry& row : table->entries) {
      const std::string_view name = FindText(row.value, name_column);
      const Node* cell = Find(row.value, pin_column);
      if (name.empty() || cell == nullptr || !cell->is_scalar()) continue;
      const Node* version = Find(row.value, "version");
      pins.push_back({fmt::format("{}.{}", title, row.key->text), name, row.value, cell,
                      version != nullptr && version->is_scalar() && !version->text.empty()
                          ? version
                          : nullptr});
    }
  };
  add(actions, "actions", "uses", "sha");
  add(images, "images", "image", "digest");
  return pins;
}

// The SHA or digest at the front of `text`, or "".
std::string_view PinAt(std::string_view text) {
  const std::size_t start = text.starts_with(kDigestStart) ? kDigestStart.size() : 0;
  std::size_t end = start;
  while (end < text.size() && IsLowerHexDigit(text[end])) ++end;
  const std::size_t wanted = start == 0 ? 40 : 64;
  return end - start == wanted ? text.substr(0, end) : std::string_view{};
}

// The first word of the comment behind a pin.
std::string_view VersionIn(std::string_view rest) {
  const std::size_t mark = rest.find(" #");
  if (mark == std::string_view::npos) return {};
  rest.remove_prefix(mark + 2);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  rest = rest.substr(0, rest.find_first_of(" \t\r,;"));
  if (rest.starts_with("tag=")) rest.remove_prefix(4);  // as some bots write it
  return rest;
}

std::vector<Occurrence> FindOccurrences(std::string_view text, const PinsByName& pins) {
  std::vector<Occurrence> found;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    const std::string_view pin = PinAt(text.substr(at + 1, kDigestStart.size() + 65));
    if (pin.empty()) continue;
    const std::size_t before = text.find_last_of(" \t\n\"'", at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const auto known = pins.find(text.substr(start, at - start));
    if (known == pins.end()) continue;
    const std::size_t rest = at + 1 + pin.size();
    found.push_back(
        {known->first, pin,
         VersionIn(text.substr(rest, std::min(text.find('\n', rest), text.size()) - rest))});
  }
  return found;
}

// Collects the pins that differ in a file.
class Collector {
 public:
  Collector(const PinsByName& pins, Diagnostics& diagnostics)
      : pins_(pins), diagnostics_(diagnostics) {}

  void Add(const Difference::Stale& file) {
    const std::vector<Occurrence> on_disk = FindOccurrences(file.before, pins_);
    const std::vector<Occurrence> expected = FindOccurrences(file.after, pins_);
    for (const auto& [name, rows] : pins_) {
      const std::vector<Occurrence> here = Only(on_disk, name);
      const std::vector<Occurrence> there = Only(expected, name);
      for (std::size_t i = 0; i < here.size(); ++i) {
        // If several keys have the same image, the order in the file tells them apart.
        if (rows.size() > 1 && here.size() != there.size()) {
          ReportUnclear(here[i], rows, file.name);
          continue;
        }
        for (const Pin* pin : rows) {
          const bool meant = rows.size() == 1 || there[i].pin == pin->cell->text;
          if (meant && here[i].pin != pin->cell->text) {
            candidates_[pin].push_back({here[i].pin, here[i].version, file.name});
          }
        }
      }
    }
  }

  const std::vector<Candidate>& Of(const Pin& pin) { return candidates_[&pin]; }

 private:
  static std::vector<Occurrence> Only(const std::vector<Occurrence>& all, std::string_view name) {
    std::vector<Occurrence> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const Occurrence& occurrence) { return occurrence.name == name; });
    return some;
  }

  void ReportUnclear(const Occurrence& occurrence, const std::vector<const Pin*>& rows,
                     const std::string& file) {
    std::vector<std::string> keys;
    for (const Pin* pin : rows) {
      if (pin->cell->text == occurrence.pin) return;
      keys.push_back(pin->key);
    }
    diagnostics_.Report(
        {.code = "pin-unclear",
         .message = fmt::format("{} has a new pin of {}, which {} name", file, occurrence.name,
                                JoinWords(keys)),
         .where = rows.front()->row->where,
         .notes = {fmt::format("write {} into its place by hand", occurrence.pin)}});
  }

  const PinsByName& pins_;
  Diagnostics& diagnostics_;
  std::map<const Pin*, std::vector<Candidate>> candidates_;  // looked up only, never walked
};

void Refuse(const Pin& pin, std::string_view code, std::string message, std::string note,
            Diagnostics& diagnostics) {
  diagnostics.Report({.code = code,
                      .message = std::move(message),
                      .where = pin.cell->where,
                      .notes = {std::move(note)}});
}

// Whether the candidate is newer. Reports one that is neither newer nor older.
bool IsNewer(const Pin& pin, const Candidate& candidate, Diagnostics& diagnostics) {
  const std::string_view version = pin.version == nullptr ? "" : pin.version->text;
  if (version.empty() && candidate.version.empty()) return true;
  const std::optional<int> order = CompareVersions(version, candidate.version);
  if (!order) {
    Refuse(pin, "pin-version",
           fmt::format("{} has {} at another commit, but '{}' and '{}' cannot be compared",
                       candidate.file, pin.name, version, candidate.version),
           "a pin is followed by a comment with its version, such as '# v6.0.2'", diagnostics);
    return false;
  }
  if (*order == 0) {
    Refuse(pin, "pin-moved",
           fmt::format("{} has {} {} at another commit than the matrix", candidate.file, pin.name,
                       version),
           fmt::format(
               "a version does not change its commit: find out which is right before {} is used",
               candidate.pin),
           diagnostics);
    return false;
  }
  return *order < 0;
}

// Numbers between dots, and what stands behind the first '-' or '+'.
struct Version {
  std::vector<unsigned long> numbers;
  std::string_view suffix;
};

std::optional<Version> ParseVersion(std::string_view text) {
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  Version version;
  const auto is_odd = [](char c) {
    return !IsLetterOrDigit(c) && c != '.' && c != '-' && c != '+';
  };
  if (std::any_of(text.begin(), text.end(), is_odd)) return std::nullopt;
  const std::size_t behind = std::min(text.find_first_of("-+"), text.size());
  if (behind < text.size() && text[behind] == '-') version.suffix = text.substr(behind + 1);
  for (const std::string_view part : Split(text.substr(0, behind), '.')) {
    if (part.empty() || part.size() > 9 ||
        part.find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
    version.numbers.push_back(std::stoul(std::string(part)));
  }
  while (!version.numbers.empty() && version.numbers.back() == 0) version.numbers.pop_back();
  return version;
}

// A replacement of a cell's text.
struct Edit {
  SourceRange where;
  std::string text;
};

// The written form of a cell with another text, in the quotes that it has.
std::optional<Edit> EditCell(const Node& cell, std::string_view text, FileId file,
                             const SourceManager& sources) {
  if (cell.where.begin.file != file) return std::nullopt;
  const std::string_view written = sources.Text(cell.where);
  if (written == cell.text) {
    // Within brackets readers disagree on colons, but not on this one.
    const bool digest = text.starts_with(kDigestStart);
    return Edit{cell.where,
                QuoteScalar(text, digest ? ScalarPlace::kBlock : ScalarPlace::kFlowItem)};
  }
  for (const char quote : {'"', '\''}) {
    if (written == fmt::format("{0}{1}{0}", quote, cell.text)) {
      return Edit{cell.where, fmt::format("{0}{1}{0}", quote, text)};
    }
  }
  return std::nullopt;  // a column that was filled in, whose place is the row
}

}  // namespace

std::optional<int> CompareVersions(std::string_view a, std::string_view b) {
  const std::optional<Version> x = ParseVersion(a);
  const std::optional<Version> y = ParseVersion(b);
  if (!x || !y) return std::nullopt;
  if (x->numbers != y->numbers) return x->numbers < y->numbers ? -1 : 1;
  if (x->suffix == y->suffix) return 0;
  if (x->suffix.empty() != y->suffix.empty()) return x->suffix.empty() ? 1 : -1;
  return std::nullopt;  // rc9 or rc10: every project has its own order
}

std::vector<Bump> FindBumps(const Node* actions, const Node* images,
                            std::span<const Difference::Stale> stale, Diagnostics& diagnostics) {
  const std::vector<Pin> pins = ListPins(actions, images);
  PinsByName by_name;
  for (const Pin& pin : pins) by_name[pin.name].push_back(&pin);
  Collector collector(by_name, diagnostics);
  for (const Difference::Stale& file : stale) {
    if (!file.name.ends_with(".json")) collector.Add(file);
  }

  std::vector<Bump> bumps;
  for (const Pin& pin : pins) {
    std::optional<Bump> bump;
    bool agreed = true;
    for (const Candidate& candidate : collector.Of(pin)) {
      if (!IsNewer(pin, candidate, diagnostics)) continue;
      if (!bump) {
        bump = Bump{.key = pin.key,
                    .name = std::string(pin.name),
                    .old_pin = std::string(pin.cell->text),
                    .new_pin = std::string(candidate.pin),
                    .old_version = pin.version == nullptr ? "" : std::string(pin.version->text),
                    .new_version = std::string(candidate.version),
                    .files = {candidate.file},
                    .row = pin.row};
      } else if (bump->new_pin != candidate.pin || bump->new_version != candidate.version) {
        if (std::exchange(agreed, false)) {
          Refuse(pin, "pin-conflict",
                 fmt::format("{} and {} have different new pins of {}", bump->files.front(),
                             candidate.file, pin.name),
                 fmt::format("they are {} {} and {} {}: take one of them in all files",
                             bump->new_pin, bump->new_version, candidate.pin, candidate.version),
                 diagnostics);
        }
      } else if (bump->files.back() != candidate.file) {
        bump->files.push_back(candidate.file);
      }
    }
    if (bump && agreed) bumps.push_back(*std::move(bump));
  }
  return bumps;
}

std::optional<std::string> AdoptBumps(std::span<const Bump> bumps, FileId pins_file,
                                      const SourceManager& sources, Diagnostics& diagnostics) {
  std::map<SourceRange, std::string> edits;  // by place: an anchor's cell may serve several rows
  bool good = true;
  const auto edit = [&](const Bump& bump, const Node* cell, std::string_view text) {
    const std::optional<Edit> made =
        cell == nullptr ? std::nullopt : EditCell(*cell, text, pins_file, sources);
    if (made) {
      const auto [known, is_new] = edits.emplace(made->where, made->text);
      if (is_new || known->second == made->text) return;
    }
    good = false;
    diagnostics.Report({.code = "pin-place",
                        .message = fmt::format("{} cannot be changed from '{}' to '{}' here",
                                               bump.key, bump.old_pin, text),
                        .where = cell == nullptr ? bump.row->where : cell->where,
                        .notes = {"write the value into the row by hand"}});
  };
  for (const Bump& bump : bumps) {
    const Node* sha = Find(bump.row, "sha");
    edit(bump, sha != nullptr ? sha : Find(bump.row, "digest"), bump.new_pin);
    if (!bump.old_version.empty() && bump.new_version != bump.old_version) {
      edit(bump, Find(bump.row, "version"), bump.new_version);
    }
  }
  if (!good) return std::nullopt;

  std::string text(sources.Text(pins_file));
  for (auto made = edits.rbegin(); made != edits.rend(); ++made) {
    text.replace(made->first.begin.offset, made->first.length, made->second);
  }
  return text;
}

}  // namespace wheelwright
