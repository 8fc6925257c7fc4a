#include "generator/expression/scope.h"

#include <algorithm>
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
  bool outside = false;
  for (; scope != nullptr; scope = scope->parent) {
    if (scope->kind == BindingKind::kFragment) {
      outside = true;
    } else if (scope->name == name && (!outside || scope->kind == BindingKind::kMatrix)) {
      return scope;
    }
  }
  return nullptr;
}

std::vector<std::string_view> VisibleNames(const Scope* scope) {
  std::vector<std::string_view> names;
  bool outside = false;
  for (; scope != nullptr; scope = scope->parent) {
    if (scope->kind == BindingKind::kFragment) outside = true;
    if (scope->kind == BindingKind::kFragment || (outside && scope->kind != BindingKind::kMatrix)) {
      continue;
    }
    if (std::find(names.begin(), names.end(), scope->name) == names.end()) {
      names.push_back(scope->name);
    }
  }
  return names;
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

void AddInstance(const Scope* scope, Diagnostic& diagnostic) {
  diagnostic.instance = DescribeInstance(scope);
  for (; scope != nullptr; scope = scope->parent) {
    if (scope->kind == BindingKind::kFragment) {
      diagnostic.related.push_back({scope->where, "included here"});
    }
  }
}

}  // namespace wheelwright
