#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/file_system.h"
#include "generator/matrix/limits.h"
#include "generator/matrix/load.h"
#include "generator/matrix/schema.h"
#include "tests/unit/combo_matrix.h"
#include "tests/unit/matrix_files.h"
#include "tests/unit/repository_matrix.h"

namespace wheelwright {
namespace {

const Node* At(const Node* node, std::string_view path) {
  const std::vector<const Node*> found = FindAll(node, path);
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string_view> TextsOf(const Node* list) {
  std::vector<std::string_view> texts;
  for (const Node* item : list->items) texts.push_back(item->text);
  return texts;
}

using Words = std::vector<std::string_view>;

TEST_CASE("the project's own matrix is without fault", "[matrix]") {
  RepositoryMatrix own;
  REQUIRE(own.matrix);
  CellsOf(*own.matrix, own.sources, own.arena, own.diagnostics);
  CHECK(own.Report() == "");
}

TEST_CASE("a whole matrix is loaded", "[matrix]") {
  const RepositoryMatrix own("tests/matrix");
  CHECK(own.Report() == "");
  const std::optional<Matrix>& matrix = own.matrix;
  REQUIRE(matrix);
  CHECK(matrix->Table("families")->entries.size() == 11);
  CHECK(matrix->Table("tests")->items.size() == 30);
  CHECK(matrix->actions->entries.size() == 22);
  CHECK(matrix->limits.workflow_bytes == 512000);
  CHECK(FindText(At(matrix->Table("families"), "gfx94x.linux"), "family") == "gfx94X-dcgpu");
}

TEST_CASE("every column is there, whether it was written or not", "[matrix]") {
  SmallMatrix m;
  const auto matrix = m.Load();
  REQUIRE(matrix);
  const Node* row = At(matrix->Table("families"), "gfx120x.linux");
  CHECK(At(row, "test_runs_on")->is_null());
  CHECK(TextsOf(At(row, "variants")) == Words{"release"});
  CHECK(At(row, "fetch_targets")->is_sequence());
  CHECK(At(row, "kernel_runners")->is_mapping());
  CHECK(At(row, "sanity_check_only")->text == "false");
  CHECK(At(matrix->Table("families"), "gfx120x.windows") == nullptr);  // there is no such platform
  CHECK(FindText(At(matrix->Table("platforms"), "linux.variants.release"), "suffix") == "");
  CHECK(At(matrix->Table("combos"), "ci.exclude")->is_sequence());

  // One that was left out stands where its row does.
  CHECK(m.sources.Describe(At(row, "test_runs_on")->where.begin) == "matrix/families.yml:12:5");
  CHECK(m.sources.Describe(At(row, "family")->where.begin) == "matrix/families.yml:12:22");
}

TEST_CASE("columns stand in the order of the description", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "tier: nightly\n", "linux: { targets: [gfx1200], family: gfx12 }\n");
  m.Replace("families", "linux: { family: gfx120X-all, targets: gfx120X-all }", "tier: nightly");
  const auto matrix = m.Load();
  REQUIRE(matrix);
  const Node* row = At(matrix->Table("families"), "gfx120x");
  CHECK(row->entries[0].key->text == "tier");
  CHECK(row->entries[1].value->entries[0].key->text == "family");
}

TEST_CASE("names of embedded rows give way to the rows", "[matrix]") {
  SmallMatrix m;
  const auto matrix = m.Load();
  REQUIRE(matrix);
  CHECK(TextsOf(At(matrix->Table("families"), "gfx120x.linux.targets")) ==
        Words{"gfx1200", "gfx1201"});
  CHECK(TextsOf(At(matrix->Table("families"), "gfx94x.linux.targets")) == Words{"gfx942"});
  // A ref holds dots, so no path leads to it.
  const Node* source = Find(Find(matrix->Table("torch"), "release/2.10"), "source");
  CHECK(FindText(Find(source, "torch"), "commit_from") == "torch_ref");
}

TEST_CASE("an include keeps its own columns and gains no others", "[matrix]") {
  SmallMatrix m;
  m.Replace("pytorch", "  ci: {", "  ci: { include: [ { gfx: gfx94x, flavor: 3 } ],");
  const auto matrix = m.Load();
  REQUIRE(matrix);
  const Node* include = At(matrix->Table("combos"), "ci.include")->items[0];
  CHECK(FindText(include, "flavor") == "3");
  CHECK(Find(include, "tests") == nullptr);
  CHECK(Find(include, "torch")->is_null());
}

TEST_CASE("files that are not there leave their tables empty", "[matrix]") {
  SmallMatrix m;
  m.Remove("pytorch");
  m.Replace("platforms", "packages: [torch]", "packages: []");
  m.Set("triggers", "# nothing yet\n");
  const auto matrix = m.Load();
  CHECK(Render(m.diagnostics, m.sources, ReportFormat::kText, false) == "");
  REQUIRE(matrix);
  CHECK(matrix->files.size() == 3);
  for (const FileSchema& file : matrix->schema.files) {
    for (const Column& table : file.tables.columns) {
      INFO(table.name);
      REQUIRE(Find(matrix->tables, table.name) != nullptr);
    }
  }
  CHECK(matrix->triggers->entries.empty());
  CHECK(matrix->Table("test_types")->is_sequence());
  CHECK(FindText(matrix->settings, "plan_file") == "plan.json");
}

TEST_CASE("a limit that is not said keeps its built-in value", "[matrix]") {
  SmallMatrix m;
  m.Set("limits",
        "limits: { reusable_levels: { value: 4, unit: levels, source: our own server } }\n");
  const auto matrix = m.Load();
  REQUIRE(matrix);
  CHECK(matrix->limits.reusable_levels == 4);
  CHECK(matrix->limits.needs_edges == BuiltInLimits().needs_edges);
  CHECK(FindText(At(matrix->limit_rows, "needs_edges"), "unit") == "edges");
  for (const LimitField& field : kLimitFields) {
    INFO(field.name);
    CHECK(BuiltInLimits().*field.member > 0);
  }
}

TEST_CASE("a missing file and a stray one", "[matrix]") {
  SmallMatrix m;
  m.Remove("platforms");
  m.Set("familes", "families: {}\n");
  CHECK("\n" + m.Errors() == R"(
error[unknown-file]: nothing reads matrix/familes.yml
   = did you mean 'families.yml'?
   = the files of a matrix are settings.yml, platforms.yml, families.yml, triggers.yml, pytorch.yml, build.yml, hip.yml, release.yml, dependencies.yml, docker.yml, pins.yml, limits.yml, external.yml, acknowledged.yml, shared.yml and schema.yml

error[missing-file]: there is no matrix/platforms.yml
   = `wheelwright help matrix` describes it
)");
}

TEST_CASE("a folder without a matrix has the built-in tables, and they are empty", "[matrix]") {
  MemoryFileSystem nothing;
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const auto matrix = LoadMatrix(nothing, "elsewhere/matrix", sources, arena, diagnostics);
  CHECK(Render(diagnostics, sources, ReportFormat::kText, false) == "");
  REQUIRE(matrix);
  CHECK(matrix->tables->entries.size() == 10);
  CHECK(matrix->actions->entries.empty());
  CHECK(matrix->Table("families") == nullptr);
}

TEST_CASE("a file that cannot be read is the caller's to report", "[matrix]") {
  MemoryFileSystem files;
  files.refused.insert("matrix/settings.yml");
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  CHECK_THROWS_AS(LoadMatrix(files, "matrix", sources, arena, diagnostics), FileError);
}

}  // namespace
}  // namespace wheelwright
