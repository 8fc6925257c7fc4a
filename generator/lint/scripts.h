// Checks scripts of steps with shellcheck, and with ruff or pyflakes, if installed.
#pragma once

#include <cstddef>
#include <span>

#include "base/source.h"
#include "generator/lint/linter.h"

namespace wheelwright {

// Sets LintedFile::scripts from its tree.
void CollectScripts(LintedFile& file);

// Reports the programs' findings for each file at their places in the YAML.
//
// Replaces expressions by underscores of the same length, as actionlint does, to keep places. One
// process checks many scripts; `threads` run in parallel.
void CheckScripts(std::span<LintedFile* const> files, const SourceManager& sources,
                  std::size_t threads);

}  // namespace wheelwright
