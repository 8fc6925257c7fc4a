// The program `wheelwright`: what to do is in the table of generator/commands/commands.cpp.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "base/file_system.h"
#include "base/platform/console.h"
#include "base/platform/files.h"
#include "cli/terminal.h"
#include "generator/commands/commands.h"

int main(int argc, char** argv) {
  wheelwright::PrepareConsole();
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
      .folder = wheelwright::PathText(std::filesystem::current_path(ignored)),
      .out_is_terminal = wheelwright::IsTerminal(1),
      .err_is_terminal = wheelwright::IsTerminal(2),
      .colors = wheelwright::ColorsAskedFor(variable),
      .columns = wheelwright::ColumnsOf(variable, wheelwright::TerminalColumns()),
  };
  const std::vector<std::string> words = wheelwright::ArgumentsOf(argc, argv);
  return wheelwright::RunProgram(wheelwright::Wheelwright(), words, environment);
}
