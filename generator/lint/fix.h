// Edits that mend findings where there is one way to, and it changes nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/lint/linter.h"

namespace wheelwright {

struct Edit {
  SourceRange where;
  std::string text;  // what comes in its place
};

// In the order of places, without overlaps.
//   deprecated-command    echo "::set-output name=x::y" and its kin, in scripts for sh and bash
//   input-type            quotes that a value lacks, or has too many
//   expression-syntax     strings in double quotes
//   missing-permissions   where it can be seen that no step needs more than to read the repository
std::vector<Edit> FindEdits(const LintedFile& file, const SourceManager& sources);

// The text with the edits made.
std::string ApplyEdits(std::string_view text, const std::vector<Edit>& edits);

}  // namespace wheelwright
