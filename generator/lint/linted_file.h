// What lint keeps of a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"
#include "generator/yaml/frozen_tree.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A script of a step that another program checks.
struct LintedScript {
  enum class Language : std::uint8_t { kOther, kBash, kSh, kPython };
  Node node;  // without what it points to, but for `text`
  Language language = Language::kOther;
  std::string written;  // node.text
};

// A file to check, or one that such a file calls.
struct LintedFile {
  std::string path;  // as given, for messages
  std::string name;  // for callers: "build.yml"
  FileId id = kNoFile;
  bool asked_for = false;
  bool generated = false;
  bool is_action = false;  // an action.yml
  Diagnostics diagnostics;

  struct Tree {
    Arena arena;
    Workflow workflow;  // empty for an action
    const Node* root = nullptr;
  };
  std::unique_ptr<Tree> tree;             // null before and after its use, if there are many files
  FrozenTree frozen;                      // until then
  std::vector<std::string> calls;         // `uses` of jobs, of this repository
  std::vector<std::string> actions_used;  // `uses` of steps
  std::optional<WorkflowInterface> interface;
  std::vector<LintedScript> scripts;

  const Node* root() const { return tree == nullptr ? nullptr : tree->root; }
};

}  // namespace wheelwright
