// Writes the template of one workflow: its text, with what a matrix changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/import/matrix_table.h"
#include "generator/import/matrix_uses.h"
#include "generator/workflow/model.h"
#include "generator/yaml/read.h"

namespace wheelwright {

struct JobImport {
  bool taken = false;            // its matrix comes from a table
  bool unrolled = false;         // ... which has its legs
  MatrixTable* table = nullptr;  // of a taken one
};

struct ImportedWorkflow {
  FileId file = kNoFile;
  std::string name;  // "ci" of ci.yml
  std::string stem;  // of its file of the matrix
  Document document;
  Workflow workflow;
  std::vector<JobImport> jobs;  // as those of the workflow
};

// Whether two unrolled jobs have one matrix, so that a leg of one needs the same leg of the other.
bool InOneChain(const ImportedWorkflow& workflow, std::size_t job, std::size_t needed);

// Why the use cannot be written for each leg; empty: it can.
std::string ObstacleOf(const MatrixUse& use, const std::vector<MatrixLeg>& legs);

// The text in its place; `variable` is the leg.
std::string TextFor(const MatrixUse& use, const std::vector<MatrixLeg>& legs,
                    std::string_view variable);

// Whether the names of unrolled jobs need a text of the leg: not all legs have all values, or some
// are no scalars.
bool NeedsLabel(const Job& job, const MatrixTable& table);

// The template. Fills in the texts of its tables.
std::string TemplateText(ImportedWorkflow& workflow, const SourceManager& sources);

}  // namespace wheelwright
