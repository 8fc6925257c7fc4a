// What the matrix of a job holds, also where an earlier step writes it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/type.h"
#include "generator/workflow/model.h"

namespace wheelwright {

class MatrixValues {
 public:
  explicit MatrixValues(const Workflow& workflow) : workflow_(workflow) {}

  // The keys, or nothing if only the run knows them. Of a matrix that a step of another job writes
  // as a literal (`echo 'matrix={"os": [...]}' >> "$GITHUB_OUTPUT"`) those of the literal; of one
  // with a comment behind it, `# wheelwright: matrix os, version`, those of the comment.
  std::optional<std::vector<std::string_view>> KeysOf(const Job& job);
  // The type of a key's values if all of them are known.
  ExprType TypeOf(const Job& job, std::string_view key);

 private:
  const Node* MatrixOf(const Job& job);
  // The value of an expression fromJSON(needs.x.outputs.y), or null.
  const Node* Written(std::string_view expression);
  ExprType TypeOfValues(const std::vector<const Node*>& values, int depth);

  const Workflow& workflow_;
  Arena arena_;
  std::map<const Job*, const Node*> matrices_;
  std::map<std::pair<const Job*, std::string>, ExprType> types_;
  std::deque<std::vector<Property>> properties_;
};

}  // namespace wheelwright
