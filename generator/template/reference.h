// docs/template-reference.md, from the tables that the reading of templates works with.
#pragma once

#include <string>

namespace wheelwright {

// Heads, directives, names and functions, as Markdown.
std::string TemplateReference();

}  // namespace wheelwright
