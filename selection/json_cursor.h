// Reads JSON of a known structure. Reports missing values and wrong types with their path, and goes
// on. The same code also records what it reads (JsonShape), so that a published schema cannot
// differ from the reader.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"

namespace wheelwright {

// What a reader asks of a value. One that takes several types records each of them.
struct JsonShape {
  struct Member {
    std::string name;
    bool optional = false;
    std::unique_ptr<JsonShape> shape;
  };

  bool null = false, text = false, boolean = false, number = false, object = false, list = false;
  std::optional<std::size_t> constant;  // of a number
  std::vector<std::string> words;       // of a text; empty: any
  std::vector<Member> members;
  std::unique_ptr<JsonShape> any_member;
  std::unique_ptr<JsonShape> item;

  Member& MemberOf(std::string_view member);
};

// Draft 7. Ends with a line feed.
std::string AsJsonSchema(const JsonShape& shape, std::string_view title,
                         std::string_view description);

// A value and its path for messages: "families.gfx94x.linux". A cursor to a missing value returns
// empty values without further reports.
class JsonCursor {
 public:
  JsonCursor(const Json& value, std::string_view file, Diagnostics& diagnostics)
      : value_(&value), file_(file), diagnostics_(&diagnostics) {}
  // Records what is read. All values are empty; none is null or a text.
  explicit JsonCursor(JsonShape& shape) : value_(nullptr), shape_(&shape), diagnostics_(nullptr) {}

  bool is_null() const;
  bool is_text() const;
  // Whether there is a member, which may be left out.
  bool Has(std::string_view key) const;
  // A member, which must be there.
  JsonCursor At(std::string_view key) const;

  std::string Text() const;
  std::string TextOrNothing() const;  // null is ""
  bool Boolean() const;
  void Is(std::size_t number) const;  // that number, which was compared before
  std::size_t Number() const;         // a whole number from 0 on
  std::optional<bool> BooleanOrNothing() const;
  std::vector<std::string> Texts() const;
  // null is no text, one text is a list of one.
  std::vector<std::string> OneOrMoreTexts() const;
  std::vector<std::pair<std::string, std::string>> TextPairs() const;

  // visit(key, cursor) for each member of an object; visit(cursor) for each item of a list.
  template <typename Visit>
  void EachMember(const Visit& visit) const {
    if (shape_ != nullptr) return visit(std::string(), AnyMember());
    if (!Expect(value_ != nullptr && value_->is_object(), "an object")) return;
    for (const auto& [key, value] : value_->items()) visit(key, Child(value, key));
  }
  template <typename Visit>
  void EachItem(const Visit& visit) const {
    if (shape_ != nullptr) return visit(Item());
    if (!Expect(value_ != nullptr && value_->is_array(), "a list")) return;
    std::size_t at = 0;
    for (const Json& item : *value_) visit(Child(item, std::to_string(at++)));
  }

  // Reports that the text is wrong; `what` says what it is.
  void Refuse(std::string_view what) const;

  // One of the words of a table of pairs (word, value).
  template <typename Value, std::size_t size>
  Value Word(const std::pair<std::string_view, Value> (&words)[size]) const {
    const std::string text = Text();
    if (shape_ != nullptr) {
      for (const auto& pair : words) shape_->words.emplace_back(pair.first);
    }
    for (const auto& [word, value] : words) {
      if (text == word) return value;
    }
    if (!text.empty()) Refuse("a word that this program does not know");
    return words[0].second;
  }

 private:
  JsonCursor(const Json* value, const JsonCursor& parent, std::string path)
      : value_(value),
        file_(parent.file_),
        path_(std::move(path)),
        diagnostics_(parent.diagnostics_) {}

  JsonCursor AnyMember() const;
  JsonCursor Item() const;
  JsonCursor Child(const Json& value, std::string_view key) const;
  // Reports unless `fits` is true or the value is missing.
  bool Expect(bool fits, std::string_view wanted) const;
  void Report(std::string message) const;

  const Json* value_;
  JsonShape* shape_ = nullptr;  // where what is read is recorded
  std::string_view file_;
  std::string path_;
  Diagnostics* diagnostics_;
};

}  // namespace wheelwright
