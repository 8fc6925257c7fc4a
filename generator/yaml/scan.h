// What YAML text says beyond the events of a parser: where scalars end, and of which type they are.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// The type of a plain scalar: boolean, number or string. (YAML 1.2.2, 10.3.2; a parser knows the
// words for null.)
NodeKind PlainKind(std::string_view scalar);

// The type that a tag gives a scalar, or nothing: those of the core schema (YAML 1.2.2, 10.3), and
// "" or "!" of what is quoted.
std::optional<NodeKind> KindOfTag(std::string_view tag);

// Whether that is how a scalar of the type is written.
bool IsOfKind(std::string_view scalar, NodeKind kind);

// Offset of the first character of the line that `at` is in.
std::size_t LineStart(std::string_view text, std::size_t at);

// Offset behind the anchor or alias (`&a`, `*a`) that stands at `at`.
std::size_t EndOfAnchor(std::string_view text, std::size_t at);

// Offset of the node behind the anchor and the tag that stand at `at`.
std::size_t SkipProperties(std::string_view text, std::size_t at);

// Offset of the next character that is neither blank, line feed nor in a comment; the text's size
// when there is none.
std::size_t SkipBlanksAndComments(std::string_view text, std::size_t at);

// Offsets behind a scalar that starts at `at`.

// `value` is its content. Of a scalar of several lines, the first line.
std::size_t EndOfPlain(std::string_view text, std::size_t at, std::string_view value);
std::size_t EndOfQuoted(std::string_view text, std::size_t at);
// `parent_column` is that of the collection it is in, or nothing at the root.
std::size_t EndOfBlock(std::string_view text, std::size_t at,
                       std::optional<std::size_t> parent_column);

// Offset behind the bracket that closes a flow collection; `at` is behind its last entry.
std::size_t EndOfFlow(std::string_view text, std::size_t at);

}  // namespace wheelwright
