#include "generator/output/diff.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

std::string Diff(std::string_view before, std::string_view after, bool color = false) {
  return UnifiedDiff(before, after,
                     {.before_label = "a.yml", .after_label = "new", .color = color});
}

std::string Numbers(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

// The new text, by applying the diff to the old one.
std::string Patch(std::string_view before, std::string_view diff) {
  std::string result;
  std::size_t line = 1;
  bool removed = false;
  const auto next_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
  };
  while (!diff.empty()) {
    const std::string_view entry = next_line(diff);
    if (entry.starts_with("---") || entry.starts_with("+++")) continue;
    const bool was_removed = std::exchange(removed, entry[0] == '-');
    if (entry.starts_with("@@ -")) {
      const std::string range(entry.substr(4, entry.find(' ', 4) - 4));
      std::size_t start = std::stoul(range);
      if (range.ends_with(",0")) ++start;
      for (; line < start; ++line) result += next_line(before);
    } else if (entry[0] == '\\') {
      if (!was_removed) result.pop_back();
    } else if (entry[0] == '+') {
      result += entry.substr(1);
    } else {
      const std::string_view old = next_line(before);
      ++line;
      REQUIRE(old.substr(0, entry.size() - 2) == entry.substr(1, entry.size() - 2));
      if (entry[0] == ' ') result += entry.substr(1);
    }
  }
  result += before;
  return result;
}

TEST_CASE("Equal texts have no diff") {
  CHECK(Diff("", "") == "");
  CHECK(Diff("a\n", "a\n") == "");
}

TEST_CASE("A change stands between three lines of context") {
  std::string after = Numbers(1, 10);
  after.replace(after.find("5\n"), 2, "five\nfive and a half\n");
  CHECK(
      Diff(Numbers(1, 10), after) ==
      "--- a.yml\n+++ new\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+five and a half\n 6\n 7\n 8\n");
}

TEST_CASE("Changes that are close share a hunk") {
  std::string after = Numbers(1, 30);
  after.replace(after.find("5\n"), 2, "five\n");
  after.replace(after.find("12\n"), 3, "twelve\n");
  after.replace(after.find("20\n"), 3, "");
  CHECK(Diff(Numbers(1, 30), after) ==
        "--- a.yml\n+++ new\n@@ -2,14 +2,14 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n 11\n"
        "-12\n+twelve\n 13\n 14\n 15\n@@ -17,7 +17,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n");
}

TEST_CASE("New, removed and unfinished texts") {
  CHECK(Diff("", "a\nb\n") == "--- a.yml\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  CHECK(Diff("a\n", "") == "--- a.yml\n+++ new\n@@ -1 +0,0 @@\n-a\n");
  CHECK(Diff("a\nb", "a\nb\n") ==
        "--- a.yml\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

TEST_CASE("Colours mark the lines") {
  CHECK(Diff("a\n", "b\n", true) ==
        "\x1b[1m--- a.yml\x1b[0m\n\x1b[1m+++ new\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n"
        "\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n");
}

TEST_CASE("A diff turns the old text into the new one") {
  std::mt19937 random(1);
  const auto text = [&] {
    std::string made;
    for (std::uint32_t i = static_cast<std::uint32_t>(random() % 40); i > 0; --i) {
      made += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    }
    if (!made.empty() && random() % 4 == 0) made.pop_back();
    return made;
  };
  for (int i = 0; i < 1000; ++i) {
    const std::string before = text();
    const std::string after = text();
    INFO(before << "=====\n" << after << "=====\n" << Diff(before, after));
    REQUIRE(Patch(before, Diff(before, after)) == after);
  }
}

std::size_t ChangesIn(std::string_view diff) {
  std::size_t changes = 0;
  for (std::size_t at = diff.find('\n'); at + 1 < diff.size(); at = diff.find('\n', at + 1)) {
    const std::string_view line = diff.substr(at + 1);
    if (line.starts_with("+++")) continue;
    if (line[0] == '+' || line[0] == '-') ++changes;
  }
  return changes;
}

// The length of the shortest diff, by the textbook.
std::size_t FewestChanges(std::string_view before, std::string_view after) {
  std::vector<std::vector<std::size_t>> table(before.size() + 1,
                                              std::vector<std::size_t>(after.size() + 1));
  for (std::size_t i = 0; i <= before.size(); ++i) {
    for (std::size_t j = 0; j <= after.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
      } else if (before[i - 1] == after[j - 1]) {
        table[i][j] = table[i - 1][j - 1];
      } else {
        table[i][j] = 1 + std::min(table[i - 1][j], table[i][j - 1]);
      }
    }
  }
  return table[before.size()][after.size()];
}

TEST_CASE("No shorter diff exists") {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    std::string letters[2];
    std::string texts[2];
    for (int side = 0; side < 2; ++side) {
      for (auto length = random() % 30; length > 0; --length) {
        letters[side] += static_cast<char>('a' + random() % 3);
        texts[side] += letters[side].back();
        texts[side] += '\n';
      }
    }
    REQUIRE(ChangesIn(Diff(texts[0], texts[1])) == FewestChanges(letters[0], letters[1]));
  }
}

TEST_CASE("Large texts that have little or only the order in common are still compared") {
  const std::string before = Numbers(1, 10000);
  const std::string other = Numbers(20000, 29999);
  CHECK(Patch(before, Diff(before, other)) == other);
  std::string shuffled;
  for (int i = 0; i < 10000; ++i) shuffled += std::to_string(i * 7919 % 10000 + 1) + "\n";
  CHECK(Patch(before, Diff(before, shuffled)) == shuffled);
}

}  // namespace
}  // namespace wheelwright
