// Quoting of YAML scalars.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

enum class ScalarPlace {
  kKey,       // before ": "
  kBlock,     // behind "key: " or "- "
  kFlowItem,  // inside [ ] or { }
};

// The string as a plain or quoted YAML scalar of one line. Plain if all readers take it for this
// string: YAML 1.2 core, YAML 1.1 (yes, on, 1_000, 12:30) and GitHub's parser. Quotes are double;
// single if that avoids backslashes and the text has no single quote, as in JSON. The key `on`
// stays plain, as in every workflow.
//
// UTF-8 is kept. Escapes characters that are not printable in YAML, and bytes that are not UTF-8 as
// the character with that number.
std::string QuoteScalar(std::string_view text, ScalarPlace place);

// Appends it to `out`.
void AppendScalar(std::string& out, std::string_view text, ScalarPlace place);

// Whether all readers take the unquoted text for this string.
bool IsPlainString(std::string_view text, ScalarPlace place);

// Bytes of the printable UTF-8 character at the front of `text`, which starts with a byte above
// 0x7F. 0 when it is malformed, a control character, a line end of YAML 1.1 (U+0085, U+2028,
// U+2029) or a byte order mark.
std::size_t PrintableCharacter(std::string_view text);

}  // namespace wheelwright
