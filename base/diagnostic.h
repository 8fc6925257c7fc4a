// Diagnostic: one type for every message about an input. It says what is wrong, where, and what to
// do.
//
// A stage reports into a Diagnostics sink and goes on, so that one run shows all mistakes of the
// stage. The caller stops between stages when the sink holds an error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"

namespace wheelwright {

enum class Severity { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  // Stable and short, such as "unknown-family". docs/diagnostics.md lists them all.
  std::string_view code;
  // What is wrong, with the value as it is after expansion. No full stop.
  std::string message{};
  SourceRange where{};
  // Stands behind the carets: "did you mean 'gfx94x'?", "expected a list". May be empty.
  std::string hint{};

  // Other places that matter: "first defined here", "expected by this".
  struct Related {
    SourceRange where;
    std::string text;
  };
  std::vector<Related> related{};
  // Lines behind "=": why, and what to do next.
  std::vector<std::string> notes{};

  // Which unrolled instance it was found in, such as "platform=linux family=gfx1151"; empty outside
  // templates. Reports of one code at one place are folded into one with a count of instances.
  std::string instance{};
};

// Collects diagnostics. One per thread; Merge() puts them together in an order of the caller's
// choice.
class Diagnostics {
 public:
  struct Entry {
    Diagnostic diagnostic;
    std::size_t instances = 1;
  };

  void Report(Diagnostic diagnostic);
  // Sets the instance of all later reports that name none.
  void SetInstance(std::string instance) { instance_ = std::move(instance); }
  // Appends what `other` holds, folding repeats.
  void Merge(Diagnostics other);

  // Whether a report of this code at this place exists; if so, counts one more instance. A stage
  // that unrolls then need not build a message that would be folded.
  bool Repeat(std::string_view code, SourceRange where);

  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return entries_.size() - errors_; }

 private:
  struct Key {
    std::string_view code;
    SourceRange where;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  std::vector<Entry> entries_;
  // Positions in entries_ of reports that name an instance: the first at each place.
  std::unordered_map<Key, std::size_t, KeyHash> places_;
  std::size_t errors_ = 0;
  std::string instance_;
};

// How a report looks. `kText` is for people, `kGithub` prints workflow commands that annotate a
// pull request (https://docs.github.com/actions/reference/workflow-commands-for-github-actions),
// `kJson` one object a line.
enum class ReportFormat { kText, kGithub, kJson };

// Renders all entries, in the order they were reported, and nothing else.
std::string Render(const Diagnostics& diagnostics, const SourceManager& sources,
                   ReportFormat format, bool color);

// "2 errors, 1 warning".
std::string Summarize(const Diagnostics& diagnostics);

// Escapes the message part of a workflow command, or with `property` a property of it.
std::string EscapeWorkflowCommand(std::string_view text, bool property);

}  // namespace wheelwright
