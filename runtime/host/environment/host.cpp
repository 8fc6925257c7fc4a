#include "runtime/host/environment/host.h"

#include <filesystem>

#include "base/platform/files.h"

namespace wheelwright {

std::string Host::Variable(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::string AbsolutePath(std::string_view path, const Host& host) {
  std::string whole = PathText((SystemPath(host.folder) / SystemPath(path)).lexically_normal());
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

}  // namespace wheelwright
