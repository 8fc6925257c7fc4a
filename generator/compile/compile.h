// The pipeline: matrix and templates in, checked workflows out.
//
//   matrix/*.yml --load--> Matrix --combos--> Combos --context--> names ------+
//   templates/**/*.yml --read--> TemplateSet --list--> Instances --expand--> tree --link-->
//   --emit--> text
//
// A tree lives from its expansion to its emission, so memory does not grow with the number of
// files. Files are worked on by several threads; what is reported and returned does not depend on
// how many.
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
#include "generator/matrix/combos.h"
#include "generator/matrix/context.h"
#include "generator/matrix/load.h"
#include "generator/output/folder.h"
#include "generator/plan/report.h"
#include "generator/workflow/interface.h"

namespace wheelwright {

struct CompileOptions {
  std::string root = ".";   // holds matrix/ and templates/
  std::size_t threads = 0;  // 0: as many as there are cores
  // Keep the tree and the line table of generated files with these names, for `explain`. Ends of a
  // kept tree live as long as the Compilation. "*" keeps all.
  std::vector<std::string> keep;
};

// One generated workflow.
struct CompiledWorkflow {
  std::string name;           // "build_linux_pytorch_wheels.yml"
  std::string template_name;  // "templates/workflows/build_pytorch_wheels.yml"
  std::string text;           // empty when there was an error
  SourceRange where;          // what gave it its name
  WorkflowUsage usage;

  // Of kept ones.
  std::unique_ptr<Arena> arena;
  const Node* root = nullptr;
  std::vector<LineOrigin> lines;
};

// Where the time goes. Parts of the work on files are sums over all threads.
struct StageTime {
  std::string_view stage;  // "matrix", "templates", "files", ...
  double seconds = 0;
  bool part = false;   // of the stage before it that is no part
  std::string detail;  // "1,667 files, 100,020 jobs"; may be empty
};

// All that a run knows. Everything in it points at `sources` and `arena`.
struct Compilation {
  SourceManager sources;
  Arena arena;
  Matrix matrix;
  Combos combos;
  MatrixContext context;
  InterfaceSet interfaces;
  std::vector<CompiledWorkflow> workflows;  // in the order of templates and rows
  std::string plan_json;                    // its name is settings.plan_file
  std::vector<StageTime> times;
  bool matrix_loaded = false;  // matrix, combos and context can be used
};

// How far to go.
enum class CompileUntil { kMatrix, kText };

// Runs the pipeline. Stops after the first stage that reports an error; `diagnostics` says so.
// Throws FileError when an input cannot be read.
std::unique_ptr<Compilation> Compile(FileSystem& files, const CompileOptions& options,
                                     CompileUntil until, Diagnostics& diagnostics);

// What should stand in the folder of generated files: every workflow under its header, and the
// plan. Takes the texts out of the compilation.
std::vector<GeneratedFile> TakeOutput(Compilation& compilation);

// The folder of generated files: settings.output below `root`, unless `out` names another.
std::string OutputFolder(const Compilation& compilation, const std::string& root,
                         const std::string& out);

}  // namespace wheelwright
