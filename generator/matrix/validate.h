// Checks what was read of the matrix against its description in schema.h.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct MatrixFile {
  const FileSchema* schema = nullptr;
  const Node* root = nullptr;  // null: there is no such file, or it is empty
  bool readable = true;        // false: its text is no YAML, so nobody knows which names it defines
  SourceRange where;           // the file's first character
};

// Reports unknown and missing keys, values of the wrong kind or form, names that nobody defined and
// texts that stand twice: all of them, in the order of the files. What concerns the sense of
// several tables together (an exclude that matches nothing) is ComputeCells' business.
void ValidateMatrix(std::span<const MatrixFile> files, Diagnostics& diagnostics);

// Reports why a value cannot be of the type; says nothing of names that rows define.
void ValidateValue(const Node& value, const Type& type, std::string_view name,
                   Diagnostics& diagnostics);

}  // namespace wheelwright
