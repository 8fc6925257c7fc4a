// Warnings that a project knows of: the rows of the built-in table `acknowledged`.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// One place of a row: it may name several.
struct Acknowledgement {
  std::string_view code, at, why, issue;
  SourceRange where;  // of `at`
  const Node* row = nullptr;
  const Node* key = nullptr;  // what it names; null: there is no such row or column
  const Node* value = nullptr;
  std::size_t warnings = 0;  // taken so far
};

class Acknowledgements {
 public:
  explicit Acknowledgements(const Matrix& matrix);

  // Whether a row takes this warning of a check. Counts it.
  bool Take(std::string_view code, SourceRange where);

  // All that were taken.
  std::size_t warnings() const;
  const std::vector<Acknowledgement>& rows() const { return rows_; }

  // After the checks: warns of places that are not there, or have no such warning. Code:
  // unused-acknowledgement.
  void ReportUnused(const Matrix& matrix, Diagnostics& diagnostics) const;

 private:
  std::vector<Acknowledgement> rows_;
};

}  // namespace wheelwright
