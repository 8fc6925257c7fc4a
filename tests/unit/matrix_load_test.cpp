#include "generator/matrix/load.h"

#include <catch2/catch.hpp>

#include "base/file_system.h"
#include "generator/matrix/limits.h"
#include "generator/matrix/schema.h"
#include "tests/unit/matrix_files.h"

namespace wheelwright {
namespace {

TEST_CASE("the project's own matrix is without fault", "[matrix]") {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const auto matrix =
      LoadMatrix(RealFileSystem(), SOURCE_ROOT "/matrix", sources, arena, diagnostics);
  CHECK(Render(diagnostics, sources, ReportFormat::kText, false) == "");
  REQUIRE(matrix);
  CHECK(FindText(Find(Find(matrix->families, "gfx94x"), "linux"), "family") == "gfx94X-dcgpu");
}

}  // namespace
}  // namespace wheelwright
