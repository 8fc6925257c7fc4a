// Templates: YAML with `$[[ ]]`, read once and expanded for each row of its head. docs/templates.md
// explains the language.
//
// Reading reports all errors that do not depend on values: syntax of heads, directives and
// expressions, unbound and unused names, unknown columns and wrong types, fragments and their
// arguments. Expansion, once for each instance, shares parts without `$[[ ]]` with the template.
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

// Templates of another project, which includes name by "NAME/fragments/setup.yml".
struct TemplateSource {
  std::string name;
  std::string folder;             // "../other/templates"
  std::string shown;              // the same from the top of the project, for messages
  bool fetched = false;           // into the project's own folder of templates
  std::vector<const Node*> take;  // the files and folders in it that are read
  SourceRange where;
};

// All files below a folder of templates.
class TemplateSet {
 public:
  TemplateSet();
  ~TemplateSet();
  TemplateSet(TemplateSet&&) noexcept;
  TemplateSet& operator=(TemplateSet&&) noexcept;

  // The templates of workflows, sorted by path.
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
// `shared`: of other projects, what is taken is read too. Their fragments need not be used, and
// those that are not are not checked. What they include is of the same source.
//
// Reports all errors in all files and returns nothing then. Throws FileError when a file cannot be
// read.
std::optional<TemplateSet> ReadTemplates(FileSystem& files, const std::string& folder,
                                         std::span<const Property> names, SourceManager& sources,
                                         Arena& arena, Diagnostics& diagnostics,
                                         std::size_t threads = 1,
                                         std::span<const TemplateSource> shared = {});

// The names of a scope, with unknown types.
std::vector<Property> NamesOf(const Scope* scope);

// A file to generate, a workflow or JSON: a template with the bindings of its head.
struct Instance {
  const template_tree::File* source = nullptr;
  const Scope* scope = nullptr;
  std::string_view file;        // "release_linux_packages_alpha.yml"
  const Node* named = nullptr;  // the node with its name: `file` of the head
  // It has a literal `on.workflow_call`.
  bool callable = false;

  bool json() const { return file.ends_with(".json"); }
};

// Lists all instances in the order of templates and rows. Reports heads without files, equal file
// names, and invalid ones.
std::vector<Instance> ListInstances(const TemplateSet& set, const Scope* scope,
                                    const SourceManager& sources, Arena& arena,
                                    Diagnostics& diagnostics);

struct Expanded {
  const Node* root = nullptr;  // null when there is an error
  std::span<const std::string_view> comments_end;
};

// Expands one instance. New nodes live in `arena` and point into template and matrix. Safe to call
// from several threads, each with its own arena and diagnostics.
Expanded Expand(const Instance& instance, const SourceManager& sources, Arena& arena,
                Diagnostics& diagnostics);

// Indexes of all instances, callees before callers by the `uses` of templates. An estimate: an
// expression may be any file, and cycles are cut somewhere.
std::vector<std::size_t> CalleesFirst(std::span<const Instance> instances);

// "templates/workflows/release_packages.yml".
std::string_view TemplateName(const Instance& instance, const SourceManager& sources);

}  // namespace wheelwright
