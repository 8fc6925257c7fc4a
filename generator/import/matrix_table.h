// The tables that matrices of jobs become.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "generator/import/row_schema.h"
#include "generator/workflow/matrix_legs.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// The values of a path in all legs of a matrix.
struct LegValues {
  std::vector<const Node*> values;
  bool missing = false;  // a leg has none
};
LegValues ValuesOf(const std::vector<MatrixLeg>& legs, const std::vector<std::string_view>& path);

struct MatrixTable {
  std::string name;  // "ci_test"
  std::string stem;  // of its file: "ci"
  const Node* matrix = nullptr;
  bool unrolled = false;
  std::vector<MatrixLeg> legs;     // of an unrolled one
  std::vector<std::string> jobs;   // "job `test` of ci.yml"
  std::string text;                // the matrix as it is written, its keys at column 0
  std::size_t longest_job = 0;     // characters of the longest id of these jobs
  std::vector<std::string> notes;  // comments of jobs that repeat it
  std::string id = "id";           // the column that tells legs apart
  std::string label;               // the column with a leg's name for people; empty: not needed
};

// Whether it is known before the run: a mapping of lists without expressions that make them.
bool IsDynamic(const Node& value);

// Whether an expression is in a value, at any depth.
bool HoldsExpressions(const Node& value);

// All tables of an import. Jobs that repeat a matrix share one.
class MatrixTables {
 public:
  MatrixTable& Of(const Node& matrix, bool unrolled, std::string_view stem, std::string_view job);

  // The files of the matrix, without settings.yml: schema.yml and one for each workflow with
  // tables.
  struct File {
    std::string stem;
    std::string text;
  };
  std::vector<File> Files() const;

 private:
  std::deque<MatrixTable> tables_;
};

}  // namespace wheelwright
