// Copies newer pins from the generated files into matrix/pins.yml.
//
// Bots that update actions and images edit the generated files. The next `generate` would undo
// that, so `wheelwright pins --adopt` updates the matrix first.
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

// A pin of the matrix that is newer in generated files.
struct Bump {
  std::string key;      // "actions.checkout"
  std::string name;     // "actions/checkout", "ghcr.io/owner/image"
  std::string old_pin;  // a commit's SHA, or "sha256:..."
  std::string new_pin;
  std::string old_version;  // "v6.0.2"; empty for an image without one, so that nobody can tell
  std::string new_version;  // whether it is newer
  std::vector<std::string> files;
  const Node* row = nullptr;
};

// Compares `name@sha # version` and `name@sha256:...` in stale files with the tables `actions` and
// `images` of the matrix (either may be null). Ignores pins older than the matrix's: the file is
// not generated again yet. Sorted as in the matrix.
//
// Reports and leaves out: different new pins for one key, another SHA for the same version (a moved
// tag, or an attack), a new SHA without a comparable version, and an image that belongs to several
// keys.
std::vector<Bump> FindBumps(const Node* actions, const Node* images,
                            std::span<const Difference::Stale> stale, Diagnostics& diagnostics);

// The text of `pins_file` with the new SHAs, digests and versions. Reports an error and returns
// nothing if a cell is not a literal there.
std::optional<std::string> AdoptBumps(std::span<const Bump> bumps, FileId pins_file,
                                      const SourceManager& sources, Diagnostics& diagnostics);

// Negative if `a` is older, positive if it is newer. Compares the numbers between dots, "v6" as
// "6.0.0"; a version with a suffix ("-rc1") is older than without. Nothing if either is no version.
std::optional<int> CompareVersions(std::string_view a, std::string_view b);

}  // namespace wheelwright
