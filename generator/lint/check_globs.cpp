// Checks patterns by the rules of
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet:
// * anything but a slash, ** anything, ? none or one of the character before, + one or more of it,
// [] one of those, ! at the front takes back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

struct Problem {
  std::string message;
  std::string hint;
  bool error = false;
};

// Patterns that GitHub refuses.
std::optional<Problem> SyntaxProblem(std::string_view glob) {
  bool repeatable = false;  // a character stands before
  for (std::size_t at = glob.starts_with('!') ? 1 : 0; at < glob.size(); ++at) {
    const char c = glob[at];
    if (c == '?' || c == '+') {
      if (!repeatable) {
        return Problem{fmt::format("'{}' repeats the character before it, and there is none", c),
                       fmt::format("as a character of the name it is '\\{}'", c), true};
      }
      repeatable = false;
    } else if (c == '*') {
      repeatable = false;
    } else if (c == '\\') {
      ++at;
      repeatable = true;
    } else if (c == '[') {
      const std::size_t end = glob.find(']', at + 1);
      if (end == std::string_view::npos) return Problem{"']' is missing", "", true};
      const std::string_view inner = glob.substr(at + 1, end - at - 1);
      if (inner.empty()) return Problem{"'[]' takes no character", "", true};
      for (std::size_t i = 1; i < inner.size(); ++i) {
        if (inner[i] != '-') continue;
        if (i + 1 == inner.size()) return Problem{"the end of a range is missing", "", true};
        if (inner[i - 1] > inner[i + 1]) {
          return Problem{fmt::format("the range '{}' is empty", inner.substr(i - 1, 3)), "", true};
        }
        i += 2;
      }
      at = end;
      repeatable = true;
    } else {
      repeatable = true;
    }
  }
  return std::nullopt;
}

// Patterns that GitHub accepts but no name of a branch or tag can match (git help
// check-ref-format).
std::optional<Problem> RefProblem(std::string_view glob) {
  const std::string_view name = glob.starts_with('!') ? glob.substr(1) : glob;
  if (name.starts_with("refs/")) {
    return Problem{"names are compared without 'refs/heads/' and 'refs/tags/'", "leave it out"};
  }
  if (name.starts_with('/') || name.ends_with('/') || name.ends_with('.')) {
    return Problem{"no branch or tag begins with '/' or ends with '/' or '.'", ""};
  }
  const std::size_t at = name.find_first_of(" \t~^:");
  if (at != std::string_view::npos) {
    return Problem{fmt::format("no branch or tag has '{}' in its name", name[at]),
                   name[at] == '^' ? "a pattern is no regular expression" : ""};
  }
  return std::nullopt;
}

std::optional<Problem> PathProblem(std::string_view glob) {
  const std::string_view path = glob.starts_with('!') ? glob.substr(1) : glob;
  if (Trim(glob) != glob) return Problem{"a blank at its end is part of the pattern", ""};
  if (path.starts_with('/') || path.starts_with("./") || path.starts_with("../") || path == "." ||
      path == "..") {
    return Problem{
        "paths begin at the top of the repository: no file matches",
        path.starts_with("./") && path.size() > 2  ? fmt::format("write '{}'", path.substr(2))
        : path.starts_with('/') && path.size() > 1 ? fmt::format("write '{}'", path.substr(1))
                                                   : ""};
  }
  if (path.ends_with('/')) {
    return Problem{"this is a folder: no file matches", fmt::format("write '{}**'", path)};
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 6> kFilters{
    "branches", "branches-ignore", "tags", "tags-ignore", "paths", "paths-ignore"};

void CheckFilter(const Checking& checking, const Entry& filter) {
  const bool paths = filter.key->text.starts_with("paths");
  const Node& list = *filter.value;
  bool takes = false;
  const auto check = [&](const Node& glob) {
    if (!glob.is_scalar() || glob.text.empty()) return;
    takes = takes || !glob.text.starts_with('!');
    std::optional<Problem> problem = SyntaxProblem(glob.text);
    if (!problem) problem = paths ? PathProblem(glob.text) : RefProblem(glob.text);
    if (!problem) return;
    Diagnostic diagnostic =
        At(&glob, "bad-glob", fmt::format("in the pattern '{}', {}", glob.text, problem->message),
           problem->hint);
    if (!problem->error) diagnostic.severity = Severity::kWarning;
    checking.Report(std::move(diagnostic));
  };
  if (list.is_scalar()) check(list);
  for (const Node* glob : list.items) check(*glob);
  const bool ignores = filter.key->text.ends_with("-ignore");
  if (!takes && !ignores && (list.is_sequence() ? !list.items.empty() : !list.text.empty())) {
    checking.Warn(At(filter.key, "bad-glob",
                     fmt::format("'{}' only excludes: nothing ever matches", filter.key->text),
                     fmt::format("put '**' in front, or use '{}-ignore'", filter.key->text)));
  }
}

}  // namespace

void CheckGlobs(const Checking& checking) {
  for (const Event& event : checking.workflow.events) {
    if (event.config == nullptr || !event.config->is_mapping()) continue;
    for (const Entry& entry : event.config->entries) {
      if (std::ranges::find(kFilters, entry.key->text) != kFilters.end()) {
        CheckFilter(checking, entry);
      }
    }
  }
}

}  // namespace wheelwright
