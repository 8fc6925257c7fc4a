// Where a job reads its matrix, and other jobs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "generator/workflow/model.h"

namespace wheelwright {

// `matrix.config.cc` in a scalar.
struct MatrixUse {
  const Node* scalar = nullptr;
  std::string_view key;            // of the entry that the scalar is the value of
  std::size_t begin = 0, end = 0;  // in the scalar's text
  std::vector<std::string_view> path;
  bool bracketed = false;  // the range has the brackets of `${{ matrix.os }}` too
  bool sole = false;       // ... and is the whole text
};

// `needs.build`: the range of the name alone.
struct NeedUse {
  const Node* scalar = nullptr;
  std::size_t begin = 0, end = 0;
  std::string_view job;
  bool quoted = false;  // needs['build']
};

// A condition without brackets, which get some when something else is put into it.
struct JobUses {
  std::vector<MatrixUse> matrix;
  std::vector<NeedUse> needs;
  std::vector<const Node*> bare_conditions;
  // What cannot be written for one leg alone, with the reason.
  const Node* obstacle = nullptr;
  std::string reason;
};

// Reads all of the job but its strategy.
JobUses UsesOf(const Workflow& workflow, const Job& job);

// Whether the text reads `jobs.ID`, as outputs of a callable workflow do.
bool ReadsJob(const Workflow& workflow, std::string_view text, std::string_view job);

}  // namespace wheelwright
