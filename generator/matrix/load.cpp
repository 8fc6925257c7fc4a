#include "generator/matrix/load.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/text.h"
#include "generator/matrix/defaults.h"
#include "generator/matrix/domain_checks.h"
#include "generator/matrix/index_checks.h"
#include "generator/matrix/label_checks.h"
#include "generator/matrix/schema.h"
#include "generator/matrix/settings_checks.h"
#include "generator/matrix/skip_checks.h"
#include "generator/matrix/validate.h"
#include "generator/matrix/version_checks.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::array kTables{
    std::pair{std::string_view("settings"), &Matrix::settings},
    std::pair{std::string_view("platforms"), &Matrix::platforms},
    std::pair{std::string_view("tiers"), &Matrix::tiers},
    std::pair{std::string_view("families"), &Matrix::families},
    std::pair{std::string_view("target_groups"), &Matrix::target_groups},
    std::pair{std::string_view("triggers"), &Matrix::triggers},
    std::pair{std::string_view("labels"), &Matrix::labels},
    std::pair{std::string_view("paths"), &Matrix::paths},
    std::pair{std::string_view("test_types"), &Matrix::test_types},
    std::pair{std::string_view("tests"), &Matrix::tests},
    std::pair{std::string_view("torch"), &Matrix::torch},
    std::pair{std::string_view("projects"), &Matrix::projects},
    std::pair{std::string_view("torch_sources"), &Matrix::torch_sources},
    std::pair{std::string_view("combos"), &Matrix::combos},
    std::pair{std::string_view("gfx_groups"), &Matrix::gfx_groups},
    std::pair{std::string_view("torch_features"), &Matrix::torch_features},
    std::pair{std::string_view("rocm_preloads"), &Matrix::rocm_preloads},
    std::pair{std::string_view("test_levels"), &Matrix::test_levels},
    std::pair{std::string_view("test_skips"), &Matrix::test_skips},
    std::pair{std::string_view("hip_known_failures"), &Matrix::hip_known_failures},
    std::pair{std::string_view("release_types"), &Matrix::release_types},
    std::pair{std::string_view("indexes"), &Matrix::indexes},
    std::pair{std::string_view("mirror"), &Matrix::mirror},
    std::pair{std::string_view("dependencies"), &Matrix::dependencies},
    std::pair{std::string_view("domains"), &Matrix::domains},
    std::pair{std::string_view("runners"), &Matrix::runners},
    std::pair{std::string_view("promotion"), &Matrix::promotion},
    std::pair{std::string_view("artifact_buckets"), &Matrix::artifact_buckets},
    std::pair{std::string_view("actions"), &Matrix::actions},
    std::pair{std::string_view("images"), &Matrix::images},
    std::pair{std::string_view("limits"), &Matrix::limit_rows},
    std::pair{std::string_view("external_workflows"), &Matrix::external_workflows},
    std::pair{std::string_view("docker_nightly"), &Matrix::docker_nightly},
    std::pair{std::string_view("docker_images"), &Matrix::docker_images},
};

bool IsYaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }

void ReportStrayFiles(const std::vector<std::string>& names, const std::string& folder,
                      Diagnostics& diagnostics) {
  std::vector<std::string> ours;
  for (const FileSchema& schema : MatrixFiles()) ours.push_back(fmt::format("{}.yml", schema.stem));
  const std::vector<std::string_view> known(ours.begin(), ours.end());
  for (const std::string& name : names) {
    if (!IsYaml(name) || std::find(ours.begin(), ours.end(), name) != ours.end()) continue;
    Diagnostic report;
    report.code = "unknown-file";
    report.message = fmt::format("nothing reads {}/{}", folder, name);
    report.hint = DidYouMean(name, known);
    report.notes.push_back(fmt::format("the files of a matrix are {}", JoinWords(ours)));
    diagnostics.Report(std::move(report));
  }
}

void ReportMissingFile(const FileSchema& schema, const std::string& folder,
                       Diagnostics& diagnostics) {
  Diagnostic report;
  report.code = "missing-file";
  report.message = fmt::format("there is no {}/{}.yml", folder, schema.stem);
  report.notes.push_back("docs/matrix-reference.md describes it");
  diagnostics.Report(std::move(report));
}

// The file of the settings, or null.
const Node* SettingsIn(const std::vector<MatrixFile>& read,
                       const std::vector<ReadResult>& results) {
  auto result = results.begin();
  for (const MatrixFile& file : read) {
    if (!file.where.known()) continue;
    if (file.schema->stem == "settings") return result->document.root;
    ++result;
  }
  return nullptr;
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
        built_in = FillDefaults(root, FindMatrixFile("limits")->tables, {}, arena);
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

}  // namespace

const Node* Matrix::Table(std::string_view name) const {
  for (const auto& [table, member] : kTables) {
    if (table == name) return this->*member;
  }
  return nullptr;
}

std::optional<Matrix> LoadMatrix(FileSystem& files, const std::string& folder,
                                 SourceManager& sources, Arena& arena, Diagnostics& diagnostics,
                                 std::size_t threads) {
  const std::size_t errors_before = diagnostics.errors();
  Matrix matrix;
  std::vector<MatrixFile> read;
  for (const FileSchema& schema : MatrixFiles()) {
    MatrixFile& file = read.emplace_back();
    file.schema = &schema;
    std::optional<std::string> text = files.Read(fmt::format("{}/{}.yml", folder, schema.stem));
    if (!text) {
      file.readable = !schema.required;
      continue;
    }
    const FileId id = sources.Add(MatrixFileName(schema.stem), std::move(*text));
    matrix.files.push_back(id);
    file.where = {{id, 0}, 0};
  }
  std::vector<ReadResult> results = ReadYamlFiles(sources, matrix.files, threads, arena);
  if (!CheckMatrixVersion(SettingsIn(read, results), diagnostics)) return std::nullopt;
  ReportStrayFiles(files.List(folder), folder, diagnostics);
  auto result = results.begin();
  for (MatrixFile& file : read) {
    if (!file.where.known()) {
      if (file.schema->required) ReportMissingFile(*file.schema, folder, diagnostics);
      continue;
    }
    file.root = result->document.root;
    file.readable = file.root != nullptr;
    diagnostics.Merge(std::move(result->diagnostics));
    ++result;
  }
  ValidateMatrix(read, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;

  std::vector<Entry> tables;
  const Node* empty = MakeMapping(arena, {});
  for (const MatrixFile& file : read) {
    const Node* root = file.root == nullptr || file.root->is_null() ? empty : file.root;
    const Node* filled = FillDefaults(root, file.schema->tables, file.where, arena);
    tables.insert(tables.end(), filled->entries.begin(), filled->entries.end());
  }
  const Node* all = MakeMapping(arena, tables);
  for (const MatrixFile& file : read) {
    for (const Column& table : file.schema->tables.columns) {
      for (const auto& [name, member] : kTables) {
        if (name == table.name) matrix.*member = EmbedRows(Find(all, name), table.type, all, arena);
      }
    }
  }
  matrix.limit_rows = CompleteLimits(matrix.limit_rows, sources, arena, diagnostics);
  matrix.limits = ReadLimits(matrix.limit_rows);
  CheckDomains(matrix, diagnostics);
  CheckSettings(matrix, diagnostics);
  CheckPinnedVersion(matrix, diagnostics);
  CheckTriggerLabels(matrix, diagnostics);
  CheckTestSkips(matrix, diagnostics);
  CheckIndexes(matrix, diagnostics);
  if (diagnostics.errors() > errors_before) return std::nullopt;
  return matrix;
}

}  // namespace wheelwright
