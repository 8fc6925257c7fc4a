#include "generator/expression/values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

std::optional<double> ParseDigits(std::string_view digits, unsigned base) {
  if (digits.empty()) return std::nullopt;
  double value = 0;
  for (const char c : digits) {
    const unsigned digit = IsDigit(c)             ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                  : 99;
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

char Upper(char c) { return IsLowerLetter(c) ? static_cast<char>(c - 'a' + 'A') : c; }

Order CompareNumbers(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Order::kNone;
  return a < b ? Order::kLess : a > b ? Order::kGreater : Order::kEqual;
}

// Compares upper-case letters, as GitHub does: `_` sorts behind both `Z` and `z`.
Order CompareText(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto x = static_cast<unsigned char>(Upper(a[i]));
    const auto y = static_cast<unsigned char>(Upper(b[i]));
    if (x != y) return x < y ? Order::kLess : Order::kGreater;
  }
  return a.size() < b.size() ? Order::kLess : a.size() > b.size() ? Order::kGreater : Order::kEqual;
}

}  // namespace

bool IsTruthy(const Node& value) {
  switch (value.kind) {
    case NodeKind::kNull:
      return false;
    case NodeKind::kBoolean:
      return value.is_true();
    case NodeKind::kNumber: {
      const double number = NumberValue(value);
      return number != 0 && !std::isnan(number);
    }
    case NodeKind::kString:
      return !value.text.empty();
    case NodeKind::kSequence:
    case NodeKind::kMapping:
      break;
  }
  return true;
}

std::optional<std::string> TextOf(const Node& value) {
  std::string text;
  return AppendText(value, text) ? std::optional(std::move(text)) : std::nullopt;
}

bool AppendText(const Node& value, std::string& text) {
  switch (value.kind) {
    case NodeKind::kBoolean:
    case NodeKind::kString:
      text += value.text;
      return true;
    case NodeKind::kNumber:
      text += FormatNumber(NumberValue(value));
      return true;
    default:
      return false;
  }
}

std::optional<double> ParseNumber(std::string_view text) {
  if (text.starts_with("0x")) return ParseDigits(text.substr(2), 16);
  if (text.starts_with("0o")) return ParseDigits(text.substr(2), 8);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double value = std::numeric_limits<double>::infinity();
  if (text != "Infinity") {
    // The library also accepts inf and nan.
    if (text.find_first_of("0123456789.") != 0) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
      const std::size_t exponent = text.find_first_of("eE");
      const bool tiny =
          exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
      value = tiny ? 0 : std::numeric_limits<double>::infinity();
    }
  }
  return negative ? -value : value;
}

std::string FormatNumber(double number) {
  if (number == 0) return "0";
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return fmt::format("{:.15G}", number);
}

double ToNumber(const Node& value) {
  switch (value.kind) {
    case NodeKind::kNull:
      return 0;
    case NodeKind::kBoolean:
      return value.is_true() ? 1 : 0;
    case NodeKind::kNumber:
      return NumberValue(value);
    case NodeKind::kString: {
      const std::string_view text = Trim(value.text);
      return text.empty() ? 0 : ParseNumber(text).value_or(kNotANumber);
    }
    case NodeKind::kSequence:
    case NodeKind::kMapping:
      break;
  }
  return kNotANumber;
}

Order Compare(const Node& a, const Node& b) {
  if (!a.is_scalar() || !b.is_scalar()) return &a == &b ? Order::kEqual : Order::kNone;
  if (a.is_string() && b.is_string()) return CompareText(a.text, b.text);
  return CompareNumbers(ToNumber(a), ToNumber(b));
}

}  // namespace wheelwright
