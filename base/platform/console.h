// How this program was called, and what it prints to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wheelwright {

// What main() was given, without the name of the program, as UTF-8.
std::vector<std::string> ArgumentsOf(int argc, char** argv);

// 0: input, 1: output, 2: errors.
bool IsTerminal(int stream);

// Characters in a line of the terminal that the output goes to; 0 if it goes to none.
std::size_t TerminalColumns();

// Lets output be bytes as they are written, and a terminal understand UTF-8 and colors. First of
// all in main().
void PrepareConsole();

}  // namespace wheelwright
