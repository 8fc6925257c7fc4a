// The values of axes: rows of tables, alone or in groups, and texts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "generator/matrix/cells.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// A value of an axis on which others depend.
struct Outer {
  std::string_view axis;
  std::string_view key;
  const Node* node = nullptr;
};
using Outers = std::vector<Outer>;

// Letters, digits and underscores stay, dots go, the rest becomes an underscore.
std::string IdPart(std::string_view text);

// "linux", "linux gcc": the keys, for "on linux"; empty without outer values.
std::string JoinKeys(const Outers& outers);

// Makes them, each once for the same outer values, so that sets share what templates see.
class AxisValues {
 public:
  AxisValues(const Matrix& matrix, const Scope* tables, Cells& cells, SchemaContext context)
      : matrix_(matrix), tables_(tables), cells_(cells), context_(context) {}

  // Every row of the table, in its order; a group stands where its first member does.
  const std::vector<AxisValue>& All(const AxisSchema& axis, const Outers& outers);
  // That row, or nothing when the table has none.
  std::optional<AxisValue> Row(const AxisSchema& axis, const Node& key, const Outers& outers);
  AxisValue Text(const AxisSchema& axis, const Node& text, const Outers& outers);
  // A group without some of its members.
  AxisValue Without(const AxisSchema& axis, const AxisValue& group,
                    const std::vector<std::string_view>& members, const Outers& outers);

  const Node* Table(std::string_view name) const { return wheelwright::Find(matrix_.tables, name); }

  // What is wrong with the members of groups, for all values of the axes on which they depend.
  // Codes: group-member-missing, group-member-broken, duplicate-group-member.
  void CheckGroups(const AxisSchema& axis, const std::vector<Outers>& all);

 private:
  using RowKey = std::tuple<const AxisSchema*, const Node*, std::vector<const Node*>>;

  const Node* RowOf(const AxisSchema& axis, const Node* row, const Outers& outers) const;
  const OutReason* OwnReason(const AxisSchema& axis, const Node* row, const Outers& outers);
  const AxisMember& Member(const AxisSchema& axis, const Entry& entry, const Node& row,
                           const Outers& outers);
  AxisValue Start(const AxisSchema& axis, const Node& name);
  AxisValue Single(const AxisSchema& axis, const Entry& entry, const Outers& outers);
  AxisValue Group(const AxisSchema& axis, const Entry& group, const Outers& outers);
  // The columns of a value that has its members.
  void Complete(const AxisSchema& axis, AxisValue& value, const Outers& outers);
  const Node* Merged(const AxisSchema& axis, const AxisValue& value, std::string_view column);
  const Node* ValueNode(const AxisSchema& axis, const AxisValue& value, const Scope* scope);
  void NameParts(const AxisSchema& axis, AxisValue& value, const Scope* scope);
  const Scope* Bind(const Scope* scope, std::string_view name, const Node* value);
  const Scope* BindOuters(const Outers& outers);
  const Node* Mapping(const std::vector<Entry>& entries, SourceRange where);
  const Entry* GroupOf(const AxisSchema& axis, std::string_view key, const Outers& outers) const;
  std::string_view Keep(const std::string& text);
  const OutReason* AddReason(OutReason reason);

  const Matrix& matrix_;
  const Scope* const tables_;
  Cells& cells_;
  const SchemaContext context_;
  std::map<RowKey, const AxisMember*> members_;
  std::map<RowKey, std::vector<AxisValue>> all_;
};

}  // namespace wheelwright
