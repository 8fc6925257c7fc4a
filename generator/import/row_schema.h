// Infers the kinds of row for a schema from the values that rows have.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// A value on one line, with numbers as GitHub writes them: 3.10 is 3.1.
std::string FlowText(const Node& value);

// Lower-case letters, digits and single `_`, beginning with a letter: the name of a table.
std::string TableName(std::string_view text);

// Whether a column can have the name.
bool IsColumnName(std::string_view name);

// What a missing column is for templates.
enum class Missing {
  kOmitted,  // not there, so a row that is written out is what was read
  kEmpty,    // an empty text, or a row whose columns are so: what GitHub makes of it in a text
};

class RowSchema {
 public:
  // Adds a kind of row with these rows' columns; `first` are lines of columns in front of them.
  // Returns its name.
  std::string AddRow(const std::string& name, std::string_view noun,
                     const std::vector<std::span<const Entry>>& rows, Missing missing,
                     std::string first = {});

  // The kinds of row, as they stand below `rows`.
  const std::string& text() const { return text_; }

 private:
  // The type that all of the values have. Kinds of row that it needs are called like `name`.
  std::string TypeOf(const std::vector<const Node*>& values, const std::string& name,
                     Missing missing);

  std::string text_;
  std::set<std::string> names_;
};

}  // namespace wheelwright
