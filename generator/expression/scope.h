// Names and their values while templates are expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

enum class BindingKind : std::uint8_t {
  kMatrix,    // a table of the matrix: families, actions
  kInstance,  // the template's head: what this file is for
  kFor,
  kLet,
  kArgument,  // of a fragment
  kFragment,  // no name but a border: the path of an included fragment and where it was included
};

// One name; the innermost of a list that ends with null. Scopes live in an Arena.
struct Scope {
  const Scope* parent = nullptr;
  std::string_view name;
  const Node* value = nullptr;
  BindingKind kind = BindingKind::kLet;
  SourceRange where;  // where it was bound
};

// The innermost binding of that name, or null. What is outside of a fragment cannot be seen in it,
// but for the tables of the matrix.
const Scope* Lookup(const Scope* scope, std::string_view name);

// All names that Lookup() finds, each once, the innermost first.
std::vector<std::string_view> VisibleNames(const Scope* scope);

// "platform=linux family=gfx94X-dcgpu combo=py312_torch210": instance and loop bindings from the
// outside in. A mapping is named by its `id`, else its `name`, else its `key`.
std::string DescribeInstance(const Scope* scope);

// Says in a report which instance it was found in, and through which fragments.
void AddInstance(const Scope* scope, Diagnostic& diagnostic);

}  // namespace wheelwright
