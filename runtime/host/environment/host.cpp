#include "runtime/host/environment/host.h"

namespace wheelwright {

std::string Host::Variable(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

}  // namespace wheelwright
