#include "generator/expression/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "generator/expression/values.h"

namespace wheelwright {

void AppendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\n\r\t\b\f";
  constexpr std::string_view kLetters = "\"\\nrtbf";
  out += '"';
  for (const char c : text) {
    if (const std::size_t at = kEscaped.find(c); at != std::string_view::npos) {
      out += '\\';
      out += kLetters[at];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void AppendJson(std::string& out, const Node& value) {
  const char* separator = "";
  switch (value.kind) {
    case NodeKind::kNull:
      out += "null";
      break;
    case NodeKind::kBoolean:
      out += value.text;
      break;
    case NodeKind::kNumber: {
      const double number = NumberValue(value);
      // JSON has no infinities, and fewer forms of numbers than YAML.
      out += std::isfinite(number) ? FormatNumber(number) : "null";
      break;
    }
    case NodeKind::kString:
      AppendJsonString(out, value.text);
      break;
    case NodeKind::kSequence:
      out += '[';
      for (const Node* item : value.items) {
        out += std::exchange(separator, ", ");
        AppendJson(out, *item);
      }
      out += ']';
      break;
    case NodeKind::kMapping:
      out += '{';
      for (const Entry& entry : value.entries) {
        out += std::exchange(separator, ", ");
        AppendJsonString(out, entry.key->text);
        out += ": ";
        AppendJson(out, *entry.value);
      }
      out += '}';
      break;
  }
}

void JsonWriter::NewLine() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::Begin() {
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  Level& level = levels_.back();
  const bool block = level.layout == Layout::kBlock;
  if (!std::exchange(level.empty, false)) out_ += block ? "," : ", ";
  if (block) NewLine();
}

void JsonWriter::Open(char bracket, Layout layout) {
  Begin();
  out_ += bracket;
  levels_.push_back({bracket == '{' ? '}' : ']', layout});
}

void JsonWriter::Close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::kBlock && !level.empty) NewLine();
  out_ += level.close;
}

void JsonWriter::Key(std::string_view key) {
  Begin();
  AppendJsonString(out_, key);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::String(std::string_view text) {
  Begin();
  AppendJsonString(out_, text);
}

void JsonWriter::Number(std::size_t number) {
  Begin();
  out_ += std::to_string(number);
}

void JsonWriter::Boolean(bool value) {
  Begin();
  out_ += value ? "true" : "false";
}

void JsonWriter::Value(const Node& value) {
  Begin();
  AppendJson(out_, value);
}

void JsonWriter::Value(const Node& value, int levels) {
  if (levels == 0 || value.is_scalar()) return Value(value);
  Open(value.is_mapping() ? '{' : '[', Layout::kBlock);
  for (const Entry& entry : value.entries) {
    if (out_.size() > limit_) return;
    Key(entry.key->text);
    Value(*entry.value, levels - 1);
  }
  for (const Node* item : value.items) {
    if (out_.size() > limit_) return;
    Value(*item, levels - 1);
  }
  Close();
}

void JsonWriter::StringAt(std::string_view key, std::string_view text) {
  Key(key);
  String(text);
}

void JsonWriter::NumberAt(std::string_view key, std::size_t number) {
  Key(key);
  Number(number);
}

void JsonWriter::ListAt(std::string_view key, const std::vector<std::string_view>& texts) {
  Key(key);
  Open('[', Layout::kInline);
  for (const std::string_view text : texts) String(text);
  Close();
}

}  // namespace wheelwright
