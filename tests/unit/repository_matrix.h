// The repository's own matrix, as it is loaded.
#pragma once

#include <optional>
#include <string>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/matrix/load.h"
#include "tests/unit/source_path.h"

namespace wheelwright {

struct RepositoryMatrix {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  std::optional<Matrix> matrix =
      LoadMatrix(RealFileSystem(), SourcePath("matrix"), sources, arena, diagnostics);

  // What was said about it, also later.
  std::string Report() const { return Render(diagnostics, sources, ReportFormat::kText, false); }
};

}  // namespace wheelwright
