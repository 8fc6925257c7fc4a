// Writes a tree as JSON, compact, so that a change of a row is a change of one line.
#pragma once

#include <string>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// `root` is a mapping, before whose entries stands `"generated_by": mark`. What the template writes
// as a block takes a line for each of its entries, what it writes in { } or [ ] stands on one line.
// A value of the matrix takes a line for each of its rows if it holds nothing but lists and
// mappings, else one line.
std::string EmitJson(const Node& root, std::string_view mark);

}  // namespace wheelwright
