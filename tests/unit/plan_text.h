// plan.json of a matrix, expanded from this repository's template.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "generator/emit/emit_json.h"
#include "generator/matrix/context.h"
#include "generator/output/folder.h"
#include "generator/template/template.h"
#include "tests/unit/memory_file_system.h"
#include "tests/unit/source_path.h"

namespace wheelwright {

inline std::string PlanText(const Matrix& matrix, const Cells& combos, Arena& arena) {
  MemoryFileSystem files;
  files.files["templates/plan.yml"] =
      RealFileSystem().Read(SourcePath("templates/plan.yml")).value_or("");
  SourceManager sources;
  Diagnostics diagnostics;
  const MatrixContext context = MakeContext(matrix, combos, arena);
  const Scope* names = context.scope();
  const auto templates =
      ReadTemplates(files, "templates", NamesOf(names), sources, arena, diagnostics);
  if (!templates) throw FileError(Render(diagnostics, sources, ReportFormat::kText, false));
  const std::vector<Instance> instances =
      ListInstances(*templates, names, sources, arena, diagnostics);
  const Expanded plan = Expand(instances.at(0), sources, arena, diagnostics);
  if (plan.root == nullptr) throw FileError("plan.json cannot be expanded");
  return EmitJson(*plan.root, GeneratedMark("templates/plan.yml"));
}

}  // namespace wheelwright
