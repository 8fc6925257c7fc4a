#include "runtime/wheels/version/python_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"

namespace wheelwright {
std::string PythonVersion::Tag() const {
  std::string digits = number;
  std::erase(digits, '.');
  return fmt::format("cp{0}-cp{0}{1}", digits, free_threaded ? "t" : "");
}

std::optional<PythonVersion> ParsePythonVersion(std::string_view text) {
  PythonVersion version;
  if (text.ends_with('t')) {
    version.free_threaded = true;
    text.remove_suffix(1);
  }
  const std::size_t dot = text.find('.');
  if (dot != 1 || text[0] < '1' || text[0] > '9') return std::nullopt;
  const std::string_view minor = text.substr(2);
  constexpr std::size_t kMostDigits = 3;
  if (!IsNumber(minor) || minor.size() > kMostDigits || (minor.size() > 1 && minor[0] == '0')) {
    return std::nullopt;
  }
  version.number = text;
  return version;
}

}  // namespace wheelwright
