#include "generator/yaml/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace wheelwright {

const Entry* FindEntry(const Node* mapping, std::string_view key) {
  if (mapping == nullptr) return nullptr;
  const auto found = std::find_if(mapping->entries.begin(), mapping->entries.end(),
                                  [&](const Entry& entry) { return entry.key->text == key; });
  return found == mapping->entries.end() ? nullptr : &*found;
}

const Node* Find(const Node* mapping, std::string_view key) {
  const Entry* entry = FindEntry(mapping, key);
  return entry == nullptr ? nullptr : entry->value;
}

std::string_view FindText(const Node* mapping, std::string_view key) {
  const Node* value = Find(mapping, key);
  return value != nullptr && value->is_scalar() ? value->text : std::string_view{};
}

double NumberValue(const Node& number) {
  std::string_view text = number.text;
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  double value = 0;
  const auto read_whole = [&](int base) {
    std::uint64_t whole = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), whole, base);
    value = static_cast<double>(whole);
  };
  if (text.starts_with("0x")) {
    read_whole(16);
  } else if (text.starts_with("0o")) {
    read_whole(8);
  } else if (text == ".inf" || text == ".Inf" || text == ".INF" || text == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == ".nan" || text == ".NaN" || text == ".NAN" || text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (std::from_chars(text.data(), text.data() + text.size(), value).ec ==
             std::errc::result_out_of_range) {
    value = std::numeric_limits<double>::infinity();
  }
  return negative ? -value : value;
}

std::string DescribeKind(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return "null";
    case NodeKind::kBoolean:
      return fmt::format("the boolean {}", node.text);
    case NodeKind::kNumber:
      return fmt::format("the number {}", node.text);
    case NodeKind::kString:
      return fmt::format("the string '{}'", node.text);
    case NodeKind::kSequence:
      return "a list";
    case NodeKind::kMapping:
      return "a mapping";
  }
  return "nothing";
}

bool SameContent(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case NodeKind::kNull:
      return true;
    case NodeKind::kNumber:
      return a.text == b.text || NumberValue(a) == NumberValue(b);
    case NodeKind::kBoolean:
    case NodeKind::kString:
      return a.text == b.text;
    case NodeKind::kSequence:
      return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                        [](const Node* x, const Node* y) { return SameContent(*x, *y); });
    case NodeKind::kMapping:
      return a.entries.size() == b.entries.size() &&
             std::all_of(a.entries.begin(), a.entries.end(), [&](const Entry& entry) {
               const Node* other = Find(&b, entry.key->text);
               return other != nullptr && SameContent(*entry.value, *other);
             });
  }
  return false;
}

const Node* MakeNull(Arena& arena) { return arena.New<Node>(); }

const Node* MakeBoolean(Arena& arena, bool value) {
  return arena.New<Node>(Node{.kind = NodeKind::kBoolean, .text = value ? "true" : "false"});
}

const Node* MakeNumber(Arena& arena, double value) {
  std::string text;
  if (std::isinf(value)) {
    text = value < 0 ? "-.inf" : ".inf";
  } else if (std::isnan(value)) {
    text = ".nan";
  } else if (value == std::trunc(value) && std::abs(value) < 1e15) {
    text = fmt::format("{}", static_cast<std::int64_t>(value));
  } else {
    text = fmt::format("{}", value);
  }
  return arena.New<Node>(
      Node{.kind = NodeKind::kNumber, .text = arena.Copy(std::string_view(text))});
}

const Node* MakeString(Arena& arena, std::string_view text) {
  return arena.New<Node>(Node{.kind = NodeKind::kString, .text = arena.Copy(text)});
}

const Node* MakeSequence(Arena& arena, std::span<const Node* const> items) {
  return arena.New<Node>(
      Node{.kind = NodeKind::kSequence, .style = NodeStyle::kBlock, .items = arena.Copy(items)});
}

const Node* MakeMapping(Arena& arena, std::span<const Entry> entries) {
  return arena.New<Node>(
      Node{.kind = NodeKind::kMapping, .style = NodeStyle::kBlock, .entries = arena.Copy(entries)});
}

}  // namespace wheelwright
