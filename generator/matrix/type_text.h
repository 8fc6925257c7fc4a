// Reads how matrix/schema.yml writes a type: "map of key to row compiler".
#pragma once

#include <string_view>

#include "generator/matrix/schema.h"

namespace wheelwright {

// What the words of a type may name. Each reports a name that is not there, at its place in the
// text, and gives something to go on with.
class TypeNames {
 public:
  virtual ~TypeNames() = default;
  virtual Type Value(std::string_view name, std::size_t at) = 0;  // a format or a set of words
  virtual Type RowType(std::string_view name, std::size_t at) = 0;
  virtual Type NameOf(std::string_view path, std::size_t at, bool embedded) = 0;
  virtual void Enter(std::string_view step) = 0;  // into the items of a list or the values of a map
  virtual void Leave() = 0;
  virtual void Misread(std::size_t at, std::size_t length, std::string message) = 0;
};

// Words that no format or set of words can be called.
bool IsTypeWord(std::string_view word);

Type ReadType(std::string_view text, TypeNames& names);

}  // namespace wheelwright
