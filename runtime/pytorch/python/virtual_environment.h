// Virtual environments.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// The path of a program: DIR/bin/python, or on Windows DIR/Scripts/python.exe.
std::string ProgramOfEnvironment(std::string_view folder, std::string_view name, bool windows);
// The folder of its programs.
std::string ProgramsOfEnvironment(std::string_view folder, bool windows);

}  // namespace wheelwright
