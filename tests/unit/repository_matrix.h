// The repository's own matrix, loaded, or tests/matrix. Tests of single rows or of the number of
// rows use tests/matrix, so that a new row of the repository's matrix changes no test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/matrix/load.h"
#include "tests/unit/source_path.h"

namespace wheelwright {

struct RepositoryMatrix {
  explicit RepositoryMatrix(std::string_view folder = "matrix")
      : matrix(LoadMatrix(RealFileSystem(), SourcePath(folder), sources, arena, diagnostics)) {}

  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  std::optional<Matrix> matrix;

  // Its diagnostics, including later ones.
  std::string Report() const { return Render(diagnostics, sources, ReportFormat::kText, false); }
};

}  // namespace wheelwright
