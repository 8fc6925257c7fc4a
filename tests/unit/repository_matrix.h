// The repository's own matrix, as it is loaded, or tests/matrix: what tests say of single rows and
// of their number is about that one, so that a new row of the other is no change of a test.
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

  // What was said about it, also later.
  std::string Report() const { return Render(diagnostics, sources, ReportFormat::kText, false); }
};

}  // namespace wheelwright
