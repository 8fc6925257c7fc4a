#include "runtime/wheels/version/requirement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/wheels/version/marker_syntax.h"

namespace wheelwright {
namespace {

bool IsNameCharacter(char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; }

// Takes a name from the front.
std::string_view TakeName(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, IsNameCharacter);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text = Trim(text.substr(name.size()));
  return name;
}

// A value in a marker: a text, or a variable with its value.
struct Operand {
  std::string value;
  bool is_version = false;  // compared as a version
  bool known = true;
};

class Marker {
 public:
  Marker(std::string_view text, const MarkerEnvironment& environment)
      : rest_(Trim(text)), environment_(environment) {}

  std::optional<bool> Run() {
    const std::optional<bool> result = Or();
    return broken_ || !rest_.empty() ? std::nullopt : result;
  }

 private:
  // As in Python, the other side decides where one is unknown.
  std::optional<bool> Or() {
    std::optional<bool> result = And();
    while (!broken_ && TakeWord("or")) {
      const std::optional<bool> next = And();
      result = result == true || next == true ? std::optional(true)
               : result && next               ? std::optional(false)
                                              : std::nullopt;
    }
    return result;
  }

  std::optional<bool> And() {
    std::optional<bool> result = Comparison();
    while (!broken_ && TakeWord("and")) {
      const std::optional<bool> next = Comparison();
      result = result == false || next == false ? std::optional(false)
               : result && next                 ? std::optional(true)
                                                : std::nullopt;
    }
    return result;
  }

  std::optional<bool> Comparison() {
    if (rest_.starts_with('(')) {
      if (++nested_ > kMostNestedBrackets) return Break();
      rest_ = Trim(rest_.substr(1));
      const std::optional<bool> inner = Or();
      --nested_;
      if (!rest_.starts_with(')')) return Break();
      rest_ = Trim(rest_.substr(1));
      return inner;
    }
    const Operand left = TakeOperand();
    const std::string_view sign = TakeSign();
    const Operand right = TakeOperand();
    if (broken_ || sign.empty()) return Break();
    if (!left.known || !right.known) return std::nullopt;
    return Compare(left, sign, right);
  }

  static std::optional<bool> Compare(const Operand& left, std::string_view sign,
                                     const Operand& right) {
    const bool contains = right.value.find(left.value) != std::string::npos;
    if (sign == "in") return contains;
    if (sign == "not in") return !contains;
    if (left.is_version || right.is_version) {
      const auto candidate = ParsePackageVersion(left.value);
      const auto bound = ParseVersionSpecifier(std::string(sign) + right.value);
      if (candidate && bound) return bound->Allows(*candidate);
    }
    if (sign == "==" || sign == "===") return left.value == right.value;
    if (sign == "!=") return left.value != right.value;
    if (sign == "<") return left.value < right.value;
    if (sign == "<=") return left.value <= right.value;
    if (sign == ">") return left.value > right.value;
    if (sign == ">=") return left.value >= right.value;
    return std::nullopt;
  }

  Operand TakeOperand() {
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      const std::size_t end = rest_.find(rest_.front(), 1);
      if (end == std::string_view::npos) {
        Break();
        return {};
      }
      Operand text{.value = std::string(rest_.substr(1, end - 1))};
      rest_ = Trim(rest_.substr(end + 1));
      return text;
    }
    const std::string_view name = TakeName(rest_);
    if (name.empty()) Break();
    return Variable(name);
  }

  Operand Variable(std::string_view name) const {
    const bool windows = environment_.windows;
    if (name.starts_with("python_") || name == "implementation_version") {
      if (!environment_.python) return {.known = false};
      const std::string& number = environment_.python->number;
      if (name == "python_version") return {number, true};
      return {number + ".999", true};  // the newest release of that Python
    }
    if (name == "os_name" || name == "os.name") return {windows ? "nt" : "posix"};
    if (name == "sys_platform" || name == "sys.platform") return {windows ? "win32" : "linux"};
    if (name == "platform_system") return {windows ? "Windows" : "Linux"};
    if (name == "platform_machine") return {windows ? "AMD64" : "x86_64"};
    if (name == "implementation_name") return {"cpython"};
    if (name == "platform_python_implementation") return {"CPython"};
    if (name == "extra") return {environment_.extra};
    return {.known = false};
  }

  std::string_view TakeSign() {
    static constexpr std::array<std::string_view, 8> kSigns{
        "===", "~=", "==", "!=", "<=", ">=", "<", ">"};
    for (const std::string_view sign : kSigns) {
      if (!rest_.starts_with(sign)) continue;
      rest_ = Trim(rest_.substr(sign.size()));
      return sign;
    }
    if (TakeWord("in")) return "in";
    if (TakeWord("not") && TakeWord("in")) return "not in";
    return {};
  }

  bool TakeWord(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    if (rest_.size() > word.size() && IsNameCharacter(rest_[word.size()])) return false;
    rest_ = Trim(rest_.substr(word.size()));
    return true;
  }

  std::nullopt_t Break() {
    broken_ = true;
    return std::nullopt;
  }

  std::string_view rest_;
  const MarkerEnvironment& environment_;
  int nested_ = 0;
  bool broken_ = false;
};

}  // namespace

std::optional<Requirement> ReadRequirement(std::string_view text) {
  text = Trim(text);
  std::string_view rest = text;
  Requirement read{.name = std::string(TakeName(rest))};
  if (read.name.empty()) return std::nullopt;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    for (const std::string_view extra : Split(rest.substr(1, end - 1), ',')) {
      if (!std::ranges::all_of(Trim(extra), IsNameCharacter)) return std::nullopt;
      if (!Trim(extra).empty()) read.extras.emplace_back(Trim(extra));
    }
    rest = Trim(rest.substr(end + 1));
  }
  // An address may hold a semicolon; the marker has a blank before its own.
  const std::size_t marker = rest.find(rest.starts_with('@') ? " ;" : ";");
  if (marker != std::string_view::npos) {
    const std::string_view from = rest.substr(marker);
    read.marker = Trim(from.substr(from.find(';') + 1));
    text = Trim(text.substr(0, text.size() - from.size()));
    rest = Trim(rest.substr(0, marker));
  }
  read.text = text;
  if (rest.starts_with('@')) {
    read.url = Trim(rest.substr(1));
    return read;
  }
  if (rest.starts_with('(') && rest.ends_with(')')) rest = Trim(rest.substr(1, rest.size() - 2));
  if (rest.empty()) return read;
  if (!rest.starts_with('=') && rest.find_first_of("<>~!") != 0) return std::nullopt;
  auto versions = ParseVersionSpecifier(rest);
  if (!versions) return std::nullopt;
  read.versions = *std::move(versions);
  return read;
}

std::optional<bool> MarkerHolds(std::string_view marker, const MarkerEnvironment& environment) {
  if (Trim(marker).empty()) return true;
  return Marker(marker, environment).Run();
}

}  // namespace wheelwright
