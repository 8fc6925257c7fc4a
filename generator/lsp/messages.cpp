#include "generator/lsp/messages.h"

#include <charconv>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "base/json.h"
#include "base/text.h"

namespace wheelwright {

std::optional<nlohmann::json> ReadMessage(std::istream& in) {
  constexpr std::string_view kLength = "content-length:";
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  std::size_t length = 0;
  std::string line;
  while (std::getline(in, line) && !Trim(line).empty() && line != "\r") {
    if (!ToLower(line).starts_with(kLength)) continue;
    const std::string_view number = Trim(std::string_view(line).substr(kLength.size()));
    std::from_chars(number.data(), number.data() + number.size(), length);
  }
  if (!in || length == 0 || length > kMostBytes) return std::nullopt;
  std::string body(length, ' ');
  if (!in.read(body.data(), static_cast<std::streamsize>(length))) return std::nullopt;
  nlohmann::json message = ParseJson(body);
  return message.is_discarded() ? nlohmann::json() : message;
}

void WriteMessage(std::ostream& out, const nlohmann::json& message) {
  const std::string body = DumpJson(message);
  out << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

}  // namespace wheelwright
