// Bindings of names to values during the expansion of templates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

enum class BindingKind : std::uint8_t {
  kMatrix,    // a table of the matrix: hosts, actions
  kInstance,  // the template's head, for each file
  kFor,
  kLet,
  kArgument,  // of a fragment
  kFragment,  // a border, no name: the path of an included fragment and the place of its inclusion
};

// One binding in a linked list, innermost first. Scopes live in an Arena.
struct Scope {
  const Scope* parent = nullptr;
  std::string_view name;
  const Node* value = nullptr;
  BindingKind kind = BindingKind::kLet;
  SourceRange where;  // where it was bound
};

// The innermost binding of that name, or null. A fragment sees only its own bindings and the tables
// of the matrix.
const Scope* Lookup(const Scope* scope, std::string_view name);

// All names that Lookup() finds, without duplicates, innermost first.
std::vector<std::string_view> VisibleNames(const Scope* scope);

// "platform=linux host=alpha build=gcc14_debug": instance and loop bindings, outermost
// first. Mappings are shown by their `id`, `name` or `key`.
std::string DescribeInstance(const Scope* scope);

// Adds the instance and the including fragments to a report.
void AddInstance(const Scope* scope, Diagnostic& diagnostic);

}  // namespace wheelwright
