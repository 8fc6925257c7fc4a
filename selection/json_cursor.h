// Reads JSON of a known structure. Reports missing values and wrong types with their path, and goes
// on.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace wheelwright {

// A value and its path for messages: "families.gfx94x.linux". A cursor to a missing value returns
// empty values without further reports.
class JsonCursor {
 public:
  using Json = nlohmann::ordered_json;

  JsonCursor(const Json& value, std::string_view file, Diagnostics& diagnostics)
      : value_(&value), file_(file), diagnostics_(&diagnostics) {}

  bool is_null() const { return value_ == nullptr || value_->is_null(); }
  bool is_text() const { return value_ != nullptr && value_->is_string(); }

  bool Has(std::string_view key) const {
    return value_ != nullptr && value_->is_object() && value_->contains(key);
  }
  // A member, which must be there.
  JsonCursor At(std::string_view key) const;

  std::string Text() const;
  std::string TextOrNothing() const;  // null is ""
  bool Boolean() const;
  std::size_t Number() const;  // a whole number from 0 on
  std::optional<bool> BooleanOrNothing() const;
  std::vector<std::string> Texts() const;
  // null is no text, one text is a list of one.
  std::vector<std::string> OneOrMoreTexts() const;
  std::vector<std::pair<std::string, std::string>> TextPairs() const;

  // visit(key, cursor) for each member of an object; visit(cursor) for each item of a list.
  template <typename Visit>
  void EachMember(const Visit& visit) const {
    if (!Expect(value_ != nullptr && value_->is_object(), "an object")) return;
    for (const auto& [key, value] : value_->items()) visit(key, Child(value, key));
  }
  template <typename Visit>
  void EachItem(const Visit& visit) const {
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

  JsonCursor Child(const Json& value, std::string_view key) const;
  // Reports unless `fits` is true or the value is missing.
  bool Expect(bool fits, std::string_view wanted) const;
  void Report(std::string message) const;

  const Json* value_;
  std::string_view file_;
  std::string path_;
  Diagnostics* diagnostics_;
};

}  // namespace wheelwright
