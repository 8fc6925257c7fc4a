#include "generator/compile/external.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/below.h"
#include "generator/output/folder.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

InputType TypeOf(std::string_view word) {
  for (const InputType type : {InputType::kBoolean, InputType::kNumber}) {
    if (word == NameOf(type)) return type;
  }
  return InputType::kString;
}

WorkflowInterface InterfaceOf(const Node& row) {
  WorkflowInterface interface;
  const Node* path = Find(&row, "path");
  interface.name = InterfaceName(path->text);
  interface.where = path->where;
  interface.callable = true;
  // The matrix lists all permissions that it needs.
  interface.permissions_explicit = true;
  for (const Entry& input : Find(&row, "inputs")->entries) {
    interface.inputs.push_back({.name = std::string(input.key->text),
                                .type = TypeOf(FindText(input.value, "type")),
                                .required = Find(input.value, "required")->is_true(),
                                .where = input.key->where});
  }
  for (const Entry& secret : Find(&row, "secrets")->entries) {
    interface.secrets.push_back({std::string(secret.key->text),
                                 Find(secret.value, "required")->is_true(), secret.key->where});
  }
  for (const Node* output : Find(&row, "outputs")->items) {
    interface.outputs.push_back({std::string(output->text), output->where});
  }
  for (std::size_t scope = 0; scope < kPermissionScopes.size(); ++scope) {
    const Node* access = Find(Find(&row, "permissions"), kPermissionScopes[scope]);
    if (access == nullptr) continue;
    interface.wants.push_back(
        {scope, ParseAccess(access->text).value_or(Access::kNone), interface.name, access->where});
  }
  return interface;
}

}  // namespace

const ExternalWorkflows::File* ExternalWorkflows::FileOf(std::string_view name) const {
  const auto file = std::ranges::find(files_, name, &File::name);
  return file == files_.end() ? nullptr : &*file;
}

void ExternalWorkflows::Read(FileSystem& files, const Matrix& matrix, const std::string& repository,
                             SourceManager& sources, Arena& arena, Diagnostics& diagnostics) {
  const auto read = [&](std::string_view uses, bool listed) {
    if (!uses.starts_with("./") || FileOf(InterfaceName(uses)) != nullptr) return;
    const std::string path(uses.substr(2));
    const auto text = files.Read(Below(repository, path));
    if (!text || (!listed && BearsMark(*text))) return;
    const Node* root = ReadYaml(sources, sources.Add(path, *text), arena, diagnostics).root;
    if (root == nullptr) return;
    File& file = files_.emplace_back();
    file.name = InterfaceName(uses);
    file.listed = listed;
    ReadWorkflow(*root, file.workflow);
  };
  for (const Entry& row : matrix.external_workflows->entries) {
    read(FindText(row.value, "path"), true);
  }
  for (std::size_t i = 0; i < files_.size(); ++i) {
    for (const Job& job : files_[i].workflow.jobs) {
      if (job.is_call()) read(job.uses.text(), false);
    }
  }
}

void ExternalWorkflows::AddTo(InterfaceSet& interfaces, const Matrix& matrix,
                              const TrustDomains& domains, const LocalActions& actions,
                              const SourceManager& sources) const {
  const auto add = [&](WorkflowInterface interface, const File* file) {
    if (file != nullptr) {
      Arena arena;
      Workflow space;
      FindTouches(*WithActions(file->workflow, &actions, arena, space), domains, sources,
                  interface);
    }
    interfaces.Add(std::move(interface));
  };
  for (const Entry& row : matrix.external_workflows->entries) {
    WorkflowInterface interface = InterfaceOf(*row.value);
    const File* file = FileOf(interface.name);
    add(std::move(interface), file);
  }
  for (const File& file : files_) {
    if (!file.listed) add(MakeInterface(file.name, file.workflow), &file);
  }
}

void ExternalWorkflows::Link(const LinkContext& context, std::vector<FileUsage>& usages,
                             Diagnostics& diagnostics) const {
  LinkContext of_trust{context.sources,    context.interfaces, context.limits,
                       LinkRules::Trust(), context.domains,    context.actions};
  for (const File& file : files_) {
    if (!file.listed) continue;
    usages.push_back(LinkFile({file.name, file.workflow}, of_trust, diagnostics));
  }
}

}  // namespace wheelwright
