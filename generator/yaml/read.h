// Reads YAML 1.2 into Nodes. Only this file uses yaml-cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct Document {
  const Node* root = nullptr;                      // null when the text could not be read
  std::span<const std::string_view> comments_end;  // comments behind the last node
};

// Plain scalars have the types of the core schema of YAML 1.2
// (https://yaml.org/spec/1.2.2/#103-core-schema), so `on`, `yes` and `1_000` are strings. An alias
// gives the same node. Comments are kept.
//
// Reports the following and returns a null root: a syntax error, duplicate or structured keys,
// merge keys (`<<`, which GitHub refuses), several documents, nesting deeper than 100, aliases that
// expand to more than a million nodes, and text that is not UTF-8. An empty file is a null node.
Document ReadYaml(const SourceManager& sources, FileId file, Arena& arena,
                  Diagnostics& diagnostics);

// Reads files on up to `threads` threads. Each result has its own reports; nodes live as long as
// `arena`.
struct ReadResult {
  Document document;
  Diagnostics diagnostics;
};
std::vector<ReadResult> ReadYamlFiles(const SourceManager& sources, std::span<const FileId> files,
                                      std::size_t threads, Arena& arena);

}  // namespace wheelwright
