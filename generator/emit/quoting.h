// The one table of what YAML needs quoted.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

enum class ScalarPlace {
  kKey,        // before ": "
  kBlock,      // behind "key: " or "- "
  kFlowItem,   // inside [ ] or { }
};

// The string as a plain or double-quoted YAML scalar of one line. Plain when every reader agrees that it is
// this string: YAML 1.2 core, YAML 1.1 (yes, on, 1_000, 12:30) and GitHub's parser.
std::string QuoteScalar(std::string_view text, ScalarPlace place);

// Whether `text` may be written as it is, and is still a string to every reader.
bool IsPlainString(std::string_view text, ScalarPlace place);

}  // namespace wheelwright
