// Writes JSON with a layout that the caller chooses: tables have one row a line, which makes diffs
// readable.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// Appends a string with quotes. `text` must be UTF-8.
void AppendJsonString(std::string& out, std::string_view text);

// Appends a value on one line: {"a": 1, "b": ["x"]}.
void AppendJson(std::string& out, const Node& value);

// Writes one value, piece by piece. A collection is opened as a block (an item a line) or inline.
class JsonWriter {
 public:
  enum class Layout { kBlock, kInline };
  static constexpr int kAllLevels = std::numeric_limits<int>::max();

  // Output stops after `limit` bytes and is no valid JSON then.
  explicit JsonWriter(std::size_t limit = std::numeric_limits<std::size_t>::max())
      : limit_(limit) {}

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

  std::size_t size() const { return out_.size(); }
  // The text. All collections must be closed.
  std::string Take() { return std::move(out_); }

 private:
  struct Level {
    char close;
    Layout layout;
    bool empty = true;
  };
  void Begin();  // an item: comma and line, unless its key has been written
  void NewLine();

  std::size_t limit_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace wheelwright
