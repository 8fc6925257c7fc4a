// Whether a value fits a JSON Schema, with the place of what does not: a line of a template, or a
// cell of the matrix. That, and being static, is why this is no library: they tell a path in the
// text.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Knows of JSON Schema what plain descriptions of files use: type, properties, required,
// additionalProperties, items, enum, const, minimum, and words for people. Reports any other
// keyword (json-schema); false then. `name` is how messages call the schema's file, `where` what
// named it.
bool CheckJsonSchema(const Node& schema, std::string_view name, SourceRange where,
                     Diagnostics& diagnostics);

// Reports what does not fit, once for each place (json-misfit). `file` is the file that `value`
// becomes, `name` that of the schema.
void CheckJsonFits(const Node& value, const Node& schema, std::string_view file,
                   std::string_view name, Diagnostics& diagnostics);

}  // namespace wheelwright
