#include "runtime/wheels/version/package_version.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

bool IsSeparator(char c) { return c == '-' || c == '_' || c == '.'; }

std::string WithoutLeadingZeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return std::string(digits);
}

// Reads from the front of a lower-case text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool Take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<std::string> TakeNumber() {
    const std::size_t length = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (length == 0) return std::nullopt;
    std::string number = WithoutLeadingZeros(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return number;
  }

  // "-rc.1": separators before and behind the word, and the number, are optional.
  struct Labelled {
    std::string_view word;
    std::string number;
  };
  std::optional<Labelled> TakeLabelled(std::initializer_list<std::string_view> words) {
    std::string_view ahead = rest_;
    if (!ahead.empty() && IsSeparator(ahead.front())) ahead.remove_prefix(1);
    for (const std::string_view word : words) {
      if (!ahead.starts_with(word)) continue;
      rest_ = ahead.substr(word.size());
      if (!rest_.empty() && IsSeparator(rest_.front())) rest_.remove_prefix(1);
      return Labelled{word, TakeNumber().value_or("0")};
    }
    return std::nullopt;
  }

  // Takes a number, if `before` precedes it.
  std::optional<std::string> TakeNumberBehind(char before) {
    if (rest_.size() < 2 || rest_.front() != before || !IsDigit(rest_[1])) return std::nullopt;
    rest_.remove_prefix(1);
    return TakeNumber();
  }

  std::string_view TakeRest() { return std::exchange(rest_, {}); }

 private:
  std::string_view rest_;
};

std::string_view PhaseOf(std::string_view word) {
  if (word == "alpha" || word == "a") return "a";
  if (word == "beta" || word == "b") return "b";
  return "rc";
}

std::optional<std::vector<std::string>> ReadLocal(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t length = std::min(text.find_first_of("-_."), text.size());
    const std::string_view part = text.substr(0, length);
    if (part.empty() ||
        !std::ranges::all_of(part, [](char c) { return IsLowerLetter(c) || IsDigit(c); }))
      return std::nullopt;
    parts.push_back(AreDigits(part) ? WithoutLeadingZeros(part) : std::string(part));
    if (length == text.size()) return parts;
    text.remove_prefix(length + 1);
  }
}

std::strong_ordering CompareNumbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

// Numbers come behind words, and are compared as numbers.
std::strong_ordering CompareLocalParts(std::string_view a, std::string_view b) {
  const bool number = AreDigits(a);
  if (number != AreDigits(b)) return number <=> !number;
  return number ? CompareNumbers(a, b) : a <=> b;
}

std::strong_ordering CompareReleases(const PackageVersion& a, const PackageVersion& b) {
  for (std::size_t i = 0; i < std::max(a.release.size(), b.release.size()); ++i) {
    const auto part = [i](const PackageVersion& version) {
      return i < version.release.size() ? std::string_view(version.release[i]) : "0";
    };
    if (const auto order = CompareNumbers(part(a), part(b)); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

// The rank of a version without a pre-release among those with one: 1.0.dev1 is before them, 1.0
// and 1.0.post1 are behind them.
int PreRank(const PackageVersion& version) {
  if (version.pre) return 1;
  return version.dev && !version.post ? 0 : 2;
}

// `absent` is the rank of a missing part; a present one has rank 1.
std::strong_ordering CompareOptional(const std::optional<std::string>& a,
                                     const std::optional<std::string>& b, int absent) {
  if (a && b) return CompareNumbers(*a, *b);
  return (a ? 1 : absent) <=> (b ? 1 : absent);
}

}  // namespace

std::string PackageVersion::Public() const {
  std::string text;
  if (epoch != "0") text += epoch + "!";
  for (std::size_t i = 0; i < release.size(); ++i) text += (i > 0 ? "." : "") + release[i];
  if (pre) text += pre->phase + pre->number;
  if (post) text += ".post" + *post;
  if (dev) text += ".dev" + *dev;
  return text;
}

std::string PackageVersion::ToString() const {
  std::string text = Public();
  for (std::size_t i = 0; i < local.size(); ++i) text += (i > 0 ? "." : "+") + local[i];
  return text;
}

std::optional<PackageVersion> ParsePackageVersion(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  const std::string lower = ToLower(text);
  Reader reader(lower);
  PackageVersion version;
  reader.Take('v');
  std::optional<std::string> number = reader.TakeNumber();
  if (!number) return std::nullopt;
  if (reader.Take('!')) {
    version.epoch = *number;
    number = reader.TakeNumber();
    if (!number) return std::nullopt;
  }
  version.release.push_back(*number);
  while ((number = reader.TakeNumberBehind('.'))) version.release.push_back(*number);
  // Longer words first, if one is a prefix of another.
  if (const auto pre =
          reader.TakeLabelled({"alpha", "a", "beta", "b", "preview", "pre", "c", "rc"})) {
    version.pre = {std::string(PhaseOf(pre->word)), pre->number};
  }
  if (const auto post_number = reader.TakeNumberBehind('-')) {
    version.post = *post_number;
  } else if (const auto post = reader.TakeLabelled({"post", "rev", "r"})) {
    version.post = post->number;
  }
  if (const auto dev = reader.TakeLabelled({"dev"})) version.dev = dev->number;
  if (reader.Take('+')) {
    auto local = ReadLocal(reader.TakeRest());
    if (!local) return std::nullopt;
    version.local = std::move(*local);
  }
  if (!reader.done()) return std::nullopt;
  return version;
}

std::strong_ordering operator<=>(const PackageVersion& a, const PackageVersion& b) {
  if (const auto order = CompareNumbers(a.epoch, b.epoch); order != 0) return order;
  if (const auto order = CompareReleases(a, b); order != 0) return order;
  if (const auto order = PreRank(a) <=> PreRank(b); order != 0) return order;
  if (a.pre && b.pre) {
    if (const auto order = a.pre->phase <=> b.pre->phase; order != 0) return order;
    if (const auto order = CompareNumbers(a.pre->number, b.pre->number); order != 0) return order;
  }
  if (const auto order = CompareOptional(a.post, b.post, 0); order != 0) return order;
  if (const auto order = CompareOptional(a.dev, b.dev, 2); order != 0) return order;
  return std::lexicographical_compare_three_way(a.local.begin(), a.local.end(), b.local.begin(),
                                                b.local.end(), CompareLocalParts);
}

}  // namespace wheelwright
