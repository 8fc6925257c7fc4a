// Short words for writing down the types of tables.h.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "generator/matrix/formats.h"
#include "generator/matrix/schema.h"

namespace wheelwright::types {

inline Type Plain(Type::Kind kind) {
  Type type;
  type.kind = kind;
  return type;
}
inline Type Text() { return Plain(Type::Kind::kText); }
inline Type AnyText() { return Plain(Type::Kind::kAnyText); }
inline Type Boolean() { return Plain(Type::Kind::kBoolean); }
inline Type Scalar() { return Plain(Type::Kind::kScalar); }
inline Type Of(const Format& format) {
  Type type = Plain(Type::Kind::kFormat);
  type.format = &format;
  return type;
}
inline Type NameOf(const Names& names) {
  Type type = Plain(Type::Kind::kName);
  type.names = &names;
  return type;
}
// The row itself, for templates; the name, in the file.
inline Type RowOf(const Names& names) {
  Type type = NameOf(names);
  type.embedded = true;
  return type;
}
inline Type AtLeast(long long least) {
  Type type = Plain(Type::Kind::kInteger);
  type.least = least;
  return type;
}
inline Type Word(std::string_view noun, std::vector<std::string_view> words) {
  Type type = Plain(Type::Kind::kWord);
  type.noun = noun;
  type.words = std::move(words);
  return type;
}
inline Type ListOf(Type item) {
  Type type = Plain(Type::Kind::kList);
  type.parts.push_back(std::move(item));
  return type;
}
inline Type MapOf(Type key, Type value) {
  Type type = Plain(Type::Kind::kMap);
  type.parts.push_back(std::move(key));
  type.parts.push_back(std::move(value));
  return type;
}
inline Type Either(Type first, Type second) {
  Type type = Plain(Type::Kind::kEither);
  type.parts.push_back(std::move(first));
  type.parts.push_back(std::move(second));
  return type;
}
inline Type OneOrMore(const Type& item) { return Either(item, ListOf(item)); }
inline Type Row(std::string_view noun, std::vector<Column> columns) {
  Type type = Plain(Type::Kind::kRow);
  type.noun = noun;
  type.columns = std::move(columns);
  return type;
}

}  // namespace wheelwright::types
