#include "base/below.h"

#include <fmt/format.h>

namespace wheelwright {

std::string Below(std::string_view folder, std::string_view name) {
  if (folder.empty() || folder == ".") return std::string(name);
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

}  // namespace wheelwright
