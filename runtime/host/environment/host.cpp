#include "runtime/host/environment/host.h"

#include <filesystem>

namespace wheelwright {

std::string Host::Variable(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::string AbsolutePath(std::string_view path, const Host& host) {
  std::string whole =
      (std::filesystem::path(host.folder) / path).lexically_normal().generic_string();
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

}  // namespace wheelwright
