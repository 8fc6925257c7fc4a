// Fills in what the matrix leaves out, so that templates always see every column.
#pragma once

#include "base/arena.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A value that was found valid, with every column of every row present, in the order of the
// description.
const Node* FillDefaults(const Node* value, const Type& type, SourceRange where, Arena& arena);

// The tables, by name, after FillDefaults, with the names of embedded columns replaced by the rows
// they name, which have theirs replaced as well.
const Node* EmbedTables(const Node* tables, const Schema& schema, Arena& arena);

}  // namespace wheelwright
