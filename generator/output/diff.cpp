#include "generator/output/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <dtl/dtl.hpp>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

enum class Side : char { kBoth = ' ', kBefore = '-', kAfter = '+' };

struct DiffLine {
  Side side;
  std::string_view text;  // with its line feed, if it has one
};

std::vector<std::string_view> Lines(std::string_view text) {
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
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }

  // Numbers for lines, so that dtl compares and copies nothing larger.
  std::unordered_map<std::string_view, int> numbers;
  const auto number = [&](std::span<const std::string_view> lines) {
    std::vector<int> numbered;
    for (const std::string_view line : lines.subspan(head, lines.size() - head - tail)) {
      numbered.push_back(numbers.emplace(line, static_cast<int>(numbers.size())).first->second);
    }
    return numbered;
  };
  dtl::Diff<int> diff(number(before), number(after));
  diff.compose();

  std::vector<DiffLine> lines;
  std::vector<DiffLine> added;  // wait until the removed lines beside them are out
  const auto flush = [&] {
    lines.insert(lines.end(), added.begin(), added.end());
    added.clear();
  };
  for (const std::string_view line : before.first(head)) lines.push_back({Side::kBoth, line});
  std::size_t in_before = head;
  std::size_t in_after = head;
  for (const auto& [_, element] : diff.getSes().getSequence()) {
    if (element.type == dtl::SES_DELETE) {
      lines.push_back({Side::kBefore, before[in_before++]});
    } else if (element.type == dtl::SES_ADD) {
      added.push_back({Side::kAfter, after[in_after++]});
    } else {
      flush();
      lines.push_back({Side::kBoth, before[in_before++]});
      ++in_after;
    }
  }
  flush();
  for (const std::string_view line : before.last(tail)) lines.push_back({Side::kBoth, line});
  return lines;
}

// "start,count" of a hunk. Without a line, the one before it is named.
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
  const std::vector<DiffLine> lines = Compare(Lines(before), Lines(after));
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
    // Changes that would share context are one hunk.
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
