// The pipeline: matrix and templates in, checked workflows out.
//
//   matrix/*.yml --load--> Matrix --cells--> Cells --context--> names ------+
//   templates/**/*.yml --read--> TemplateSet --list--> Instances --expand--> tree --link-->
//   --emit--> text
//
// A tree lives only from expansion to emission, so memory does not grow with the number of files.
// Several threads process files; the result does not depend on their number.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/emit/emit.h"
#include "generator/link/link.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/context.h"
#include "generator/matrix/load.h"
#include "generator/output/folder.h"
#include "generator/plan/report.h"
#include "generator/workflow/interface.h"

namespace wheelwright {

struct CompileOptions {
  std::string root = ".";   // the folder with matrix/ and templates/
  std::size_t threads = 0;  // 0: the number of cores
  // Keep tree and line table of these generated files for `explain`, as long as the Compilation.
  // "*" keeps all.
  std::vector<std::string> keep;
};

// One generated workflow.
struct CompiledWorkflow {
  std::string name;           // "build_linux_packages.yml"
  std::string template_name;  // "templates/workflows/build_packages.yml"
  std::string text;           // empty when there was an error
  SourceRange where;          // the node with its name
  WorkflowUsage usage;

  // Only for kept files.
  std::unique_ptr<Arena> arena;
  const Node* root = nullptr;
  std::vector<LineOrigin> lines;
};

// A generated JSON file.
struct CompiledJson {
  std::string name;  // "plan.json"
  std::string text;
  SourceRange where;  // the node with its name
};

// Time of a stage. Parts of "files" are sums over all threads.
struct StageTime {
  std::string_view stage;  // "matrix", "templates", "files", ...
  double seconds = 0;
  bool part = false;   // a part of the last stage that is no part
  std::string detail;  // "1,667 files, 100,020 jobs"; may be empty
};

// The result of a run. Its members point into `sources` and `arena`.
struct Compilation {
  SourceManager sources;
  Arena arena;
  Matrix matrix;
  Cells cells;
  MatrixContext context;
  InterfaceSet interfaces;
  std::vector<CompiledWorkflow> workflows;  // in the order of templates and rows
  std::vector<CompiledJson> json_files;
  std::vector<StageTime> times;
  bool matrix_loaded = false;  // matrix, cells and context are valid
};

// How far to go: kJson makes JSON files and no workflows.
enum class CompileUntil { kMatrix, kJson, kText };

// Runs the pipeline. Stops after the first stage with errors in `diagnostics`. Throws FileError
// when an input cannot be read.
std::unique_ptr<Compilation> Compile(FileSystem& files, const CompileOptions& options,
                                     CompileUntil until, Diagnostics& diagnostics);

// The generated file settings.plan_file, or null when no template makes it.
const CompiledJson* FindPlan(const Compilation& compilation);

// The contents of the folder of generated files: workflows with headers, and JSON files. Moves the
// texts out of the compilation.
std::vector<GeneratedFile> TakeOutput(Compilation& compilation);

// The folder of generated files: `out`, or if empty settings.output below `root`.
std::string OutputFolder(const Compilation& compilation, const std::string& root,
                         const std::string& out);

}  // namespace wheelwright
