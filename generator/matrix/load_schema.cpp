#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "generator/matrix/built_in.h"
#include "generator/matrix/checks.h"
#include "generator/matrix/read_schema.h"
#include "generator/matrix/read_sets.h"
#include "generator/matrix/schema_layers.h"
#include "generator/matrix/validate.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

// One of the compiler's own descriptions, read once.
struct OwnFile {
  OwnFile(std::string_view name, std::string_view text) {
    root = ReadYaml(sources, sources.Add(std::string(name), std::string(text)), arena, diagnostics)
               .root;
  }
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const Node* root = nullptr;
};

const OwnFile& BuiltInFile() {
  static const OwnFile kFile("<built-in>/schema.yml", kBuiltInSchema);
  return kFile;
}

Layers LayersOf(const Node* project) {
  Layers layers{BuiltInFile().root};
  if (project != nullptr && project->is_mapping()) layers.push_back(project);
  return layers;
}

std::optional<const Node*> NoRoot(std::string_view) { return nullptr; }

Schema ReadOwn(const OwnFile& file) {
  static const TableRoots kNone = NoRoot;
  static Arena arena;
  Diagnostics diagnostics;
  return ReadLayers({file.root}, kNone, file.sources, arena, diagnostics);
}

}  // namespace

const FileSchema& SchemaLanguage() {
  static const OwnFile kFile("<built-in>/schema_language.yml", kSchemaLanguage);
  static const Schema kSchema = ReadOwn(kFile);
  return kSchema.files.front();
}

const Schema& BuiltInSchema() {
  static const Schema kSchema = ReadOwn(BuiltInFile());
  return kSchema;
}

std::vector<FileSchema> ListMatrixFiles(const Node* project) {
  return ListFiles(LayersOf(project));
}

Schema ReadSchema(const Node* project, const TableRoots& roots, const SourceManager& sources,
                  Arena& arena, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.errors();
  const Layers layers = LayersOf(project);
  Schema schema = ReadLayers(layers, roots, sources, arena, diagnostics);
  if (diagnostics.errors() == errors_before) {
    ReadSets(layers, {sources, arena, diagnostics}, schema);
  }
  std::vector<RowCheck> checks;
  for (const Node* layer : layers) {
    std::ranges::move(ReadChecks(Find(layer, "checks"), sources, arena, diagnostics),
                      std::back_inserter(checks));
  }
  schema.checks = std::make_shared<const std::vector<RowCheck>>(std::move(checks));
  return schema;
}

std::optional<const Node*> ReadSchemaFile(FileSystem& files, const std::string& folder,
                                          SourceManager& sources, Arena& arena,
                                          Diagnostics& diagnostics) {
  std::optional<std::string> text = files.Read(fmt::format("{}/{}.yml", folder, kSchemaStem));
  if (!text) return nullptr;
  const FileId id = sources.Add(MatrixFileName(kSchemaStem), std::move(*text));
  const std::size_t errors_before = diagnostics.errors();
  MatrixFile file{.schema = &SchemaLanguage(),
                  .root = ReadYaml(sources, id, arena, diagnostics).root,
                  .where = {{id, 0}, 0}};
  if (file.root != nullptr) ValidateMatrix(std::span(&file, 1), diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;
  return file.root;
}

std::optional<Schema> LoadSchema(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics) {
  const auto project = ReadSchemaFile(files, folder, sources, arena, diagnostics);
  if (!project) return std::nullopt;
  const TableRoots roots = [&](std::string_view stem) -> std::optional<const Node*> {
    std::optional<std::string> text = files.Read(fmt::format("{}/{}.yml", folder, stem));
    if (!text) return std::nullopt;
    const FileId id = sources.Add(MatrixFileName(stem), std::move(*text));
    return ReadYaml(sources, id, arena, diagnostics).root;
  };
  Schema schema = ReadSchema(*project, roots, sources, arena, diagnostics);
  if (diagnostics.errors() > 0) return std::nullopt;
  return schema;
}

}  // namespace wheelwright
