// Edits of a text by lines and by places, which leave the rest of it as it was written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// The lines of an entry of a block mapping, from that of its key on; without the comments and blank
// lines behind it, which belong to what follows.
struct EntryLines {
  std::size_t begin = 0;
  std::size_t end = 0;     // behind the last line feed
  std::size_t column = 0;  // of the key, from 0
};
EntryLines LinesOf(std::string_view text, const Node& key);

// Whether nothing but blanks is in front of the key on its line.
bool StartsLine(std::string_view text, const Node& key);

// The lines with `from` blanks less and `to` more in front of each; empty lines stay empty.
std::string Reindented(std::string_view lines, std::size_t from, std::size_t to);

class TextEdits {
 public:
  // An empty range is a place to insert at.
  void Replace(std::size_t begin, std::size_t end, std::string text);
  // Moves the lines in [begin, end), which is a range of whole lines, to the right.
  void Indent(std::string_view text, std::size_t begin, std::size_t end, std::size_t by);
  std::string Apply(std::string_view text);

 private:
  struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
    bool indents = false;
  };
  std::vector<Edit> edits_;
};

}  // namespace wheelwright
