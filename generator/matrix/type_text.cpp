#include "generator/matrix/type_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace wheelwright {
namespace {

using Kind = Type::Kind;

constexpr std::array<std::string_view, 10> kWords{"any", "boolean", "integer", "list",   "map",
                                                  "or",  "row",     "text",    "scalar", "to"};

Type Plain(Kind kind) {
  Type type;
  type.kind = kind;
  return type;
}

bool IsText(const Type& type) {
  return type.kind == Kind::kText || type.kind == Kind::kAnyText || type.kind == Kind::kFormat ||
         type.kind == Kind::kWord || type.kind == Kind::kName || type.kind == Kind::kAny;
}

class Parser {
 public:
  Parser(std::string_view text, TypeNames& names) : text_(text), names_(names) {
    for (const std::string_view word : Split(text, ' ')) words_.push_back(word);
  }

  Type Whole() {
    Type type = Single();
    if (Take("or")) {
      const std::size_t at = At();
      Type either = Plain(Kind::kEither);
      either.parts = {std::move(type), Single()};
      enum class Shape { kScalar, kList, kMapping };
      const auto shape = [](const Type& part) {
        if (part.kind == Kind::kList) return Shape::kList;
        const bool mapping = part.kind == Kind::kMap || part.kind == Kind::kRow;
        return mapping ? Shape::kMapping : Shape::kScalar;
      };
      if (shape(either.parts[0]) == shape(either.parts[1])) {
        Wrong(at, "only a list, or a mapping, can be told from what stands before `or`");
      }
      type = std::move(either);
    }
    if (!wrong_ && next_ < words_.size()) {
      Wrong(At(), fmt::format("nothing can follow here, and '{}' does", words_[next_]));
    }
    return wrong_ ? Plain(Kind::kAny) : type;
  }

 private:
  // Where the next word stands.
  // At the end, where the last one stands.
  std::size_t At() const {
    const std::string_view word = words_[std::min(next_, words_.size() - 1)];
    return static_cast<std::size_t>(word.data() - text_.data());
  }

  bool Take(std::string_view word) {
    if (next_ >= words_.size() || words_[next_] != word) return false;
    ++next_;
    return true;
  }

  void Expect(std::string_view word) {
    if (wrong_ || Take(word)) return;
    Wrong(At(), fmt::format("'{}' must stand {}", word,
                            next_ < words_.size() ? fmt::format("before '{}'", words_[next_])
                                                  : "at the end, and a type behind it"));
  }

  void Wrong(std::size_t at, std::string message) {
    if (wrong_) return;
    wrong_ = true;
    const std::size_t end = std::min(text_.find(' ', at), text_.size());
    const std::size_t length = end > at ? end - at : 0;
    names_.Misread(at, length, std::move(message));
  }

  std::string_view Next(std::string_view what) {
    if (next_ < words_.size()) return words_[next_++];
    Wrong(At(), fmt::format("{} is missing at the end", what));
    return {};
  }

  Type Inside() {
    names_.Enter("*");
    Type type = Single();
    names_.Leave();
    return type;
  }

  Type Single() {
    const std::size_t at = At();
    const std::string_view word = Next("a type");
    if (wrong_) return Plain(Kind::kAny);
    if (word == "text") return Plain(Kind::kText);
    if (word == "any") return Plain(Take("text") ? Kind::kAnyText : Kind::kAny);
    if (word == "boolean") return Plain(Kind::kBoolean);
    if (word == "scalar") return Plain(Kind::kScalar);
    if (word == "integer") return Integer();
    if (word == "list") {
      Expect("of");
      Type list = Plain(Kind::kList);
      list.parts.push_back(Inside());
      return list;
    }
    if (word == "map") return Map();
    // A format may be called `name`.
    const bool is_name = word == "name" && Take("of");
    if (is_name || word == "row") {
      const bool is_row = !is_name && !Take("of");
      const std::size_t named_at = At();
      const std::string_view named = Next(is_row ? "a kind of row" : "a table");
      if (wrong_) return Plain(Kind::kAny);
      return is_row ? names_.RowType(named, named_at)
                    : names_.NameOf(named, named_at, word == "row");
    }
    return names_.Value(word, at);
  }

  Type Integer() {
    Type type = Plain(Kind::kInteger);
    if (!Take("from")) return type;
    const std::size_t at = At();
    const std::string_view least = Next("a number");
    const auto read = std::from_chars(least.data(), least.data() + least.size(), type.least);
    if (read.ec != std::errc{} || read.ptr != least.data() + least.size()) {
      Wrong(at, "a whole number must stand behind `from`");
    }
    return type;
  }

  Type Map() {
    Expect("of");
    Type map = Plain(Kind::kMap);
    const std::size_t at = At();
    map.parts.push_back(Single());
    if (!wrong_ && !IsText(map.parts[0])) Wrong(at, "the key of a map is a text");
    Expect("to");
    map.parts.push_back(Inside());
    return map;
  }

  std::string_view text_;
  TypeNames& names_;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
  bool wrong_ = false;
};

}  // namespace

bool IsTypeWord(std::string_view word) { return std::ranges::find(kWords, word) != kWords.end(); }

Type ReadType(std::string_view text, TypeNames& names) { return Parser(text, names).Whole(); }

}  // namespace wheelwright
