#include "generator/output/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generator/output/line_changes.h"

namespace wheelwright {
namespace {

enum class Side : char { kBoth = ' ', kBefore = '-', kAfter = '+' };

struct DiffLine {
  Side side;
  std::string_view text;  // with its line feed, if it has one
};

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// Both texts as one list of lines, removed ones before added ones.
std::vector<DiffLine> Compare(std::span<const std::string_view> before,
                              std::span<const std::string_view> after) {
  std::unordered_map<std::string_view, int> numbers;
  const auto number = [&](std::span<const std::string_view> lines) {
    std::vector<int> numbered;
    numbered.reserve(lines.size());
    for (const std::string_view line : lines) {
      numbered.push_back(numbers.emplace(line, static_cast<int>(numbers.size())).first->second);
    }
    return numbered;
  };
  const std::vector<int> numbered_before = number(before);
  const std::vector<int> numbered_after = number(after);
  const LineChanges changes =
      FindLineChanges(numbered_before, numbered_after, static_cast<int>(numbers.size()));

  std::vector<DiffLine> lines;
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < before.size() || y < after.size()) {
    if (x < before.size() && changes.removed[x]) {
      lines.push_back({Side::kBefore, before[x++]});
    } else if (y < after.size() && changes.added[y]) {
      lines.push_back({Side::kAfter, after[y++]});
    } else {
      lines.push_back({Side::kBoth, before[x++]});
      ++y;
    }
  }
  return lines;
}

// "start,count" of a hunk. For no lines, `start` is the line before.
std::string HunkRange(std::size_t lines_before, std::size_t count) {
  if (count == 1) return fmt::format("{}", lines_before + 1);
  return fmt::format("{},{}", count == 0 ? lines_before : lines_before + 1, count);
}

void AppendPainted(std::string& out, std::string_view code, std::string_view text, bool color) {
  if (color && !code.empty()) {
    fmt::format_to(std::back_inserter(out), "\x1b[{}m{}\x1b[0m\n", code, text);
  } else {
    out += text;
    out += '\n';
  }
}

void AppendLine(std::string& out, const DiffLine& line, bool color) {
  const bool complete = line.text.ends_with('\n');
  const std::string_view text = line.text.substr(0, line.text.size() - (complete ? 1 : 0));
  const std::string_view code = line.side == Side::kBefore  ? "31"
                                : line.side == Side::kAfter ? "32"
                                                            : "";
  AppendPainted(out, code, fmt::format("{}{}", static_cast<char>(line.side), text), color);
  if (!complete) out += "\\ No newline at end of file\n";
}

}  // namespace

std::string UnifiedDiff(std::string_view before, std::string_view after,
                        const DiffOptions& options) {
  if (before == after) return "";
  const std::vector<DiffLine> lines = Compare(SplitLines(before), SplitLines(after));
  std::string out;
  AppendPainted(out, "1", fmt::format("--- {}", options.before_label), options.color);
  AppendPainted(out, "1", fmt::format("+++ {}", options.after_label), options.color);

  const auto is_change = [](const DiffLine& line) { return line.side != Side::kBoth; };
  std::size_t counted = 0;  // lines up to here are in the two counters
  std::size_t in_before = 0;
  std::size_t in_after = 0;
  const auto count_to = [&](std::size_t end) {
    for (; counted < end; ++counted) {
      if (lines[counted].side != Side::kAfter) ++in_before;
      if (lines[counted].side != Side::kBefore) ++in_after;
    }
  };
  auto change = std::find_if(lines.begin(), lines.end(), is_change);
  while (change != lines.end()) {
    const auto at = static_cast<std::size_t>(change - lines.begin());
    const std::size_t first = at - std::min(at - counted, options.context);
    // Changes with overlapping context are one hunk.
    auto end = change;
    while (change != lines.end() && static_cast<std::size_t>(change - end) <= 2 * options.context) {
      end = std::find_if_not(change, lines.end(), is_change);
      change = std::find_if(end, lines.end(), is_change);
    }
    const std::size_t last =
        std::min(static_cast<std::size_t>(end - lines.begin()) + options.context, lines.size());
    count_to(first);
    const std::size_t before_start = in_before;
    const std::size_t after_start = in_after;
    count_to(last);
    AppendPainted(out, "36",
                  fmt::format("@@ -{} +{} @@", HunkRange(before_start, in_before - before_start),
                              HunkRange(after_start, in_after - after_start)),
                  options.color);
    for (std::size_t i = first; i < last; ++i) AppendLine(out, lines[i], options.color);
  }
  return out;
}

}  // namespace wheelwright
