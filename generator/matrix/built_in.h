// Texts that the build takes in.
#pragma once

#include <string_view>

namespace wheelwright {

// matrix/limits.yml of this project. What a matrix does not say itself is read from it, and so is
// everything when there is no matrix: linting another repository.
extern const std::string_view kBuiltInLimits;

// generator/matrix/built_in_schema.yml: the tables that the compiler itself works with.
extern const std::string_view kBuiltInSchema;

// generator/matrix/schema_language.yml: what may stand in matrix/schema.yml.
extern const std::string_view kSchemaLanguage;

}  // namespace wheelwright
