// The types that expressions see of tables and rows, by their schema.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "generator/expression/type_pool.h"
#include "generator/matrix/schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

class TypesOfSchema {
 public:
  // `tables`: every table by its name, or null while none was read; then keys are not known. All
  // must outlive this and the types.
  TypesOfSchema(const Schema& schema, const Node* tables, TypePool& pool)
      : schema_(schema), tables_(tables), pool_(pool) {}

  // Of a value that fits the type and has its defaults.
  ExprType Of(const Type& type);
  // Of a row, with columns in front of its own. A column that it has too is the one given here.
  ExprType RowOf(const Type& row, std::span<const Property> more);
  // Of a table as it stands: a mapping by key.
  ExprType OfTable(const Column& table);
  // Of a table as templates see it: where it has a `key`, a list of rows with that column.
  ExprType OfTableInTemplates(const Column& table);
  // The columns of every table, by name, as templates see them; tables that the compiler computes
  // something of are given as they stand.
  std::vector<Property> OfTables();

  // The names of a table's rows.
  ExprType KeyOf(std::string_view table);

 private:
  ExprType OfColumn(const Column& column);
  ExprType OfName(const Type& type);

  const Schema& schema_;
  const Node* tables_;
  TypePool& pool_;
  std::map<std::string_view, ExprType> embedded_;  // the rows of a table
  std::map<std::string_view, ExprType> keys_;
};

}  // namespace wheelwright
