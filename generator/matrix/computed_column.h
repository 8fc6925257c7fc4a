// Columns that the schema computes: of rows, of the values of axes, of cells.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "generator/matrix/schema_expression.h"
#include "generator/matrix/schema_names.h"

namespace wheelwright {

struct ComputedList;

// A value, or a list with a row for each item of another.
struct ComputedColumn {
  std::string_view name;
  const Node* key = nullptr;              // of the column in the schema
  std::optional<SchemaExpression> value;  // nothing: `list`
  std::shared_ptr<const ComputedList> list;
};

struct ComputedList {
  std::string_view each;  // the name of an item in what follows
  SchemaExpression of;
  std::optional<SchemaExpression> condition;  // items for which it is false are left out
  std::vector<ComputedColumn> columns;
};

// What is needed to read and to compute, none of it owned.
struct SchemaContext {
  const SourceManager& sources;
  Arena& arena;
  Diagnostics& diagnostics;
};

// Reads a column: a text, or a mapping that says a list. Reports what cannot be parsed.
std::optional<ComputedColumn> ReadComputedColumn(const Node& key, const Node& value,
                                                 SchemaContext context);
// Reads `columns` of an axis or a set; null has none.
std::vector<ComputedColumn> ReadComputedColumns(const Node* columns, SchemaContext context);

// Calls visit(expression, names) for each expression of the columns; `names` are those of the lists
// around it.
using VisitExpression =
    std::function<void(const SchemaExpression&, std::span<const std::string_view>)>;
void ForEachExpression(std::span<const ComputedColumn> columns, const VisitExpression& visit);

// The type of a column, after a report of what is wrong whatever the values are. `types` looks
// names up in `names`.
ExprType TypeOf(const ComputedColumn& column, SchemaNames& names, TemplateTypes& types,
                TypePool& pool);

// Where it is computed.
SourceRange PlaceOf(const ComputedColumn& column, const SourceManager& sources);

// The value for the names of a scope; null after an error, which was reported.
const Node* Compute(const ComputedColumn& column, const Scope* scope, SourceRange where,
                    SchemaContext context);

}  // namespace wheelwright
