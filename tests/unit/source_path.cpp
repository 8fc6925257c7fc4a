#include "tests/unit/source_path.h"

namespace wheelwright {

std::string SourcePath(std::string_view relative) {
  return std::string(SOURCE_ROOT "/").append(relative);
}

}  // namespace wheelwright
