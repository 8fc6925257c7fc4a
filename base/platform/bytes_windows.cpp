#include "base/platform/bytes.h"

namespace wheelwright {

bool Contains(std::span<const Byte> bytes, std::string_view text) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all.find(text) != std::string_view::npos;
}

}  // namespace wheelwright
