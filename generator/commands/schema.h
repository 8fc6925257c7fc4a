// JSON Schemas as files, for editors.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generator/matrix/read_schema.h"

namespace wheelwright {

// Names and texts: "triggers.schema.json" for each file of the matrix, that of schema.yml, and that
// of lint's configuration.
std::vector<std::pair<std::string, std::string>> SchemaFiles(const Schema& schema);

}  // namespace wheelwright
