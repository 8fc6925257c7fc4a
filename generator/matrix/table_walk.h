// Rebuilds tables value by value, each by its type; rows that others name before those.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

class TableWalk {
 public:
  TableWalk(const Node* tables, const Schema& schema, Arena& arena)
      : tables_(tables), schema_(schema), arena_(arena) {}
  virtual ~TableWalk() = default;
  TableWalk(const TableWalk&) = delete;
  TableWalk& operator=(const TableWalk&) = delete;

  // The tables, by name. Values in which nothing changes stay as they are.
  const Node* All();

 protected:
  // Whether a value of the type changes, whatever its parts do.
  virtual bool Changes(const Type& type) const = 0;
  // A row whose parts are rebuilt; it may get more columns. `key` is null where it has none.
  virtual void Finish(const Type& type, const Node* key, SourceRange where, Node& row) = 0;

 private:
  // Tables do not embed each other in a circle: the schema was checked for that.
  const Node* Table(std::string_view name);
  const Node* Walk(const Node& value, const Type& type, const Node* key, SourceRange where);
  // Whether a value of the type may hold one that changes.
  bool MayHold(const Type& type);

  const Node* const tables_;
  const Schema& schema_;
  Arena& arena_;
  std::map<std::string_view, const Node*> done_;
  std::map<const Node*, const Node*> rows_;  // as they were: rebuilt
  std::map<const Type*, bool> may_hold_;
};

}  // namespace wheelwright
