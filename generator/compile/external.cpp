#include <string>

#include "generator/compile/compile.h"

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
  // The matrix says all that it asks for.
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

void AddExternalWorkflows(const Matrix& matrix, InterfaceSet& interfaces) {
  for (const Entry& row : matrix.external_workflows->entries) {
    interfaces.Add(InterfaceOf(*row.value));
  }
}

}  // namespace wheelwright
