// `.github/wheelwright.yml`: what a repository wants of lint.
//
//   rules:
//     policy: warning              # the rules of policy, which are off otherwise
//     unpinned-action: error       # or one rule: off, warning, error
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

  // Reports what is wrong, at its place.
  static LintConfiguration Read(const SourceManager& sources, FileId file, Arena& arena,
                                Diagnostics& diagnostics);

  // The level that was asked for, or nothing. The last of the `paths` that fits a file wins over
  // the ones before it and over `rules`; a rule's own name wins over `policy`.
  std::optional<RuleLevel> LevelOf(std::string_view rule, std::string_view path) const;
  // Whether a file is not to be looked at.
  bool Skips(std::string_view path) const;

  // Patterns of labels, in which * stands for anything.
  const std::vector<std::string>& runners() const { return runners_; }

 private:
  Levels rules_;
  std::vector<std::string> runners_;
  std::vector<PathRules> paths_;
};

// Its JSON Schema, for editors.
std::string ConfigurationSchema();

// Whether a glob of paths fits: * stands for anything but a slash, ** for anything, ? for one
// character.
bool FitsPath(std::string_view glob, std::string_view path);

}  // namespace wheelwright
