#include "generator/expression/scope.h"

#include <atomic>
#include <vector>

namespace wheelwright {
namespace {

std::string_view NameOf(const Node& value) {
  if (value.is_scalar()) return value.text;
  for (const std::string_view key : {"id", "name", "key"}) {
    const Node* name = Find(&value, key);
    if (name != nullptr && name->is_scalar() && !name->text.empty()) return name->text;
  }
  return {};
}

}  // namespace

const Scope* Lookup(const Scope* scope, std::string_view name) {
  for (; scope != nullptr; scope = scope->parent) {
    if (scope->name != name) continue;
    // Instances are expanded on several threads and share the bindings of the matrix.
    if (scope->used != nullptr) {
      std::atomic_ref<bool> used(*scope->used);
      if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
    }
    return scope;
  }
  return nullptr;
}

std::string DescribeInstance(const Scope* scope) {
  std::vector<const Scope*> bindings;
  for (; scope != nullptr; scope = scope->parent) {
    const bool tells = scope->kind == BindingKind::kInstance || scope->kind == BindingKind::kFor;
    if (tells && scope->value != nullptr && !NameOf(*scope->value).empty())
      bindings.push_back(scope);
  }
  std::string text;
  for (auto binding = bindings.rbegin(); binding != bindings.rend(); ++binding) {
    if (!text.empty()) text += ' ';
    text.append((*binding)->name).append("=").append(NameOf(*(*binding)->value));
  }
  return text;
}

}  // namespace wheelwright
