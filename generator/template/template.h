// Templates: YAML with `$[[ ]]` in it, read once and expanded for each row that its head asks for.
// docs/templates.md explains the language.
//
// Reading finds all that does not depend on a value: the syntax of heads, directives and
// expressions, names that nobody bound or nobody uses, columns that rows do not have and types that
// do not fit, fragments and their arguments. So expansion,
// which happens once for each instance, has little left to report and shares what holds no `$[[ ]]`
// with the template.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/expression/scope.h"
#include "generator/expression/type.h"
#include "generator/yaml/node.h"

namespace wheelwright {

namespace template_tree {
struct File;
}

// All files below a folder of templates.
class TemplateSet {
 public:
  TemplateSet();
  ~TemplateSet();
  TemplateSet(TemplateSet&&) noexcept;
  TemplateSet& operator=(TemplateSet&&) noexcept;

  // Those that give workflows, sorted by path.
  std::span<const template_tree::File* const> templates() const { return templates_; }
  std::size_t files() const { return files_.size(); }

 private:
  friend class SetReader;
  std::vector<std::unique_ptr<template_tree::File>> files_;
  std::vector<const template_tree::File*> templates_;
};

// Reads every .yml and .yaml file below `folder` (messages say "templates/..." either way). `names`
// are those that all templates see. The arena must outlive the set.
//
// Reports all that is wrong in all files, and returns nothing then. Throws FileError when a file is
// there and cannot be read.
std::optional<TemplateSet> ReadTemplates(FileSystem& files, const std::string& folder,
                                         std::span<const Property> names, SourceManager& sources,
                                         Arena& arena, Diagnostics& diagnostics,
                                         std::size_t threads = 1);

// The names of a scope, whose types nobody knows.
std::vector<Property> NamesOf(const Scope* scope);

// One workflow file to be: a template, and the bindings of its head.
struct Instance {
  const template_tree::File* source = nullptr;
  const Scope* scope = nullptr;
  std::string_view file;        // "release_linux_pytorch_wheels_gfx1151.yml"
  const Node* named = nullptr;  // what gave it its name: `file` of the head
  // It holds `on.workflow_call` as written, so that others may call it.
  bool callable = false;
};

// Works out every instance of every template, in the order of the templates and of their rows.
// Reports heads that ask for no file or for the same one, and names that are none for a file.
std::vector<Instance> ListInstances(const TemplateSet& set, const Scope* scope,
                                    const SourceManager& sources, Arena& arena,
                                    Diagnostics& diagnostics);

struct Expanded {
  const Node* root = nullptr;  // null when there is an error
  std::span<const std::string_view> comments_end;
};

// The tree of one instance. New nodes live in `arena` and point into the template and the matrix.
// May be called on several threads, each with its own arena and diagnostics.
Expanded Expand(const Instance& instance, const SourceManager& sources, Arena& arena,
                Diagnostics& diagnostics);

// Positions of all instances, called files before their callers, as far as the `uses` of templates
// tell. A guess: an expression may stand for any file, and circles are cut somewhere.
std::vector<std::size_t> CalleesFirst(std::span<const Instance> instances);

// "templates/workflows/release_pytorch_wheels.yml".
std::string_view TemplateName(const Instance& instance, const SourceManager& sources);

}  // namespace wheelwright
