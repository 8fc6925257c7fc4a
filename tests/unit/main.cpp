#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "tests/unit/source_path.h"

namespace wheelwright {

std::string SourcePath(std::string_view relative) {
  return std::string(SOURCE_ROOT "/").append(relative);
}

}  // namespace wheelwright
