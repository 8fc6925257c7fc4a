#include "selection/json_cursor.h"

#include <fmt/format.h>

#include "base/quote.h"

namespace wheelwright {
namespace {

std::string_view KindOf(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "a boolean";
  if (value.is_null()) return "null";
  return "a number";
}

}  // namespace

bool JsonCursor::is_null() const {
  if (shape_ == nullptr) return value_ == nullptr || value_->is_null();
  shape_->null = true;
  return false;
}

bool JsonCursor::is_text() const {
  if (shape_ == nullptr) return value_ != nullptr && value_->is_string();
  shape_->text = true;
  return false;
}

bool JsonCursor::Has(std::string_view key) const {
  if (shape_ == nullptr) return value_ != nullptr && value_->is_object() && value_->contains(key);
  shape_->MemberOf(key).optional = true;
  return true;
}

JsonCursor JsonCursor::At(std::string_view key) const {
  if (shape_ != nullptr) {
    // EachMember() visits one member without a name, which stands for any.
    return key.empty() ? AnyMember() : JsonCursor(*shape_->MemberOf(key).shape);
  }
  const std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  if (!Expect(value_ != nullptr && value_->is_object(), "an object")) return {nullptr, *this, path};
  const auto found = value_->find(key);
  if (found != value_->end()) return {&*found, *this, path};
  Report(fmt::format("{} is missing", Quoted(path)));
  return {nullptr, *this, path};
}

JsonCursor JsonCursor::AnyMember() const {
  shape_->object = true;
  if (shape_->any_member == nullptr) shape_->any_member = std::make_unique<JsonShape>();
  return JsonCursor(*shape_->any_member);
}

JsonCursor JsonCursor::Item() const {
  shape_->list = true;
  if (shape_->item == nullptr) shape_->item = std::make_unique<JsonShape>();
  return JsonCursor(*shape_->item);
}

std::string JsonCursor::Text() const {
  if (shape_ != nullptr) shape_->text = true;
  if (!Expect(value_ != nullptr && value_->is_string(), "a text")) return {};
  return value_->get<std::string>();
}

std::string JsonCursor::TextOrNothing() const { return is_null() ? std::string() : Text(); }

bool JsonCursor::Boolean() const {
  if (shape_ != nullptr) shape_->boolean = true;
  return Expect(value_ != nullptr && value_->is_boolean(), "a boolean") && value_->get<bool>();
}

void JsonCursor::Is(std::size_t number) const {
  if (shape_ != nullptr) shape_->constant = number;
}

std::size_t JsonCursor::Number() const {
  if (shape_ != nullptr) shape_->number = true;
  const bool is_number = value_ != nullptr && value_->is_number_unsigned();
  return Expect(is_number, "a whole number") ? value_->get<std::size_t>() : 0;
}

std::optional<bool> JsonCursor::BooleanOrNothing() const {
  if (is_null()) return std::nullopt;
  return Boolean();
}

std::vector<std::string> JsonCursor::Texts() const {
  std::vector<std::string> texts;
  EachItem([&](const JsonCursor& item) { texts.push_back(item.Text()); });
  return texts;
}

std::vector<std::string> JsonCursor::OneOrMoreTexts() const {
  if (is_null()) return {};
  if (is_text()) return {Text()};
  return Texts();
}

std::vector<std::pair<std::string, std::string>> JsonCursor::TextPairs() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  EachMember([&](const std::string& key, const JsonCursor& value) {
    pairs.emplace_back(key, value.Text());
  });
  return pairs;
}

JsonCursor JsonCursor::Child(const Json& value, std::string_view key) const {
  return {&value, *this, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

bool JsonCursor::Expect(bool fits, std::string_view wanted) const {
  if (!fits && value_ != nullptr) {
    Report(fmt::format("{} is {}; it must be {}",
                       path_.empty() ? std::string("the whole file") : Quoted(path_),
                       KindOf(*value_), wanted));
  }
  return fits;
}

void JsonCursor::Refuse(std::string_view what) const {
  Report(fmt::format("{} is {}, {}", Quoted(path_), Quoted(Text()), what));
}

void JsonCursor::Report(std::string message) const {
  diagnostics_->Report(
      {.code = "plan-content",
       .message = fmt::format("{}: {}", file_, message),
       .notes = {"`wheelwright generate` of the same version writes it from matrix/"}});
}

}  // namespace wheelwright
