// The program `wheelwright`: what to do is in the table of generator/commands/commands.cpp.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "base/file_system.h"
#include "cli/terminal.h"
#include "generator/commands/commands.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::error_code ignored;  // without a current folder, no project is found, which is reported
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  wheelwright::Environment environment{
      .files = wheelwright::RealFileSystem(),
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .folder = std::filesystem::current_path(ignored).string(),
      .out_is_terminal = isatty(STDOUT_FILENO) == 1,
      .err_is_terminal = isatty(STDERR_FILENO) == 1,
      .colors = wheelwright::ColorsAskedFor(variable),
  };
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return wheelwright::RunProgram(wheelwright::Wheelwright(), words, environment);
}
