// Columns of rows that the schema computes: `rows.KIND.computed` of matrix/schema.yml.
#pragma once

#include <cstddef>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/matrix/computed_column.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct ComputedValue {
  ComputedColumn column;
  std::size_t round = 0;  // it reads computed columns of earlier rounds alone
};

// Puts the computed columns of a schema into rounds. Reports those that read themselves, also by
// way of others and of tables. Code: schema-circle.
void OrderComputed(const Schema& schema, Diagnostics& diagnostics);

// The tables with their computed columns. Expressions see the tables, `row` and its `key`, which is
// null for a row without one. Reports expressions that are wrong whatever the values are, that
// cannot be evaluated, and values that do not fit the type of their column. Code: bad-computed.
const Node* ComputeColumns(const Node* tables, const Schema& schema, const SourceManager& sources,
                           Arena& arena, Diagnostics& diagnostics);

}  // namespace wheelwright
