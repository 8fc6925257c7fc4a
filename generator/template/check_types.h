// Checks the types of all expressions of the templates, each once, whatever instances there are.
#pragma once

#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/expression/type.h"
#include "generator/template/tree.h"

namespace wheelwright::template_tree {

// `files` are in an order in which each comes before those that it includes: what includes give a
// fragment are the types of its arguments. Without `all_includes_known` an argument is any value.
// `matrix` are the names that every template sees.
//
// Names that nobody bound were reported before.
void CheckTypes(std::span<File* const> files, bool all_includes_known,
                std::span<const Property> matrix, const SourceManager& sources,
                Diagnostics& diagnostics);

}  // namespace wheelwright::template_tree
