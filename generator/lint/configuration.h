// `.github/wheelwright.yml`: the repository's configuration of lint.
//
//   rules:
//     policy: warning              # the rules of policy, which are off otherwise
//     unpinned-action: error       # or one rule: off, warning, error
//   actions: [.github/actions.jsonl]  # what actions take and give, of `wheelwright actions`
//   programs: [tool.json]             # of `tool help --json`
//   runners: [linux-mi325-*]       # labels of machines of one's own; * stands for anything
//   paths:
//     .github/workflows/legacy-*.yml:
//       rules: { unused-input: off }
//     .github/workflows/vendored/**: off
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/link/link.h"

namespace wheelwright {

inline constexpr std::string_view kConfigurationPath = ".github/wheelwright.yml";

class LintConfiguration {
 public:
  using Levels = std::map<std::string, RuleLevel, std::less<>>;
  struct PathRules {
    std::string glob;  // of paths from the repository's folder
    bool off = false;
    Levels rules;
  };

  // Reports errors at their places.
  static LintConfiguration Read(const SourceManager& sources, FileId file, Arena& arena,
                                Diagnostics& diagnostics);

  // The configured level, or nothing. The last matching entry of `paths` overrides earlier ones and
  // `rules`; a rule's own name overrides `policy`.
  std::optional<RuleLevel> LevelOf(std::string_view rule, std::string_view path) const;
  // Whether a file is skipped.
  bool Skips(std::string_view path) const;

  // Paths of files of `wheelwright actions`, from the repository's folder, with their places.
  const std::vector<const Node*>& actions() const { return actions_; }
  // The same of `PROGRAM help --json`.
  const std::vector<const Node*>& programs() const { return programs_; }
  // Patterns of labels; * matches any text.
  const std::vector<std::string>& runners() const { return runners_; }

 private:
  Levels rules_;
  std::vector<std::string> runners_;
  std::vector<const Node*> actions_;
  std::vector<const Node*> programs_;
  std::vector<PathRules> paths_;
};

// Its JSON Schema, for editors.
std::string ConfigurationSchema();

// Whether a glob matches a path: * matches anything but a slash, ** anything, ? one character.
bool FitsPath(std::string_view glob, std::string_view path);

}  // namespace wheelwright
