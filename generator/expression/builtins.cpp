#include "generator/expression/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/characters.h"
#include "base/text.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/format_text.h"
#include "generator/expression/json.h"
#include "generator/expression/lexer.h"
#include "generator/expression/values.h"

namespace wheelwright {
namespace {

// The maximum length of an id: GitHub refuses 100.
constexpr std::size_t kMaxIdLength = 99;

// The text of any scalar; null is "", as in GitHub.
std::optional<std::string> LooseText(Call& call, std::size_t which, std::string hint) {
  const Node& value = *call.arguments[which];
  if (value.is_null()) return std::string();
  std::optional<std::string> text = TextOf(value);
  if (!text)
    call.Fail(fmt::format("expected a text, found {}", Call::Kind(value)), std::move(hint), which);
  return text;
}

const Node* StartOrEnd(Call& call, bool start) {
  const auto text = LooseText(call, 0, "");
  const auto part = text ? LooseText(call, 1, "") : std::nullopt;
  if (!part) return nullptr;
  if (part->size() > text->size()) return call.Boolean(false);
  const std::string_view whole = *text;
  const std::string_view piece =
      start ? whole.substr(0, part->size()) : whole.substr(whole.size() - part->size());
  return call.Boolean(EqualsIgnoringCase(piece, *part));
}

}  // namespace

const Node* Call::Fail(std::string why, std::string advice, std::size_t which) {
  message = std::move(why);
  hint = std::move(advice);
  argument = which;
  return nullptr;
}

std::string Call::Kind(const Node& value) {
  if (value.is_string() && value.text.size() > 40) return "a string";
  return DescribeKind(value);
}

std::optional<std::string_view> Call::String(std::size_t which) {
  const Node& value = *arguments[which];
  if (value.is_string()) return value.text;
  Fail(fmt::format("expected a string, found {}", Kind(value)),
       value.kind == NodeKind::kNumber ? "put it in quotes where it is defined" : "", which);
  return std::nullopt;
}

std::optional<std::string> Call::Part(const Node& value, std::size_t which) {
  std::optional<std::string> text = TextOf(value);
  if (!text) {
    const std::string_view advice = value.is_sequence()  ? "write join(list, ',') or toJSON(list)"
                                    : value.is_mapping() ? "write toJSON(mapping)"
                                                         : "";
    Fail(fmt::format("{} has no text", Kind(value)), std::string(advice), which);
  }
  return text;
}

bool Call::Spend(std::size_t bytes) {
  if (bytes > budget) {
    Fail("the expression computes too much text");
    return false;
  }
  budget -= bytes;
  return true;
}

const Node* Call::Text(std::string_view text) {
  return Spend(text.size()) ? MakeString(arena, text) : nullptr;
}

const Node* Call::List(std::span<const Node* const> items) {
  return Spend(items.size_bytes()) ? MakeSequence(arena, items) : nullptr;
}

const Node* Call::Boolean(bool value) { return MakeBoolean(arena, value); }

const Node* Contains(Call& call) {
  const Node& search = *call.arguments[0];
  const Node& item = *call.arguments[1];
  if (search.is_sequence()) {
    if (!item.is_scalar()) {
      return call.Fail(
          fmt::format("expected a text or number to look for, found {}", Call::Kind(item)), "", 1);
    }
    return call.Boolean(std::any_of(search.items.begin(), search.items.end(), [&](const Node* one) {
      return one->is_scalar() && Compare(item, *one) == Order::kEqual;
    }));
  }
  const auto text =
      LooseText(call, 0, search.is_mapping() ? "write contains(keys(mapping), item)" : "");
  const auto part = text ? LooseText(call, 1, "") : std::nullopt;
  if (!part) return nullptr;
  return call.Boolean(ToLower(*text).find(ToLower(*part)) != std::string::npos);
}

const Node* StartsWith(Call& call) { return StartOrEnd(call, true); }

const Node* EndsWith(Call& call) { return StartOrEnd(call, false); }

const Node* FormatText(Call& call) {
  const auto pattern = call.String(0);
  if (!pattern) return nullptr;
  std::vector<FormatPiece> pieces;
  if (auto error = ParseFormat(*pattern, pieces)) {
    return call.Fail(std::move(error->message), std::move(error->hint), 0);
  }
  std::string text;
  for (const FormatPiece& piece : pieces) {
    if (piece.argument == FormatPiece::kNoArgument) {
      text += piece.text;
      continue;
    }
    if (piece.argument >= call.arguments.size() - 1) {
      return call.Fail(fmt::format("no value is given for {}", piece.text),
                       fmt::format("{} given", Count(call.arguments.size() - 1, "value")), 0);
    }
    const std::size_t which = piece.argument + 1;
    const auto part = call.Part(*call.arguments[which], which);
    if (!part || !call.Spend(part->size())) return nullptr;
    text += *part;
  }
  return call.Text(text);
}

const Node* Join(Call& call) {
  const Node& list = *call.arguments[0];
  if (!list.is_sequence()) {
    const auto text = call.Part(list, 0);
    return text ? call.Text(*text) : nullptr;
  }
  std::string_view separator = ",";
  if (call.arguments.size() > 1) {
    const auto given = call.String(1);
    if (!given) return nullptr;
    separator = *given;
  }
  std::string text;
  for (const Node* item : list.items) {
    const auto part = call.Part(*item, 0);
    if (!part || !call.Spend(part->size() + separator.size())) return nullptr;
    if (item != list.items.front()) text += separator;
    text += *part;
  }
  return call.Text(text);
}

const Node* ToJsonText(Call& call) {
  const auto text = ToJson(*call.arguments[0], call.budget);
  if (!text) return call.Fail("the JSON text is too long");
  return call.Text(*text);
}

const Node* FromJsonText(Call& call) {
  const auto text = call.String(0);
  // A value needs much more memory than its text: "[1,1,1]".
  if (!text || !call.Spend(16 * text->size())) return nullptr;
  JsonValue json = FromJson(*text, call.arena);
  if (json.value == nullptr) return call.Fail(std::move(json.message), "", 0);
  return json.value;
}

const Node* Slug(Call& call) {
  const auto text = call.Part(*call.arguments[0], 0);
  if (!text) return nullptr;
  std::string slug;
  for (const char c : ToLower(*text)) {
    if (IsLowerLetter(c) || IsDigit(c)) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (slug.ends_with('-')) slug.pop_back();
  if (slug.empty()) {
    return call.Fail(fmt::format("nothing is left of '{}' as a slug", *text),
                     "it keeps a-z and 0-9 alone", 0);
  }
  return call.Text(slug);
}

// A legal id matches [A-Za-z_][A-Za-z0-9_-]*, does not start with two underscores, and is shorter
// than 100 characters (IdBuilder.cs of GitHub's runner).
const Node* JobId(Call& call) {
  const auto text = call.Part(*call.arguments[0], 0);
  if (!text) return nullptr;
  std::string id;
  bool replaced = false;
  for (const char c : *text) {
    if (c == '.') continue;
    const bool legal = IsWordCharacter(c) || c == '-';
    if (legal) {
      id += c;
    } else if (!replaced) {
      id += '_';
    }
    replaced = !legal;
  }
  if (!id.empty() && (IsDigit(id[0]) || id[0] == '-')) id.insert(0, 1, '_');
  if (id.starts_with("__")) id.erase(0, id.find_first_not_of('_') - 1);
  if (id.empty() || id == "_") {
    return call.Fail(fmt::format("nothing is left of '{}' as a job's id", *text), "", 0);
  }
  if (id.size() > kMaxIdLength) {
    return call.Fail(fmt::format("the job's id '{}' has {} characters", id, id.size()),
                     fmt::format("GitHub allows {}", kMaxIdLength), 0);
  }
  return call.Text(id);
}

const Node* Length(Call& call) {
  const Node& value = *call.arguments[0];
  if (value.is_sequence()) return MakeNumber(call.arena, static_cast<double>(value.items.size()));
  if (value.is_string()) {
    return MakeNumber(call.arena, static_cast<double>(CountCharacters(value.text)));
  }
  return call.Fail(fmt::format("expected a list or a string, found {}", Call::Kind(value)),
                   value.is_mapping() ? "write length(keys(mapping))" : "", 0);
}

const Node* Keys(Call& call) {
  const Node& mapping = *call.arguments[0];
  if (!mapping.is_mapping()) {
    return call.Fail(fmt::format("expected a mapping, found {}", Call::Kind(mapping)), "", 0);
  }
  std::vector<const Node*> keys;
  for (const Entry& entry : mapping.entries) keys.push_back(entry.key);
  return call.List(keys);
}

const Node* Unique(Call& call) {
  const Node& list = *call.arguments[0];
  if (!list.is_sequence()) {
    return call.Fail(fmt::format("expected a list, found {}", Call::Kind(list)), "", 0);
  }
  std::unordered_set<std::string> seen;
  std::vector<const Node*> collections;
  std::vector<const Node*> kept;
  for (const Node* item : list.items) {
    bool fresh;
    if (item->is_scalar()) {
      const std::string text = TextOf(*item).value_or("");
      fresh = seen.insert(static_cast<char>('0' + static_cast<int>(item->kind)) + text).second;
    } else {
      if (!call.Spend(collections.size())) return nullptr;
      fresh = std::none_of(collections.begin(), collections.end(),
                           [&](const Node* other) { return SameContent(*item, *other); });
      if (fresh) collections.push_back(item);
    }
    if (fresh) kept.push_back(item);
  }
  return kept.size() == list.items.size() ? &list : call.List(kept);
}

const Node* Lower(Call& call) {
  const auto text = call.String(0);
  return text ? call.Text(ToLower(*text)) : nullptr;
}

const Node* Upper(Call& call) {
  const auto text = call.String(0);
  if (!text) return nullptr;
  std::string upper(*text);
  for (char& c : upper) {
    if (IsLowerLetter(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return call.Text(upper);
}

const Node* Replace(Call& call) {
  const auto text = call.String(0);
  const auto from = text ? call.String(1) : std::nullopt;
  const auto to = from ? call.String(2) : std::nullopt;
  if (!to) return nullptr;
  if (from->empty()) return call.Fail("expected a text to replace, found ''", "", 1);
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t next = text->find(*from, at);
    result += text->substr(at, next == std::string_view::npos ? next : next - at);
    if (next == std::string_view::npos) break;
    if (!call.Spend(to->size())) return nullptr;
    result += *to;
    at = next + from->size();
  }
  return call.Text(result);
}

const Node* SplitText(Call& call) {
  const auto text = call.String(0);
  const auto separator = text ? call.String(1) : std::nullopt;
  if (!separator) return nullptr;
  if (separator->empty()) return call.Fail("expected a separator, found ''", "", 1);
  std::vector<const Node*> parts;
  std::size_t at = 0;
  for (;;) {
    const std::size_t next = text->find(*separator, at);
    const Node* part =
        call.Text(text->substr(at, next == std::string_view::npos ? next : next - at));
    if (part == nullptr || !call.Spend(sizeof(Node))) return nullptr;
    parts.push_back(part);
    if (next == std::string_view::npos) return call.List(parts);
    at = next + separator->size();
  }
}

}  // namespace wheelwright
