// Checks an action.yml of the repository as LinkFile() checks a workflow.
#pragma once

#include "base/diagnostic.h"
#include "generator/link/link.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Its expressions, and what its steps give to other actions and programs. `root` is a mapping.
void LinkAction(const Node& root, const LinkContext& context, Diagnostics& diagnostics);

}  // namespace wheelwright
