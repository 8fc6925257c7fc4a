// Whether a matrix is written for this version of the program.
#pragma once

#include "base/diagnostic.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct Matrix;

// Looks at `settings.wheelwright` in the file as it was read, before anything is judged by this
// version's tables: what another version means by them would be reported as mistakes. Reports at
// the row and gives false when the range leaves this version out. A row of another form is left to
// whoever judges the file; `settings_file` may be null.
bool CheckMatrixVersion(const Node* settings_file, Diagnostics& diagnostics);

// Looks at the release that `settings.wheelrun` pins: an error when jobs would run one that the
// range leaves out, which is that of the release's own series if none is written; a warning when it
// is not this very version, since this is the one that wrote the workflows.
void CheckPinnedVersion(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
