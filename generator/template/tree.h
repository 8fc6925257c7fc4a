// The parsed form of a template file: nodes to copy, values to compute, parsed expressions,
// resolved fragments.
//
// It lives in the arena of the templates and is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/expression/ast.h"
#include "generator/yaml/node.h"

namespace wheelwright::template_tree {

struct File;
struct Member;

// An expression and its place.
struct Code {
  const Expr* root = nullptr;
  const Node* scalar = nullptr;  // the scalar that it is a part of
  std::size_t offset = 0;        // in the scalar's text
};

// A part of a scalar: text, or an expression.
struct Piece {
  std::string_view text;
  const Code* code = nullptr;  // null: text
};

enum class ValueKind : std::uint8_t {
  kShared,  // without `$[[ ]]`: the template's own node
  kWhole,   // exactly one expression: any value
  kJoined,  // text with expressions
  kMapping,
  kSequence,
};

struct Value {
  ValueKind kind = ValueKind::kShared;
  const Node* node = nullptr;
  std::span<const Piece> pieces;           // of kWhole (one) and kJoined
  std::span<const Member* const> members;  // of kMapping and kSequence
};

enum class MemberKind : std::uint8_t { kPlain, kFor, kIf, kLet, kInclude };

// A name that a directive or head binds.
struct Name {
  std::string_view text;  // empty: none
  SourceRange where;
};

// `if`, `elif` or `else`.
struct Branch {
  const Node* key = nullptr;
  const Node* item = nullptr;       // among items
  const Code* condition = nullptr;  // null: else
  std::span<const Member* const> body;
};

struct Argument {
  Name name;
  const Value* value = nullptr;
};

// An entry, an item, or a directive that produces entries or items.
struct Member {
  MemberKind kind = MemberKind::kPlain;
  // The key of an entry or directive, or the item. Its comments are used; for a directive among
  // items, those of `item`.
  const Node* node = nullptr;
  const Node* item = nullptr;  // of a directive among items
  const Value* key = nullptr;  // null among items
  const Value* value = nullptr;

  Name name;                            // of kFor and kLet
  Name second;                          // of kFor with two names
  const Code* list = nullptr;           // of kFor
  std::span<const Member* const> body;  // of kFor
  std::span<const Branch> branches;     // of kIf
  const File* fragment = nullptr;       // of kInclude
  std::span<const Argument> arguments;
};

// A `for` of a head.
struct Loop {
  Name name;
  Name second;
  const Code* list = nullptr;
};

struct Parameter {
  Name name;
  const Value* default_value = nullptr;  // null: must be given
};

// A template or fragment.
struct File {
  // The path of the fragment that an include in this file names.
  std::string Included(std::string_view named) const {
    return source.empty() ? std::string(named) : source + "/" + std::string(named);
  }

  std::string path;    // below the folder: "workflows/release_packages.yml"
  std::string source;  // the other project that `path` begins with, or ""
  FileId id = kNoFile;
  const Node* root = nullptr;
  const Node* head = nullptr;  // the head's key
  const Node* head_value = nullptr;
  bool fragment = false;
  std::span<const std::string_view> comments_end;

  std::vector<Loop> loops;          // of a template
  const Code* condition = nullptr;  // may be null
  std::vector<Argument> lets;
  const Value* file_name = nullptr;
  bool callable = false;

  std::vector<Parameter> parameters;  // of a fragment

  // Included fragments, each with the first key that includes it.
  struct Inclusion {
    File* fragment;
    const Node* key;
  };
  std::vector<Inclusion> inclusions;

  Value body;

  // The first file id of all templates; those of the matrix are lower.
  FileId first_template = 0;
  std::size_t input_bytes = 0;  // bytes of the matrix and all templates
};

}  // namespace wheelwright::template_tree
