#include "generator/graph/names.h"

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::string_view kBetween = " | ";

std::vector<std::string_view> PartsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = name.find(kBetween, at);
    parts.push_back(Trim(name.substr(at, end - at)));
    if (end == std::string_view::npos) return parts;
    at = end + kBetween.size();
  }
}

void Append(std::string& text, std::string_view between, std::string_view more) {
  if (!text.empty()) text += between;
  text += more;
}

std::size_t SamePrefix(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(ends.first - a.begin());
}

// "py 3.10 3.11" for "py 3.10" and "py 3.11".
std::string Fold(const std::vector<std::string_view>& values) {
  const std::size_t blank = values.front().find(' ');
  std::string_view word;
  if (blank != std::string_view::npos) {
    word = values.front().substr(0, blank + 1);
    const bool shared = std::all_of(values.begin(), values.end(), [&](std::string_view value) {
      return value.starts_with(word);
    });
    if (!shared) word = {};
  }
  std::string folded(Trim(word));
  for (const std::string_view value : values) Append(folded, " ", value.substr(word.size()));
  return folded;
}

}  // namespace

CommonName FindCommonName(std::span<const std::string_view> names, std::string_view fallback) {
  CommonName found;
  std::vector<std::vector<std::string_view>> values(PartsOf(names.front()).size());
  for (const std::string_view name : names) {
    const std::vector<std::string_view> parts = PartsOf(name);
    if (parts.size() != values.size()) return {std::string(fallback), {}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<std::string_view>& seen = values[i];
      if (std::find(seen.begin(), seen.end(), parts[i]) == seen.end()) seen.push_back(parts[i]);
    }
  }
  for (const std::vector<std::string_view>& seen : values) {
    if (seen.size() == 1) {
      Append(found.common, kBetween, seen.front());
    } else {
      found.varying.push_back(Fold(seen));
    }
  }
  if (found.common.empty()) found.common = fallback;
  return found;
}

std::string Varying(std::string_view name, const CommonName& names) {
  const std::vector<std::string_view> common = PartsOf(names.common);
  std::string varying;
  for (const std::string_view part : PartsOf(name)) {
    if (std::find(common.begin(), common.end(), part) == common.end()) {
      Append(varying, kBetween, part);
    }
  }
  return varying;
}

std::string CommonPrefix(std::span<const std::string_view> ids) {
  std::string_view prefix = ids.front();
  bool whole = true;
  for (const std::string_view id : ids) {
    const std::size_t same = SamePrefix(prefix, id);
    whole = whole && same == prefix.size() && same == id.size();
    prefix = prefix.substr(0, same);
  }
  if (whole) return std::string(prefix);
  const std::size_t end = prefix.find_last_of("_-");
  return std::string(end == std::string_view::npos || end == 0 ? ids.front()
                                                               : prefix.substr(0, end));
}

std::string CommonGlob(std::span<const std::string_view> files) {
  if (files.size() == 1) return std::string(files.front());
  std::string_view prefix = files.front();
  std::string_view suffix = files.front();
  for (const std::string_view file : files) {
    prefix = prefix.substr(0, SamePrefix(prefix, file));
    std::size_t same = 0;
    while (same < suffix.size() && same < file.size() &&
           suffix[suffix.size() - 1 - same] == file[file.size() - 1 - same]) {
      ++same;
    }
    suffix = suffix.substr(suffix.size() - same);
  }
  // Between words, so that words which begin alike do not lend their letters.
  const std::size_t word = prefix.find_last_of("_-");
  if (word != std::string_view::npos) prefix = prefix.substr(0, word + 1);
  const std::size_t rest = suffix.find_first_of("_-.");
  suffix = rest == std::string_view::npos ? std::string_view{} : suffix.substr(rest);
  return std::string(prefix) + "*" + std::string(suffix);
}

}  // namespace wheelwright
