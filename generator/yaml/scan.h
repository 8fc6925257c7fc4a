// Facts about YAML text that the parser does not report: ends and types of scalars.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// The type of a plain scalar: boolean, number or string (YAML 1.2.2, 10.3.2). The parser recognises
// null.
NodeKind PlainKind(std::string_view scalar);

// The type for a scalar's tag, or nothing: tags of the core schema (YAML 1.2.2, 10.3), and "" or
// "!" of quoted scalars.
std::optional<NodeKind> KindOfTag(std::string_view tag);

// Whether the text is a valid scalar of that type.
bool IsOfKind(std::string_view scalar, NodeKind kind);

// Offset of the start of the line of `at`.
std::size_t LineStart(std::string_view text, std::size_t at);

// Offset behind the anchor or alias (`&a`, `*a`) at `at`.
std::size_t EndOfAnchor(std::string_view text, std::size_t at);

// Offset of the node behind the anchor and tag at `at`.
std::size_t SkipProperties(std::string_view text, std::size_t at);

// Offset of the next character that is neither blank, line feed nor in a comment; the text's size
// when there is none.
std::size_t SkipBlanksAndComments(std::string_view text, std::size_t at);

// Offsets behind a scalar that starts at `at`. `value` is its content, or its first line.
std::size_t EndOfPlain(std::string_view text, std::size_t at, std::string_view value);
std::size_t EndOfQuoted(std::string_view text, std::size_t at);
// `parent_column` is the column of the collection around it, or nothing at the root.
std::size_t EndOfBlock(std::string_view text, std::size_t at,
                       std::optional<std::size_t> parent_column);

// Offset behind the bracket that closes a flow collection; `at` is behind its last entry.
std::size_t EndOfFlow(std::string_view text, std::size_t at);

// Where git has left the two versions of a conflict; nothing if it has not.
std::optional<std::size_t> FindConflict(std::string_view text);

}  // namespace wheelwright
