// The interfaces of actions: what a step may give them, what it has to, and what they leave.
//
// Those of the checked repository come from its action.yml files; those of others from a table
// (generator/link/data/actions.jsonl, written by `./dev actions`) and from files of the same form
// that a repository keeps (`wheelwright actions` writes them). Nothing is fetched.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct ActionInterface {
  struct Input {
    std::string name;
    bool required = false;    // and has no default
    std::string deprecation;  // what the action says of it; empty: it is not deprecated
    SourceRange where;        // unknown for actions of other repositories
  };
  std::string name;     // "actions/cache/save"
  std::string version;  // "v4", or "v0.35": the part of versions that fixes the interface
  std::string runtime;  // "node24", "composite", "docker"
  std::vector<Input> inputs;
  std::vector<std::string> outputs;
  bool open_inputs = false;   // reads others too
  bool open_outputs = false;  // writes others too, which are named by its inputs
  std::string ended;          // the day since which GitHub fails its steps: "2025-01-30"
  std::string ended_source;   // where that is announced

  const Input* FindInput(std::string_view input) const;  // ignores case, as GitHub does
  bool HasOutput(std::string_view output) const;
};

// Of the root of an action.yml. Leaves out what does not have the form of an action.
ActionInterface ReadActionInterface(const Node& root);

// One line of a table, without a line feed; and the reverse, which gives nothing if the line is
// malformed.
std::string WriteActionLine(const ActionInterface& action);
std::optional<ActionInterface> ParseActionLine(std::string_view line);

// A step's `uses` of another repository.
struct ActionUse {
  std::string_view name;     // "actions/cache/save"
  std::string_view version;  // "v4.2.3", of a commit that of the comment behind it; may be empty
  std::string_view commit;   // 40 digits, or empty
};
// Nothing if it is a path, an image or malformed.
std::optional<ActionUse> ReadActionUse(std::string_view uses, std::string_view comment);

class KnownActions {
 public:
  // With the built-in table.
  KnownActions();

  // Adds the lines of a file, which take precedence. The number of its first malformed line, from
  // 1; 0 if there is none.
  std::size_t Add(std::string_view lines);

  // Null if the version is not known: a branch, a commit without a comment, or a later tag. May be
  // called by several threads.
  const ActionInterface* Find(const ActionUse& use) const;
  // The highest known major version of an action; 0 if none is.
  int NewestMajor(std::string_view name) const;
  // All names, without versions.
  std::vector<std::string_view> Names() const;

 private:
  struct Row {
    std::string version;
    std::string tag;  // of which the line is; may be empty
    std::string commit;
    std::string line;
    mutable std::optional<ActionInterface> parsed;
  };
  const std::vector<Row>* RowsOf(std::string_view name) const;

  std::map<std::string, std::vector<Row>, std::less<>> rows_;  // by name in lower case
  mutable std::mutex mutex_;                                   // of Row::parsed
};

// The built-in table.
std::span<const std::string_view> BuiltInActionLines();

}  // namespace wheelwright
