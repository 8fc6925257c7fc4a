// A small text that somebody names by a path or an address.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// The file, or what the server of an `https://` or `http://` address gives, after as many tries as
// make sense. Nothing when there is none; `problem` says why, and holds no credential.
std::optional<std::string> ReadTextAt(std::string_view place, Host& host, std::string& problem);

}  // namespace wheelwright
