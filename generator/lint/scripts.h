// Scripts of steps, looked at by shellcheck, and by ruff or pyflakes, where these are installed.
#pragma once

#include <cstddef>
#include <span>

#include "base/source.h"
#include "generator/lint/linter.h"

namespace wheelwright {

// Reports what the programs find into each file, at the line and column of the YAML.
//
// An expression in a script is replaced by as many underscores, as actionlint does, so that places
// hold. One process looks at many scripts; `threads` run at a time.
void CheckScripts(std::span<LintedFile* const> files, const SourceManager& sources,
                  std::size_t threads);

}  // namespace wheelwright
