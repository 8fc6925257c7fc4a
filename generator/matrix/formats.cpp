#include "generator/matrix/formats.h"

#include <map>
#include <regex>
#include <string>

namespace wheelwright::formats {

constexpr std::size_t kLongest = 1000;  // std::regex recurses once a character

bool Fits(const Format& format, std::string_view text) {
  if (text.size() > kLongest) return false;
  thread_local std::map<std::string, std::regex, std::less<>> compiled;
  auto at = compiled.find(format.pattern);
  if (at == compiled.end()) {
    std::regex made(format.pattern.begin(), format.pattern.end());
    at = compiled.emplace(format.pattern, std::move(made)).first;
  }
  return std::regex_match(text.begin(), text.end(), at->second);
}

}  // namespace wheelwright::formats
