// JSON text whose layout is the caller's: tables as one row a line, so that diffs are read with
// ease.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// A value on one line: {"a": 1, "b": ["x"]}.
void AppendJson(std::string& out, const Node& value);

// Writes one value, piece by piece. A collection is opened as a block (an item a line) or inline.
class JsonWriter {
 public:
  enum class Layout { kBlock, kInline };

  void Open(char bracket, Layout layout);  // '{' or '['
  void Close();
  void Key(std::string_view key);

  void String(std::string_view text);
  void Number(std::size_t number);
  void Boolean(bool value);
  void Value(const Node& value);  // on one line
  // The value with its first `levels` levels as blocks.
  void Value(const Node& value, int levels);

  void StringAt(std::string_view key, std::string_view text);
  void NumberAt(std::string_view key, std::size_t number);
  void ListAt(std::string_view key, const std::vector<std::string_view>& texts);  // on one line

  // The text, ended by a line feed. All must be closed.
  std::string Take();

 private:
  struct Level {
    char close;
    Layout layout;
    bool empty = true;
  };
  void Begin();  // an item: comma and line, unless its key has been written
  void NewLine();

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace wheelwright
