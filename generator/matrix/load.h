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
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// The tables, checked, with every optional column present. A value's `where` is its cell, that of a
// filled-in one its row. A column of the type `row of TABLE` holds the row, whose `where` is its
// own.
//
// The first members are the built-in tables, with which this program itself computes; none is null.
struct Matrix {
  const Node* settings = nullptr;
  const Node* triggers = nullptr;
  const Node* domains = nullptr;
  const Node* runners = nullptr;
  const Node* actions = nullptr;
  const Node* images = nullptr;
  const Node* limit_rows = nullptr;  // the table `limits`
  const Node* external_workflows = nullptr;

  // Every table of the schema, by its name.
  const Node* tables = nullptr;
  const Node* written = nullptr;  // the same without computed columns
  Schema schema;
  Limits limits;
  std::vector<FileId> files;  // those that are there

  // The table of that name ("hosts"), or null when there is no such table.
  const Node* Table(std::string_view name) const;
};

// Reads `folder` (such as "matrix" or "/some/where/matrix"; messages and locations say
// "matrix/hosts.yml" either way). Its schema.yml says which files there are beside those of the
// built-in tables: one that is missing leaves its tables empty, unless the schema requires one of
// them; one that nobody reads is an error.
//
// Reports all that is wrong in all files, and returns nothing then. Throws FileError when a file is
// there and cannot be read.
std::optional<Matrix> LoadMatrix(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics,
                                 std::size_t threads = 1);

}  // namespace wheelwright
