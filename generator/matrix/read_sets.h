// Reads `axes` and `sets` of matrix/schema.yml.
#pragma once

#include "generator/matrix/schema.h"
#include "generator/matrix/schema_layers.h"

namespace wheelwright {

// Adds them to a schema whose tables were read. Reports names of axes, tables and values that
// nobody defined, axes that depend on each other, and sets whose axes do not stand in their order.
// Codes: unknown-in-schema, schema-circle, schema-expression, bad-set, name-taken.
void ReadSets(const Layers& layers, SchemaContext context, Schema& schema);

}  // namespace wheelwright
