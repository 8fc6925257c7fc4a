// Takes pins that are newer in the generated files back into matrix/pins.yml.
//
// Bots that keep actions and images up to date edit the generated files, the only ones they know.
// The next `generate` would undo that; `wheelwright pins --adopt` makes the matrix say the same
// first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/output/folder.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A pin of the matrix that generated files carry in a newer state.
struct Bump {
  std::string key;      // "actions.checkout"
  std::string name;     // "actions/checkout", "ghcr.io/rocm/image"
  std::string old_pin;  // a commit's SHA, or "sha256:..."
  std::string new_pin;
  std::string old_version;  // "v6.0.2"; empty for an image without one, of which nobody can tell
  std::string new_version;  // whether it is newer
  std::vector<std::string> files;
  const Node* row = nullptr;
};

// Compares `name@sha # version` and `name@sha256:...` in stale files with the tables `actions` and
// `images` of the matrix (either may be null). A pin that is older than the matrix's is left alone:
// the file is merely not generated again yet. Sorted as in the matrix.
//
// Reports, and leaves out: different new pins of one key, another SHA for the same version (a tag
// that moved, or an attack), a new SHA without a version that can be compared, and an image that
// several keys name where it cannot be told which one was meant.
std::vector<Bump> FindBumps(const Node* actions, const Node* images,
                            std::span<const Difference::Stale> stale, Diagnostics& diagnostics);

// The text of `pins_file` with the bumped SHAs, digests and versions in place of the old ones, and
// nothing else changed. Reports, and returns nothing, when a cell is not written out there.
std::optional<std::string> AdoptBumps(std::span<const Bump> bumps, FileId pins_file,
                                      const SourceManager& sources, Diagnostics& diagnostics);

// Below zero when `a` is the older one, above when it is the newer. Compares numbers between dots,
// "v6" as "6.0.0"; a version with a suffix ("-rc1") is older than without. Nothing when either is
// no version.
std::optional<int> CompareVersions(std::string_view a, std::string_view b);

}  // namespace wheelwright
