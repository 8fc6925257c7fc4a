#include "generator/compile/external.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

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

void ExternalWorkflows::Read(FileSystem& files, const Matrix& matrix, const std::string& repository,
                             SourceManager& sources, Arena& arena, Diagnostics& diagnostics) {
  for (const Entry& row : matrix.external_workflows->entries) {
    std::string_view path = Find(row.value, "path")->text;
    if (!path.starts_with("./")) continue;
    path.remove_prefix(2);
    const auto text = files.Read(repository.empty() || repository == "."
                                     ? std::string(path)
                                     : fmt::format("{}/{}", repository, path));
    if (!text) continue;
    const FileId id = sources.Add(std::string(path), *text);
    const Node* root = ReadYaml(sources, id, arena, diagnostics).root;
    if (root == nullptr) continue;
    File& file = files_.emplace_back();
    file.name = InterfaceName(Find(row.value, "path")->text);
    ReadWorkflow(*root, file.workflow);
  }
}

void ExternalWorkflows::AddTo(InterfaceSet& interfaces, const Matrix& matrix,
                              const TrustDomains& domains, const LocalActions& actions,
                              const SourceManager& sources) const {
  for (const Entry& row : matrix.external_workflows->entries) {
    WorkflowInterface interface = InterfaceOf(*row.value);
    for (const File& file : files_) {
      if (file.name != interface.name) continue;
      Arena arena;
      Workflow space;
      FindTouches(*WithActions(file.workflow, &actions, arena, space), domains, sources, interface);
    }
    interfaces.Add(std::move(interface));
  }
}

void ExternalWorkflows::Link(const LinkContext& context, std::vector<FileUsage>& usages,
                             Diagnostics& diagnostics) const {
  LinkContext of_trust{context.sources,    context.interfaces, context.limits,
                       LinkRules::Trust(), context.domains,    context.actions};
  for (const File& file : files_) {
    usages.push_back(LinkFile({file.name, file.workflow}, of_trust, diagnostics));
  }
}

}  // namespace wheelwright
