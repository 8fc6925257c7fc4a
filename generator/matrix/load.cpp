#include "generator/matrix/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "generator/matrix/built_in.h"
#include "generator/matrix/computed_rows.h"
#include "generator/matrix/defaults.h"
#include "generator/matrix/read_schema.h"
#include "generator/matrix/validate.h"
#include "generator/matrix/version_checks.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::array kBuiltInTables{
    std::pair{std::string_view("settings"), &Matrix::settings},
    std::pair{std::string_view("triggers"), &Matrix::triggers},
    std::pair{std::string_view("domains"), &Matrix::domains},
    std::pair{std::string_view("runners"), &Matrix::runners},
    std::pair{std::string_view("actions"), &Matrix::actions},
    std::pair{std::string_view("images"), &Matrix::images},
    std::pair{std::string_view("limits"), &Matrix::limit_rows},
    std::pair{std::string_view("external_workflows"), &Matrix::external_workflows},
};

bool IsYaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }

void ReportStrayFiles(const std::vector<std::string>& names, const std::string& folder,
                      std::span<const FileSchema> files, bool has_schema,
                      Diagnostics& diagnostics) {
  std::vector<std::string> ours;
  for (const FileSchema& schema : files) ours.push_back(fmt::format("{}.yml", schema.stem));
  ours.push_back(fmt::format("{}.yml", kSchemaStem));
  const std::vector<std::string_view> known(ours.begin(), ours.end());
  for (const std::string& name : names) {
    if (!IsYaml(name) || std::find(ours.begin(), ours.end(), name) != ours.end()) continue;
    Diagnostic report;
    report.code = "unknown-file";
    report.message = fmt::format("nothing reads {}/{}", folder, name);
    report.hint = DidYouMean(name, known);
    report.notes.push_back(
        has_schema ? fmt::format("the files of a matrix are {}", JoinWords(ours))
                   : fmt::format("there is no {}/{}.yml, which says what other files hold", folder,
                                 kSchemaStem));
    diagnostics.Report(std::move(report));
  }
}

void ReportMissingFile(const FileSchema& schema, const std::string& folder,
                       Diagnostics& diagnostics) {
  Diagnostic report;
  report.code = "missing-file";
  report.message = fmt::format("there is no {}/{}.yml", folder, schema.stem);
  report.notes.push_back("`wheelwright help matrix` describes it");
  diagnostics.Report(std::move(report));
}

// The table `limits` with its gaps filled from the built-in one.
const Node* CompleteLimits(const Node* table, SourceManager& sources, Arena& arena,
                           Diagnostics& diagnostics) {
  const Node* built_in = nullptr;
  std::vector<Entry> entries;
  for (const Entry& entry : table->entries) {
    const Node* value = entry.value;
    if (value->is_null()) {
      if (built_in == nullptr) {
        const FileId file = sources.Add("<built-in>/limits.yml", std::string(kBuiltInLimits));
        const Node* root = ReadYaml(sources, file, arena, diagnostics).root;
        built_in = FillDefaults(root, BuiltInSchema().File("limits")->tables, {}, arena);
      }
      value = Find(Find(built_in, "limits"), entry.key->text);
    }
    entries.push_back({entry.key, value});
  }
  Node* complete = arena.New<Node>(*table);
  complete->entries = arena.Copy(std::span<const Entry>(entries));
  return complete;
}

Limits ReadLimits(const Node* table) {
  Limits limits;
  for (const LimitField& field : kLimitFields) {
    limits.*field.member =
        static_cast<std::size_t>(NumberValue(*Find(Find(table, field.name), "value")));
  }
  return limits;
}

// The files of a matrix, read one after the other or at once.
class Folder {
 public:
  Folder(FileSystem& files, const std::string& folder, SourceManager& sources, Arena& arena,
         Diagnostics& diagnostics)
      : files_(files),
        folder_(folder),
        sources_(sources),
        arena_(arena),
        diagnostics_(diagnostics) {}

  // Those that are there and were not read yet.
  void Read(std::span<const std::string_view> stems, std::size_t threads) {
    std::vector<FileId> ids;
    std::vector<std::string_view> added;
    for (const std::string_view stem : stems) {
      if (read_.contains(stem)) continue;
      std::optional<std::string> text = files_.Read(fmt::format("{}/{}.yml", folder_, stem));
      if (!text) continue;
      ids.push_back(sources_.Add(MatrixFileName(stem), std::move(*text)));
      added.push_back(stem);
    }
    std::vector<ReadResult> results = ReadYamlFiles(sources_, ids, threads, arena_);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Node* root = results[i].document.root;
      read_.emplace(
          added[i],
          MatrixFile{.root = root, .readable = root != nullptr, .where = {{ids[i], 0}, 0}});
      found_.emplace(added[i], std::move(results[i].diagnostics));
    }
  }

  const Node* Root(std::string_view stem) const {
    const auto at = read_.find(stem);
    return at == read_.end() ? nullptr : at->second.root;
  }
  bool Readable(std::string_view stem) const {
    const auto at = read_.find(stem);
    return at == read_.end() || at->second.readable;
  }

  // Those that the schema describes; reports what was wrong in them, and what is missing.
  std::vector<MatrixFile> Take(std::span<const FileSchema> schemas) {
    std::vector<MatrixFile> taken;
    for (const FileSchema& schema : schemas) {
      MatrixFile& file = taken.emplace_back();
      if (const auto at = read_.find(schema.stem); at != read_.end()) {
        file = at->second;
        diagnostics_.Merge(std::move(found_[schema.stem]));
      } else if (schema.required) {
        file.readable = false;
        ReportMissingFile(schema, folder_, diagnostics_);
      }
      file.schema = &schema;
    }
    return taken;
  }

 private:
  FileSystem& files_;
  const std::string& folder_;
  SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::map<std::string_view, MatrixFile> read_;
  std::map<std::string_view, Diagnostics> found_;
};

// The tables with their defaults, then with the rows that they name.
const Node* FillTables(std::span<const MatrixFile> files, Arena& arena) {
  std::vector<Entry> tables;
  const Node* empty = MakeMapping(arena, {});
  for (const MatrixFile& file : files) {
    const Node* root = file.root == nullptr || file.root->is_null() ? empty : file.root;
    const Node* filled = FillDefaults(root, file.schema->tables, file.where, arena);
    tables.insert(tables.end(), filled->entries.begin(), filled->entries.end());
  }
  return MakeMapping(arena, tables);
}

}  // namespace

const Node* Matrix::Table(std::string_view name) const { return Find(tables, name); }

std::optional<Matrix> LoadMatrix(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics,
                                 std::size_t threads) {
  const std::size_t errors_before = diagnostics.errors();
  Matrix matrix;
  Folder read(files, folder, sources, arena, diagnostics);
  constexpr std::string_view kSettings = "settings";
  read.Read(std::span(&kSettings, 1), 1);
  if (!CheckMatrixVersion(read.Root(kSettings), diagnostics)) return std::nullopt;
  const auto project = ReadSchemaFile(files, folder, sources, arena, diagnostics);
  if (!project) return std::nullopt;

  std::vector<std::string_view> stems;
  const std::vector<FileSchema> listed = ListMatrixFiles(*project);
  for (const FileSchema& file : listed) stems.push_back(file.stem);
  read.Read(stems, threads);
  const TableRoots roots = [&](std::string_view stem) -> std::optional<const Node*> {
    if (!read.Readable(stem)) return std::nullopt;
    return read.Root(stem);
  };
  matrix.schema = ReadSchema(*project, roots, sources, arena, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;

  ReportStrayFiles(files.List(folder), folder, matrix.schema.files, *project != nullptr,
                   diagnostics);
  const std::vector<MatrixFile> taken = read.Take(matrix.schema.files);
  for (const MatrixFile& file : taken) {
    if (file.where.known()) matrix.files.push_back(file.where.begin.file);
  }
  ValidateMatrix(taken, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;

  matrix.written = EmbedTables(FillTables(taken, arena), matrix.schema, arena);
  matrix.tables = ComputeColumns(matrix.written, matrix.schema, sources, arena, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;
  for (const auto& [name, member] : kBuiltInTables) matrix.*member = Find(matrix.tables, name);
  matrix.limit_rows = CompleteLimits(matrix.limit_rows, sources, arena, diagnostics);
  matrix.limits = ReadLimits(matrix.limit_rows);
  CheckPinnedVersion(matrix, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;
  return matrix;
}

}  // namespace wheelwright
