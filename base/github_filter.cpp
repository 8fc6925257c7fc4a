#include "base/github_filter.h"

#include <algorithm>
#include <bitset>
#include <vector>

namespace wheelwright {
namespace {

using Characters = std::bitset<256>;

constexpr std::size_t Index(char c) { return static_cast<unsigned char>(c); }

// A part of a pattern: a set of characters and how often they may occur.
struct Part {
  Characters characters;
  bool optional = false;
  bool repeated = false;
  bool folders = false;  // "**/": nothing, or any text that ends in a slash
};

// "[a-z0-9]" at the front of the pattern; gives its length, or 0 when it is not closed.
std::size_t ReadSet(std::string_view pattern, Characters& characters) {
  const std::size_t end = pattern.find(']', 1);
  if (end == std::string_view::npos) return 0;
  for (std::size_t i = 1; i < end; ++i) {
    const bool range = i + 2 < end && pattern[i + 1] == '-';
    const std::size_t last = Index(pattern[range ? i + 2 : i]);
    for (std::size_t c = Index(pattern[i]); c <= last; ++c) characters.set(c);
    if (range) i += 2;
  }
  return end + 1;
}

std::vector<Part> ReadPattern(std::string_view pattern) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    Part part;
    if (c == '*') {
      part = {.characters = Characters().set(), .optional = true, .repeated = true};
      if (pattern.substr(i, 2) != "**") {
        part.characters.reset(Index('/'));
      } else if (++i; pattern.substr(i + 1, 1) == "/" && (i < 2 || pattern[i - 2] == '/')) {
        part.folders = true;
        ++i;
      }
    } else if (c == '?' && !parts.empty()) {
      parts.back().optional = true;
      continue;
    } else if (c == '+' && !parts.empty()) {
      parts.back().repeated = true;
      continue;
    } else if (const std::size_t length =
                   c == '[' ? ReadSet(pattern.substr(i), part.characters) : 0;
               length > 0) {
      i += length - 1;
    } else {
      part.characters.set(Index(c));
    }
    parts.push_back(part);
  }
  return parts;
}

// Tracks all possible matches at once (an NFA), so that no pattern takes more than quadratic time.
bool Matches(std::string_view pattern, std::string_view name) {
  std::vector<char> reached(name.size() + 1, 0);
  reached[0] = 1;
  for (const Part& part : ReadPattern(pattern)) {
    std::vector<char> next(reached.size(), 0);
    for (std::size_t from = 0; from < reached.size(); ++from) {
      if (reached[from] == 0) continue;
      if (part.optional) next[from] = 1;
      for (std::size_t at = from; at < name.size() && part.characters[Index(name[at])]; ++at) {
        if (!part.folders || name[at] == '/') next[at + 1] = 1;
        if (!part.repeated) break;
      }
    }
    reached = std::move(next);
  }
  return reached.back() != 0;
}

}  // namespace

bool MatchesGitHubFilter(std::span<const std::string> patterns, std::string_view name) {
  const auto last = std::find_if(patterns.rbegin(), patterns.rend(), [&](std::string_view pattern) {
    return Matches(pattern.starts_with('!') ? pattern.substr(1) : pattern, name);
  });
  return last != patterns.rend() && !last->starts_with('!');
}

}  // namespace wheelwright
