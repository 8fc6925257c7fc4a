// Looks through bytes as fast as the system's C library does.
#pragma once

#include <span>
#include <string_view>

#include "base/platform/byte_source.h"

namespace wheelwright {

bool Contains(std::span<const Byte> bytes, std::string_view text);

}  // namespace wheelwright
