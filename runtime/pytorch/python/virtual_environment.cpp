#include "runtime/pytorch/python/virtual_environment.h"

#include <fmt/format.h>

namespace wheelwright {

std::string ProgramsOfEnvironment(std::string_view folder, bool windows) {
  return fmt::format("{}/{}", folder, windows ? "Scripts" : "bin");
}

std::string ProgramOfEnvironment(std::string_view folder, std::string_view name, bool windows) {
  return fmt::format("{}/{}{}", ProgramsOfEnvironment(folder, windows), name,
                     windows ? ".exe" : "");
}

}  // namespace wheelwright
