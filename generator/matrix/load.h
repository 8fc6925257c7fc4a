// Reads the folder matrix/ into tables that the other stages compute with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/matrix/limits.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// The tables, checked, with every optional column present (docs/matrix-reference.md says what it is
// when it was left out). None is null. A value's `where` is its cell, that of a filled-in one its
// row.
//
// Two columns hold more than was written: `targets` of a family is always a list, also where the
// file names a row of `target_groups`; `source` of a torch ref is the row of `torch_sources` that
// the file names. Their `where` is the row that was named, their `origin` too.
struct Matrix {
  const Node* settings = nullptr;
  const Node* platforms = nullptr;
  const Node* tiers = nullptr;
  const Node* families = nullptr;
  const Node* target_groups = nullptr;
  const Node* triggers = nullptr;
  const Node* labels = nullptr;
  const Node* paths = nullptr;
  const Node* test_types = nullptr;
  const Node* tests = nullptr;
  const Node* torch = nullptr;
  const Node* projects = nullptr;
  const Node* torch_sources = nullptr;
  const Node* combos = nullptr;
  const Node* gfx_groups = nullptr;
  const Node* torch_features = nullptr;
  const Node* rocm_preloads = nullptr;
  const Node* test_levels = nullptr;
  const Node* test_skips = nullptr;
  const Node* hip_known_failures = nullptr;
  const Node* release_types = nullptr;
  const Node* indexes = nullptr;
  const Node* mirror = nullptr;
  const Node* dependencies = nullptr;
  const Node* domains = nullptr;
  const Node* runners = nullptr;
  const Node* promotion = nullptr;
  const Node* artifact_buckets = nullptr;
  const Node* actions = nullptr;
  const Node* images = nullptr;
  const Node* limit_rows = nullptr;  // the table `limits`
  const Node* external_workflows = nullptr;
  const Node* docker_nightly = nullptr;
  const Node* docker_images = nullptr;

  Limits limits;
  std::vector<FileId> files;  // those that are there

  // The table of that name ("families"), or null when there is no such table.
  const Node* Table(std::string_view name) const;
};

// Reads `folder` (such as "matrix" or "/some/where/matrix"; messages and locations say
// "matrix/families.yml" either way). The list of files is fixed: one that is missing leaves its
// tables empty, unless nothing works without it; one that nobody reads is an error.
//
// Reports all that is wrong in all files, and returns nothing then. Throws FileError when a file is
// there and cannot be read.
std::optional<Matrix> LoadMatrix(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics,
                                 std::size_t threads = 1);

}  // namespace wheelwright
