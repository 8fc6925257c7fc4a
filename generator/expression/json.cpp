#include "generator/expression/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "generator/expression/values.h"

namespace wheelwright {
namespace {

class JsonWriter {
 public:
  explicit JsonWriter(std::size_t limit) : limit_(limit) {}

  // False once the text is too long.
  bool Write(const Node& value) {
    switch (value.kind) {
      case NodeKind::kNull:
        text_ += "null";
        break;
      case NodeKind::kBoolean:
        text_ += value.text;
        break;
      case NodeKind::kNumber: {
        const double number = NumberValue(value);
        text_ += std::isfinite(number) ? FormatNumber(number) : "null";
        break;
      }
      case NodeKind::kString:
        AppendJsonString(text_, value.text);
        break;
      case NodeKind::kSequence:
        return Collection('[', ']', value.items, [this](const Node* item) { return Write(*item); });
      case NodeKind::kMapping:
        return Collection('{', '}', value.entries, [this](const Entry& entry) {
          AppendJsonString(text_, entry.key->text);
          text_ += ": ";
          return Write(*entry.value);
        });
    }
    return text_.size() <= limit_;
  }

  std::string Take() { return std::move(text_); }

 private:
  template <typename Item, typename WriteItem>
  bool Collection(char open, char close, std::span<const Item> items, const WriteItem& write) {
    text_ += open;
    indent_ += 2;
    bool first = true;
    for (const Item& item : items) {
      text_ += first ? "\n" : ",\n";
      text_.append(indent_, ' ');
      first = false;
      if (text_.size() > limit_ || !write(item)) return false;
    }
    indent_ -= 2;
    if (!items.empty()) {
      text_ += '\n';
      text_.append(indent_, ' ');
    }
    text_ += close;
    return text_.size() <= limit_;
  }

  std::size_t limit_;
  std::size_t indent_ = 0;
  std::string text_;
};

constexpr std::size_t kMaxJsonDepth = 100;

// Takes what the parser finds and makes nodes of it, without recursion.
class NodeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  NodeBuilder(std::size_t length, Arena& arena) : length_(length), arena_(arena) {}

  const Node* root() const { return root_; }
  const std::string& message() const { return message_; }

  bool null() override { return Add(MakeNull(arena_)); }
  bool boolean(bool value) override { return Add(MakeBoolean(arena_, value)); }
  bool number_integer(std::int64_t value) override { return Number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return Number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) override { return Number(value); }
  bool string(std::string& value) override { return Add(MakeString(arena_, value)); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return Open(); }
  bool start_array(std::size_t) override { return Open(); }

  bool key(std::string& name) override {
    Level& level = levels_.back();
    if (!level.names.insert(name).second) {
      message_ = fmt::format("the key '{}' stands twice in an object", name);
      return false;
    }
    level.key = MakeString(arena_, name);
    return true;
  }

  bool end_object() override {
    const Node* mapping = MakeMapping(arena_, levels_.back().entries);
    levels_.pop_back();
    return Add(mapping);
  }

  bool end_array() override {
    const Node* sequence = MakeSequence(arena_, levels_.back().items);
    levels_.pop_back();
    return Add(sequence);
  }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception&) override {
    message_ = position > length_
                   ? "the JSON text ends early"
                   : fmt::format("not JSON at byte {}, near '{}'", position, last_token);
    return false;
  }

 private:
  struct Level {
    const Node* key = nullptr;
    std::vector<Entry> entries;
    std::vector<const Node*> items;
    std::unordered_set<std::string> names;
  };

  bool Number(double value) { return Add(MakeNumber(arena_, value)); }

  bool Open() {
    if (levels_.size() == kMaxJsonDepth) {
      message_ = fmt::format("the JSON text is nested more than {} levels deep", kMaxJsonDepth);
      return false;
    }
    levels_.emplace_back();
    return true;
  }

  bool Add(const Node* value) {
    if (levels_.empty()) {
      root_ = value;
    } else if (levels_.back().key != nullptr) {
      levels_.back().entries.push_back({levels_.back().key, value});
      levels_.back().key = nullptr;
    } else {
      levels_.back().items.push_back(value);
    }
    return true;
  }

  std::size_t length_;  // of the text
  Arena& arena_;
  const Node* root_ = nullptr;
  std::string message_;
  std::vector<Level> levels_;
};

}  // namespace

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

std::optional<std::string> ToJson(const Node& value, std::size_t limit) {
  JsonWriter writer(limit);
  if (!writer.Write(value)) return std::nullopt;
  return writer.Take();
}

JsonValue FromJson(std::string_view text, Arena& arena) {
  NodeBuilder builder(text.size(), arena);
  if (nlohmann::json::sax_parse(text, &builder)) return {builder.root(), {}};
  return {nullptr, builder.message()};
}

}  // namespace wheelwright
