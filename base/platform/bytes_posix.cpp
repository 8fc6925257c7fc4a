#include <cstring>

#include "base/platform/bytes.h"

namespace wheelwright {

bool Contains(std::span<const Byte> bytes, std::string_view text) {
  return memmem(bytes.data(), bytes.size(), text.data(), text.size()) != nullptr;
}

}  // namespace wheelwright
