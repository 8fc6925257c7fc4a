// Fills in what the matrix leaves out, so that templates always see every column.
#pragma once

#include "base/arena.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A value that was found valid, with every column of every row present, in the order of the
// description.
const Node* FillDefaults(const Node* value, const Type& type, SourceRange where, Arena& arena);

// `value`, after FillDefaults, with the names of embedded columns replaced by the rows they name.
// `tables` maps each table's name to what FillDefaults made of it.
const Node* EmbedRows(const Node* value, const Type& type, const Node* tables, Arena& arena);

}  // namespace wheelwright
