#include <unistd.h>

#include "base/platform/console.h"

namespace wheelwright {

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

bool IsTerminal(int stream) { return isatty(stream) == 1; }

void PrepareConsole() {}

}  // namespace wheelwright
