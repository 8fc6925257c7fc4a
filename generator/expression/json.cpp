#include "generator/expression/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "generator/expression/json_writer.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMaxJsonDepth = 100;

// Builds nodes from the parser's events, without recursion.
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

std::optional<std::string> ToJson(const Node& value, std::size_t limit) {
  JsonWriter writer(limit);
  writer.Value(value, JsonWriter::kAllLevels);
  if (writer.size() > limit) return std::nullopt;
  return writer.Take();
}

JsonValue FromJson(std::string_view text, Arena& arena) {
  NodeBuilder builder(text.size(), arena);
  if (nlohmann::json::sax_parse(text, &builder)) return {builder.root(), {}};
  return {nullptr, builder.message()};
}

}  // namespace wheelwright
