// Takes hand-written workflows over: writes the matrix and the templates that generate them again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"

namespace wheelwright {

struct ImportedFile {
  std::string path;  // from the top of the project: "matrix/ci.yml"
  std::string text;
};

struct Imported {
  std::vector<ImportedFile> files;
  std::size_t workflows = 0;
  std::size_t jobs = 0;  // with a matrix that was taken over
  std::size_t legs = 0;  // the jobs that GitHub makes of them
};

// The text of each workflow is carried over but for what a matrix changes. By default a
// strategy.matrix stays one, whose lists are rows of the matrix; with `unroll`, a table has a row
// for each leg, and a template a job for each row.
//
// Warns (not-imported) of each part that could not be taken over and stays as it was, at its
// place. Reports what makes the whole impossible, and returns no files then: text that is no YAML,
// two workflows of one name, a workflow with `$[[`.
Imported ImportWorkflows(std::span<const FileId> workflows, bool unroll, SourceManager& sources,
                         Arena& arena, Diagnostics& diagnostics);

}  // namespace wheelwright
