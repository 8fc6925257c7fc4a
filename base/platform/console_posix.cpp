#include <sys/ioctl.h>
#include <unistd.h>

#include "base/platform/console.h"

namespace wheelwright {

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

bool IsTerminal(int stream) { return isatty(stream) == 1; }

std::size_t TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void PrepareConsole() {}

}  // namespace wheelwright
