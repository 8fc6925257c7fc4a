// What a template's file becomes when it is read: its nodes, sorted into what stays as it is and
// what has to be computed, with every expression parsed and every fragment found.
//
// Everything lives in the arena that the templates were read into and is not changed once read.
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

// An expression and where it stands.
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
  kShared,  // holds no `$[[ ]]`: the template's node itself
  kWhole,   // one expression and nothing else: any value
  kJoined,  // text with expressions in it
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

// A name that a directive or head gives to a value.
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

// An entry of a mapping, an item of a sequence, or a directive that stands for some.
struct Member {
  MemberKind kind = MemberKind::kPlain;
  // The entry's key; of an item, the item; of a directive, its key. Comments hang on it, or, of a
  // directive among items, on `item`.
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

// `for` of a head.
struct Loop {
  Name name;
  Name second;
  const Code* list = nullptr;
};

struct Parameter {
  Name name;
  const Value* default_value = nullptr;  // null: must be given
};

// One file, be it a template or a fragment.
struct File {
  std::string path;  // below the folder: "workflows/release_pytorch_wheels.yml"
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

  // Fragments that it includes, with the first key that does.
  struct Inclusion {
    File* fragment;
    const Node* key;
  };
  std::vector<Inclusion> inclusions;

  Value body;

  // Of all templates, which are read behind the matrix: its files come before this one.
  FileId first_template = 0;
  std::size_t input_bytes = 0;  // of the matrix and of all templates
};

}  // namespace wheelwright::template_tree
