#include "generator/output/change_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/characters.h"
#include "base/text.h"
#include "generator/output/line_changes.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongestValue = 43;  // characters of a value in a statement

// Statements without duplicates, each with its jobs or files, in the order of their first
// occurrence.
class Statements {
 public:
  explicit Statements(bool jobs) : jobs_(jobs) {}

  void Add(const std::string& text) {
    const auto [known, is_new] = places_.emplace(text, lines_.size());
    if (is_new) lines_.push_back({ChangeSummary::Mark::kChanged, 0, jobs_, text});
    ++lines_[known->second].count;
  }

  void AppendTo(std::vector<ChangeSummary::Line>& lines) {
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    std::move(lines_.begin(), lines_.end(), std::back_inserter(lines));
  }

 private:
  bool jobs_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<ChangeSummary::Line> lines_;
};

std::string FirstLine(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end != std::string_view::npos) return fmt::format("{}...", text.substr(0, end));
  return Shorten(text, kLongestValue);
}

std::string ShowValue(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return "null";
    case NodeKind::kSequence:
      return Count(node.items.size(), "item");
    case NodeKind::kMapping:
      return Count(node.entries.size(), "entry", "entries");
    case NodeKind::kString:
      return node.text.empty() ? "''" : FirstLine(node.text);
    default:
      return FirstLine(node.text);
  }
}

// The parts of two texts that differ, from word to word, with an ellipsis for what is equal.
std::pair<std::string, std::string> DifferingParts(std::string_view before,
                                                   std::string_view after) {
  const auto is_part = [](char c) { return c != ' ' && c != '/' && c != ','; };
  std::size_t front = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (front < shorter && before[front] == after[front]) ++front;
  while (front > 0 && is_part(before[front - 1])) --front;
  std::size_t back = 0;
  while (back < shorter - front &&
         before[before.size() - 1 - back] == after[after.size() - 1 - back]) {
    ++back;
  }
  while (back > 0 && is_part(before[before.size() - back])) --back;
  const auto part_of = [&](std::string_view text) {
    const std::string_view part = text.substr(front, text.size() - front - back);
    return fmt::format("{}{}{}", front == 0 ? "" : "...", Shorten(part, kLongestValue),
                       back == 0 ? "" : "...");
  };
  return {part_of(before), part_of(after)};
}

// A value such as "owner/name@0123..." or "image@sha256:0123...", cut at the '@'.
std::optional<std::pair<std::string_view, std::string_view>> ReadPin(const Node& value) {
  const std::size_t at = value.text.rfind('@');
  if (!value.is_string() || at == std::string_view::npos) return std::nullopt;
  std::string_view digits = value.text.substr(at + 1);
  if (digits.starts_with("sha256:")) digits.remove_prefix(7);
  constexpr std::size_t kShortest = 40;
  if (digits.size() < kShortest) return std::nullopt;
  if (!AreLowerHexDigits(digits)) return std::nullopt;
  return std::pair{value.text.substr(0, at), digits};
}

// The version in the comment behind a pin, or the first digits of the commit.
std::string_view VersionOf(const Entry& entry, std::string_view digits, bool by_comment) {
  std::string_view comment =
      entry.key->comments == nullptr ? std::string_view() : entry.key->comments->trailing;
  comment = comment.substr(std::min(comment.find_first_not_of("# "), comment.size()));
  constexpr std::size_t kShort = 7;
  return by_comment && !comment.empty() ? comment : digits.substr(0, kShort);
}

// The lines that one of two texts has and the other has not: "- make + make -j2".
std::string DifferingLines(std::string_view before, std::string_view after) {
  constexpr std::size_t kMostLines = 4;
  const std::vector<std::string_view> befores = Split(before, '\n'), afters = Split(after, '\n');
  std::unordered_map<std::string_view, int> numbers;
  const auto numbers_of = [&](const std::vector<std::string_view>& lines) {
    std::vector<int> found;
    for (const std::string_view line : lines) {
      found.push_back(numbers.emplace(line, static_cast<int>(numbers.size())).first->second);
    }
    return found;
  };
  const std::vector<int> old_numbers = numbers_of(befores), new_numbers = numbers_of(afters);
  const LineChanges changes =
      FindLineChanges(old_numbers, new_numbers, static_cast<int>(numbers.size()));
  std::vector<std::string> said;
  const auto say = [&](const std::vector<std::string_view>& lines, const std::vector<bool>& which,
                       char mark) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view line = Trim(lines[i]);
      if (which[i] && !line.empty()) {
        said.push_back(fmt::format("{} {}", mark, Shorten(line, kLongestValue)));
      }
    }
  };
  say(befores, changes.removed, '-');
  say(afters, changes.added, '+');
  if (said.empty()) return "blank lines changed";
  const std::size_t more = said.size() > kMostLines ? said.size() - kMostLines : 0;
  said.resize(said.size() - more);
  if (more > 0) said.push_back(fmt::format("and {}", Count(more, "more line")));
  return fmt::format("{}", fmt::join(said, " "));
}

// Describes the differences of two trees by paths from their root.
class Comparison {
 public:
  void Compare(const Node& before, const Node& after, const std::string& path) {
    if (SameContent(before, after)) return;
    if (before.is_mapping() && after.is_mapping()) {
      CompareMappings(before, after, path);
    } else if (before.is_sequence() && after.is_sequence()) {
      CompareSequences(before, after, path);
    } else if (before.is_string() && after.is_string() &&
               (before.text.find('\n') != std::string_view::npos ||
                after.text.find('\n') != std::string_view::npos)) {
      Say("{}: {}", path, DifferingLines(before.text, after.text));
    } else if (before.is_string() && after.is_string() &&
               std::max(before.text.size(), after.text.size()) > kLongestValue) {
      const auto [old_part, new_part] = DifferingParts(before.text, after.text);
      Say("{}: {} -> {}", path, old_part, new_part);
    } else {
      Say("{}: {} -> {}", path, ShowValue(before), ShowValue(after));
    }
  }

  // `skipped` is a key to skip, or empty.
  void CompareMappings(const Node& before, const Node& after, const std::string& path,
                       std::string_view skipped = {}) {
    const auto is_skipped = [&](const Entry& entry) {
      return !skipped.empty() && entry.key->text == skipped;
    };
    for (const Entry& entry : before.entries) {
      if (is_skipped(entry)) continue;
      const Node* other = Find(&after, entry.key->text);
      if (other == nullptr) {
        Say("{}: removed", Join(path, entry.key->text));
      } else {
        CompareValues(entry, *FindEntry(&after, entry.key->text), Join(path, entry.key->text));
      }
    }
    for (const Entry& entry : after.entries) {
      if (is_skipped(entry) || FindEntry(&before, entry.key->text) != nullptr) continue;
      if (entry.value->is_scalar()) {
        Say("{}: added, {}", Join(path, entry.key->text), ShowValue(*entry.value));
      } else {
        Say("{}: added", Join(path, entry.key->text));
      }
    }
  }

  const std::vector<std::string>& statements() const { return statements_; }

 private:
  template <typename... Parts>
  void Say(fmt::format_string<Parts...> format, Parts&&... parts) {
    statements_.push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }

  // Pins of the same thing differ in their version.
  void CompareValues(const Entry& before, const Entry& after, const std::string& path) {
    const auto old_pin = ReadPin(*before.value), new_pin = ReadPin(*after.value);
    if (!old_pin || !new_pin || old_pin->first != new_pin->first ||
        old_pin->second == new_pin->second) {
      return Compare(*before.value, *after.value, path);
    }
    const std::string_view version = VersionOf(before, old_pin->second, true);
    const bool moved = version == VersionOf(after, new_pin->second, true);
    Say("{}: {} {} -> {}", path, old_pin->first, VersionOf(before, old_pin->second, !moved),
        VersionOf(after, new_pin->second, !moved));
  }

  static std::string Join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  void CompareSequences(const Node& before, const Node& after, const std::string& path) {
    const auto is_scalar = [](const Node* item) { return item->is_scalar(); };
    if (std::all_of(before.items.begin(), before.items.end(), is_scalar) &&
        std::all_of(after.items.begin(), after.items.end(), is_scalar)) {
      CompareLists(before, after, path);
    } else if (before.items.size() == after.items.size()) {
      for (std::size_t i = 0; i < after.items.size(); ++i) {
        Compare(*before.items[i], *after.items[i], ItemPath(*after.items[i], path, i));
      }
    } else {
      Say("{}: {} -> {}", path, Count(before.items.size(), "item"),
          Count(after.items.size(), "item"));
    }
  }

  // A step is identified by its name, if it has one.
  static std::string ItemPath(const Node& item, const std::string& path, std::size_t index) {
    const std::string_view name = FindText(&item, "name");
    return name.empty() ? fmt::format("{}[{}]", path, index) : fmt::format("{}['{}']", path, name);
  }

  void CompareLists(const Node& before, const Node& after, const std::string& path) {
    const std::string gone = Missing(before, after, '-');
    const std::string come = Missing(after, before, '+');
    if (gone.empty() && come.empty()) {
      Say("{}: another order or count", path);
    } else {
      Say("{}:{}{}", path, come, gone);
    }
  }

  // " - a - b": the items of `list` that `other` does not hold.
  static std::string Missing(const Node& list, const Node& other, char mark) {
    std::set<std::string_view> held;
    for (const Node* item : other.items) held.insert(item->text);
    std::string text;
    for (const Node* item : list.items) {
      if (held.count(item->text) == 0) text += fmt::format(" {} {}", mark, ShowValue(*item));
    }
    return text;
  }

  std::vector<std::string> statements_;
};

// The numbers of `ids` by first word: "20 build, 20 test". Lists a few ids by name.
std::string CountByWord(const std::vector<std::string_view>& ids) {
  if (ids.size() <= 3) return fmt::format("{}", fmt::join(ids, ", "));
  std::vector<std::pair<std::string_view, std::size_t>> words;
  for (const std::string_view id : ids) {
    const std::string_view word = id.substr(0, id.find_first_of("_-"));
    const auto known = std::find_if(words.begin(), words.end(),
                                    [&](const auto& entry) { return entry.first == word; });
    if (known == words.end()) {
      words.emplace_back(word, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [word, count] : words) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", WithThousands(count), word);
  }
  return text;
}

// The ids of the jobs in `of` that are not in `other`.
std::vector<std::string_view> OtherJobs(const Node* of, const Node* other) {
  std::vector<std::string_view> ids;
  if (of == nullptr) return ids;
  for (const Entry& entry : of->entries) {
    if (FindEntry(other, entry.key->text) == nullptr) ids.push_back(entry.key->text);
  }
  return ids;
}

}  // namespace

ChangeSummary SummarizeChanges(std::span<const WorkflowPair> pairs) {
  ChangeSummary summary;
  Statements of_jobs(true);
  Statements of_files(false);
  const auto add_jobs = [&](ChangeSummary::Mark mark, std::string_view file, const Node* of,
                            const Node* other) {
    const std::vector<std::string_view> ids = OtherJobs(of, other);
    if (ids.empty()) return;
    summary.lines.push_back(
        {mark, ids.size(), true, fmt::format("{}: {}", file, CountByWord(ids))});
  };
  const auto jobs_of = [](const Node* workflow) { return Find(workflow, "jobs"); };
  for (const WorkflowPair& pair : pairs) {
    add_jobs(ChangeSummary::Mark::kAdded, pair.name, jobs_of(pair.after), jobs_of(pair.before));
  }
  for (const WorkflowPair& pair : pairs) {
    add_jobs(ChangeSummary::Mark::kRemoved, pair.name, jobs_of(pair.before), jobs_of(pair.after));
  }
  for (const WorkflowPair& pair : pairs) {
    if (pair.before == nullptr || pair.after == nullptr) continue;
    const Node* before = jobs_of(pair.before);
    const Node* after = jobs_of(pair.after);
    if (before != nullptr && after != nullptr) {
      for (const Entry& job : before->entries) {
        const Node* other = Find(after, job.key->text);
        if (other == nullptr) continue;
        Comparison comparison;
        comparison.Compare(*job.value, *other, "");
        for (const std::string& statement : comparison.statements()) of_jobs.Add(statement);
      }
    }
    Comparison comparison;
    const bool both_mappings = pair.before->is_mapping() && pair.after->is_mapping();
    if (both_mappings) {
      comparison.CompareMappings(*pair.before, *pair.after, "", "jobs");
    } else {
      comparison.Compare(*pair.before, *pair.after, "document");
    }
    for (const std::string& statement : comparison.statements()) of_files.Add(statement);
  }
  of_jobs.AppendTo(summary.lines);
  of_files.AppendTo(summary.lines);
  return summary;
}

std::string Render(const ChangeSummary& summary, std::size_t most, bool color) {
  const std::size_t shown = std::min(most, summary.lines.size());
  std::vector<std::string> heads;
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const ChangeSummary::Line& line = summary.lines[i];
    heads.push_back(Count(line.count, line.jobs ? "job" : "file"));
    width = std::max(width, heads.back().size());
  }
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const ChangeSummary::Line& line = summary.lines[i];
    const char mark = static_cast<char>(line.mark);
    const std::string_view code = mark == '+' ? "32" : mark == '-' ? "31" : "33";
    const std::string head =
        color ? fmt::format("\x1b[{}m{}\x1b[0m", code, mark) : std::string(1, mark);
    fmt::format_to(std::back_inserter(out), "  {} {:<{}}  {}\n", head, heads[i], width, line.text);
  }
  if (shown < summary.lines.size()) {
    fmt::format_to(std::back_inserter(out), "  and {}\n",
                   Count(summary.lines.size() - shown, "more change"));
  }
  return out;
}

}  // namespace wheelwright
