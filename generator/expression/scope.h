// Names and their values while templates are expanded.
#pragma once

#include <string>
#include <string_view>

#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

enum class BindingKind : std::uint8_t {
  kMatrix,    // a table of the matrix: families, actions
  kInstance,  // the template's head: what this file is for
  kFor,
  kLet,
  kArgument,  // of a fragment
};

// One name; the innermost of a list that ends with null. Scopes live in an Arena.
struct Scope {
  const Scope* parent = nullptr;
  std::string_view name;
  const Node* value = nullptr;
  BindingKind kind = BindingKind::kLet;
  SourceRange where;  // where it was bound
  // Set once the name was looked up, so that a binding nobody reads can be reported. May be null.
  bool* used = nullptr;
};

// The innermost binding of that name, or null.
const Scope* Lookup(const Scope* scope, std::string_view name);

// "platform=linux family=gfx94X-dcgpu combo=py312_torch210": instance and loop bindings from the
// outside in. A mapping is named by its `id`, else its `name`, else its `key`.
std::string DescribeInstance(const Scope* scope);

}  // namespace wheelwright
