// Messages of the language server protocol: JSON behind a header with its length
// (https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/).
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace wheelwright {

// The next message, or nothing at the end of the input or behind a malformed header. A message that
// is no JSON is `null`.
std::optional<nlohmann::json> ReadMessage(std::istream& in);
void WriteMessage(std::ostream& out, const nlohmann::json& message);

}  // namespace wheelwright
