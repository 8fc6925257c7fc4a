// Variables in shell scripts: which a script reads, and which it may set itself.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

namespace wheelwright {

struct VariableRead {
  std::string_view name;
  std::size_t offset = 0;  // of the '$'
  std::size_t length = 0;
};

struct ScriptVariables {
  // `$NAME` and `${NAME}`, in order. Without `${NAME:-default}` and its relatives, which say that
  // the variable may be unset.
  std::vector<VariableRead> reads;
  // Names outside of quotes: `NAME=1`, `read NAME`, `for NAME in`, `[[ -v NAME ]]`.
  std::set<std::string_view> words;
  // Runs text that is not in the script and may set anything: `source`, `eval`, `set -a`.
  bool open = false;
};

// Of a script for a shell of POSIX. Knows quotes, comments, here-documents and expressions of
// GitHub's.
ScriptVariables ReadScriptVariables(std::string_view script);

// Whether `name` is in the text, as a word.
bool HasWord(std::string_view text, std::string_view name);

}  // namespace wheelwright
