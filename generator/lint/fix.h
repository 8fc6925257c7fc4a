// Edits that fix findings, if there is only one way to do so and it changes nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/lint/linter.h"

namespace wheelwright {

struct Edit {
  SourceRange where;
  std::string text;  // the replacement
};

// Sorted by place, without overlaps.
//   deprecated-command    echo "::set-output name=x::y" and the like, in scripts for sh and bash
//   input-type            missing or superfluous quotes
//   expression-syntax     strings in double quotes
//   missing-permissions   if all steps clearly need only to read the repository
std::vector<Edit> FindEdits(const LintedFile& file, const SourceManager& sources);

// The edited text.
std::string ApplyEdits(std::string_view text, const std::vector<Edit>& edits);

}  // namespace wheelwright
