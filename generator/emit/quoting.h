// The one table of what YAML needs quoted.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

enum class ScalarPlace {
  kKey,       // before ": "
  kBlock,     // behind "key: " or "- "
  kFlowItem,  // inside [ ] or { }
};

// The string as a plain or quoted YAML scalar of one line. Plain when every reader agrees that it
// is this string: YAML 1.2 core, YAML 1.1 (yes, on, 1_000, 12:30) and GitHub's parser. Quotes are
// double, but single around text that would need backslashes in double ones and holds no single
// quote, such as JSON. The key `on` stays plain, as every workflow writes it.
//
// UTF-8 passes through. What YAML calls not printable is escaped; so is each byte that is no UTF-8,
// as the character of that number.
std::string QuoteScalar(std::string_view text, ScalarPlace place);

// The same, behind what `out` holds.
void AppendScalar(std::string& out, std::string_view text, ScalarPlace place);

// Whether `text` may be written as it is, and is still a string to every reader.
bool IsPlainString(std::string_view text, ScalarPlace place);

// Bytes of the printable UTF-8 character at the front of `text`, which starts with a byte above
// 0x7F. 0 when it is malformed, a control character, a line end of YAML 1.1 (U+0085, U+2028,
// U+2029) or a byte order mark.
std::size_t PrintableCharacter(std::string_view text);

}  // namespace wheelwright
