// Reads a small text from a path or URL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// Reads the file, or downloads an `https://` or `http://` URL with retries. Nothing on failure;
// `problem` says why, without credentials.
std::optional<std::string> ReadTextAt(std::string_view place, Host& host, std::string& problem);

}  // namespace wheelwright
