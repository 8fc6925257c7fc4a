// The YAML tree that is read, expanded and emitted.
//
// Nodes live in an Arena, are immutable and shared: an expanded tree reuses unchanged nodes of
// template and matrix. Equality and evaluation use kind and content only; places, comments and
// style are for messages and the emitter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/source.h"

namespace wheelwright {

enum class NodeKind : std::uint8_t { kNull, kBoolean, kNumber, kString, kSequence, kMapping };

// How a node was written: a preference for the emitter.
enum class NodeStyle : std::uint8_t {
  kPlain,    // scalar without quotes
  kQuoted,   // 'x' or "x"
  kLiteral,  // |
  kFolded,   // >
  kBlock,    // collection, one entry a line
  kFlow,     // [a, b] or {a: b}
};

// Comments of a mapping key or sequence item. Texts include the '#'.
struct Comments {
  std::span<const std::string_view> above;  // whole lines before the node
  std::string_view trailing;                // behind the node on its line; empty: none
  bool blank_line_before = false;
  // They belong to the value and follow it through templates: the version behind a pin.
  bool of_value = false;
};

struct Node;
struct Scope;

struct Entry {
  const Node* key;  // always a scalar
  const Node* value;
};

struct Node {
  NodeKind kind = NodeKind::kNull;
  NodeStyle style = NodeStyle::kPlain;
  // The place of the node; of an expanded node, in the template. Covers a scalar as written (with
  // quotes or block header), or points at a collection's first character.
  SourceRange where;
  // The definition of an interpolated value, usually a cell of the matrix.
  SourceRange origin;
  // The value of a scalar: a string's characters; "true" or "false"; a number as it was written; ""
  // for null.
  std::string_view text;
  std::span<const Entry> entries;      // of a mapping, keys unique, in written order
  std::span<const Node* const> items;  // of a sequence
  const Comments* comments = nullptr;  // null: none
  const Scope* scope = nullptr;        // bindings during its expansion; null outside of templates

  bool is_scalar() const { return kind < NodeKind::kSequence; }
  bool is_null() const { return kind == NodeKind::kNull; }
  bool is_string() const { return kind == NodeKind::kString; }
  bool is_sequence() const { return kind == NodeKind::kSequence; }
  bool is_mapping() const { return kind == NodeKind::kMapping; }
  bool is_true() const { return kind == NodeKind::kBoolean && text == "true"; }
};

// The entry with that key (exact match), or null. `mapping` may be null or of another kind.
const Entry* FindEntry(const Node* mapping, std::string_view key);
const Node* Find(const Node* mapping, std::string_view key);

// The text of a scalar entry, or "".
std::string_view FindText(const Node* mapping, std::string_view key);

// The value of a number node. Accepts YAML 1.2 core forms (0x and 0o included).
double NumberValue(const Node& number);

// "a mapping", "a list", "the string 'x'", "the number 3": for messages.
std::string DescribeKind(const Node& node);

// Whether kind and content are equal, ignoring the order of mappings, places, style and comments.
bool SameContent(const Node& a, const Node& b);

// Make computed values, which have no place.
const Node* MakeNull(Arena& arena);
const Node* MakeBoolean(Arena& arena, bool value);
const Node* MakeNumber(Arena& arena, double value);
const Node* MakeString(Arena& arena, std::string_view text);  // copies the text
const Node* MakeSequence(Arena& arena, std::span<const Node* const> items);
const Node* MakeMapping(Arena& arena, std::span<const Entry> entries);

}  // namespace wheelwright
