#include "generator/template/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace wheelwright::template_tree {
namespace {

constexpr std::array<std::string_view, 8> kKeywords = {"for", "if",      "elif",     "else",
                                                       "let", "include", "template", "fragment"};

Diagnostic Make(std::string_view code, const Name& name, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.where = name.where;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

}  // namespace

bool IsKeyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

void NameTable::Bind(const Name& name, BindingKind kind) {
  const auto same = std::find_if(bound_.begin(), bound_.end(),
                                 [&](const Bound& other) { return other.name.text == name.text; });
  if (same != bound_.end()) {
    Diagnostic diagnostic =
        Make("shadowed-name", name, fmt::format("'{}' is bound already", name.text),
             "choose another name");
    diagnostic.related.push_back({same->name.where, "bound here"});
    diagnostics_.Report(std::move(diagnostic));
  } else if (std::find(matrix_.begin(), matrix_.end(), name.text) != matrix_.end()) {
    diagnostics_.Report(Make("shadowed-name", name,
                             fmt::format("'{}' is a table of the matrix", name.text),
                             "choose another name"));
  }
  bound_.push_back({name, kind});
}

bool NameTable::Use(std::string_view name) {
  for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
    if (bound->name.text != name) continue;
    bound->used = true;
    return true;
  }
  return std::find(matrix_.begin(), matrix_.end(), name) != matrix_.end();
}

std::vector<std::string_view> NameTable::Visible() const {
  std::vector<std::string_view> names;
  for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
    names.push_back(bound->name.text);
  }
  names.insert(names.end(), matrix_.begin(), matrix_.end());
  return names;
}

void NameTable::Leave(std::size_t mark) {
  for (std::size_t i = mark; i < bound_.size(); ++i) {
    const Bound& bound = bound_[i];
    if (bound.used || doubtful_) continue;
    if (bound.kind == BindingKind::kArgument) {
      diagnostics_.Report(Make("unused-argument", bound.name,
                               fmt::format("the argument '{}' is never read", bound.name.text),
                               "remove it here and where the fragment is included"));
    } else {
      diagnostics_.Report(Make("unused-name", bound.name,
                               fmt::format("'{}' is never read", bound.name.text), "remove it"));
    }
  }
  bound_.resize(mark);
}

}  // namespace wheelwright::template_tree
