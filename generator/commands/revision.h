// The matrix of another state of the project.
#pragma once

#include <memory>
#include <string>

#include "generator/commands/project_run.h"
#include "generator/compile/compile.h"

namespace wheelwright {

// Compiles the matrix of `against`: a folder with matrix/, or what git calls a revision ("main",
// "HEAD~3", a commit), of which nothing is checked out. Null after a report. Codes:
// unknown-revision, unreadable-revision.
std::unique_ptr<Compilation> CompileMatrixOf(const std::string& against, ProjectRun& run);

}  // namespace wheelwright
