// What must always hold of a matrix, as a schema says it: `checks` of matrix/schema.yml and of the
// built-in schema. docs/schema-language.md describes them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/expression/scope.h"
#include "generator/expression/type.h"
#include "generator/matrix/schema_expression.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// `NAME in LIST`, `KEY, NAME in MAPPING` or `NAME = VALUE`.
struct CheckLoop {
  std::string_view key;  // of a list the position; empty: it has no name
  std::string_view name;
  SourceRange where;
  bool binds = false;  // a name for a value: no loop
  SchemaExpression of;
};

// A line behind a message, or another place that matters: one for each round of the loops.
struct CheckLine {
  std::vector<CheckLoop> each;
  std::optional<SchemaExpression> condition, at;
  SchemaExpression text;
};

struct RowCheck {
  std::string_view code;
  Severity severity = Severity::kError;
  std::vector<CheckLoop> each;
  std::optional<SchemaExpression> condition;  // rows for which it is false are not looked at
  std::optional<SchemaExpression> that;       // what must hold; nothing: the condition never may
  std::optional<SchemaExpression> at;         // nothing: the innermost row
  std::optional<SchemaExpression> hint;
  std::optional<SchemaExpression> near;  // names of which the value at the place should be one
  SchemaExpression message;
  std::vector<CheckLine> related, notes;
};

// Reads the rows of `checks`. Reports expressions that cannot be parsed. Code: schema-expression.
std::vector<RowCheck> ReadChecks(const Node* rows, const SourceManager& sources, Arena& arena,
                                 Diagnostics& diagnostics);

// Reports what is wrong with the expressions of checks whatever the values are. `names` are those
// that templates see.
void CheckTypesOf(std::span<const RowCheck> checks, std::span<const Property> names,
                  const SourceManager& sources, Diagnostics& diagnostics);

class Acknowledgements;

// Reports what does not hold of those of one severity. Findings of a check that differ in the
// innermost row alone, or in one word, are one report. What `acknowledged` takes is not reported.
void RunChecks(std::span<const RowCheck> checks, Severity severity, const Scope* scope,
               const SourceManager& sources, Diagnostics& diagnostics,
               Acknowledgements* acknowledged = nullptr);

}  // namespace wheelwright
