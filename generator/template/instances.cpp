#include <fmt/format.h>

#include <map>
#include <string>

#include "generator/expression/values.h"
#include "generator/template/expand.h"
#include "generator/template/template.h"
#include "generator/template/tree.h"

namespace wheelwright {

using template_tree::Expander;
using template_tree::File;

namespace {

// The instances of one template after the other.
class InstanceLister {
 public:
  InstanceLister(const Scope* matrix, const SourceManager& sources, Arena& arena,
                 Diagnostics& diagnostics)
      : matrix_(matrix), sources_(sources), arena_(arena), diagnostics_(diagnostics) {}

  void List(const File& file) {
    const std::size_t before = instances_.size();
    const std::size_t errors = diagnostics_.errors();
    rounds_ = 0;
    Expander expander(file, sources_, arena_, diagnostics_);
    expander_ = &expander;
    Round(file, 0, matrix_);
    if (instances_.size() > before || diagnostics_.errors() > errors) return;
    Diagnostic diagnostic;
    diagnostic.code = "no-instance";
    diagnostic.where = file.head->where;
    diagnostic.message = "the template gives no file";
    diagnostic.hint =
        rounds_ == 0 ? "its `for` has no iteration" : "its `if` is false in every iteration";
    diagnostics_.Report(std::move(diagnostic));
  }

  std::vector<Instance> Take() { return std::move(instances_); }

 private:
  void Round(const File& file, std::size_t depth, const Scope* scope) {
    if (depth < file.loops.size()) {
      expander_->ForEach(file.loops[depth], BindingKind::kInstance, scope,
                         [&](const Scope* inner) { Round(file, depth + 1, inner); });
      return;
    }
    ++rounds_;
    if (file.condition != nullptr) {
      const Node* condition = expander_->Evaluate(*file.condition, scope);
      if (condition == nullptr || !IsTruthy(*condition)) return;
    }
    for (const template_tree::Argument& let : file.lets) {
      scope = expander_->Bind(scope, let.name, expander_->ExpandBinding(*let.value, scope),
                              BindingKind::kLet);
    }
    if (const auto name = expander_->ExpandText(*file.file_name, scope)) {
      Add(file, scope, std::string(*name));
    }
  }

  void Add(const File& file, const Scope* scope, const std::string& name) {
    const Node* named = file.file_name->node;
    Diagnostic diagnostic;
    diagnostic.where = named->where;
    AddInstance(scope, diagnostic);
    const bool extension =
        name.ends_with(".yml") || name.ends_with(".yaml") || name.ends_with(".json");
    if (!extension || name.find('/') != std::string::npos) {
      diagnostic.code = "file-name";
      diagnostic.message = fmt::format("'{}' is no name for a generated file", name);
      diagnostic.hint = extension ? "GitHub takes workflows of one folder: no '/'"
                                  : "it must end in .yml or .yaml, or for JSON in .json";
      diagnostics_.Report(std::move(diagnostic));
      return;
    }
    const auto [first, added] = names_.emplace(name, named);
    if (!added) {
      diagnostic.code = "same-file";
      diagnostic.message = fmt::format("two instances have the file '{}'", name);
      if (first->second == named) {
        diagnostic.hint = "put what distinguishes them into the name";
      } else {
        diagnostic.related.push_back({first->second->where, "the other one is named here"});
      }
      diagnostics_.Report(std::move(diagnostic));
      return;
    }
    instances_.push_back({&file, scope, arena_.Copy(std::string_view(name)), named, file.callable});
  }

  const Scope* matrix_;
  const SourceManager& sources_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  Expander* expander_ = nullptr;  // of the template in work
  std::map<std::string, const Node*> names_;
  std::vector<Instance> instances_;
  std::size_t rounds_ = 0;  // of the template in work
};

}  // namespace

std::vector<Instance> ListInstances(const TemplateSet& set, const Scope* matrix,
                                    const SourceManager& sources, Arena& arena,
                                    Diagnostics& diagnostics) {
  InstanceLister lister(matrix, sources, arena, diagnostics);
  for (const File* file : set.templates()) lister.List(*file);
  return lister.Take();
}

Expanded Expand(const Instance& instance, const SourceManager& sources, Arena& arena,
                Diagnostics& diagnostics) {
  Expander expander(*instance.source, sources, arena, diagnostics);
  const Node* root = expander.ExpandValue(instance.source->body, instance.scope);
  if (expander.failed()) return {};
  return {root, instance.source->comments_end};
}

std::string_view TemplateName(const Instance& instance, const SourceManager& sources) {
  return sources.Name(instance.source->id);
}

}  // namespace wheelwright
