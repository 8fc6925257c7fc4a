// Makes the description of the matrix of the built-in tables and the project's matrix/schema.yml,
// whose language docs/schema-language.md describes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// The language of matrix/schema.yml itself, as the description of that file.
const FileSchema& SchemaLanguage();

// The tables that every project has.
const Schema& BuiltInSchema();

// The root of a file of the matrix, by its stem: null where it has none, nothing where it could not
// be read.
using TableRoots = std::function<std::optional<const Node*>(std::string_view stem)>;

// The files without their tables: which there are has to be known before they are read. `project`
// is the root of matrix/schema.yml, found valid by SchemaLanguage(), or null.
std::vector<FileSchema> ListMatrixFiles(const Node* project);

// What ReadSchema does with any descriptions, the built-in one first.
Schema ReadLayers(const std::vector<const Node*>& layers, const TableRoots& roots,
                  const SourceManager& sources, Arena& arena, Diagnostics& diagnostics);

// The whole description, which lives as long as `arena` and `project`. Reports what is wrong with
// it: types that nobody defined, rows that hold themselves, values that do not fit. `roots` is
// asked for the tables whose rows become columns.
Schema ReadSchema(const Node* project, const TableRoots& roots, const SourceManager& sources,
                  Arena& arena, Diagnostics& diagnostics);

// Reads `folder`/schema.yml. The root is null when there is no such file; nothing when it is not
// valid.
std::optional<const Node*> ReadSchemaFile(FileSystem& files, const std::string& folder,
                                          SourceManager& sources, Arena& arena,
                                          Diagnostics& diagnostics);

// Reads `folder`/schema.yml and what it needs of the other files.
std::optional<Schema> LoadSchema(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics);

}  // namespace wheelwright
