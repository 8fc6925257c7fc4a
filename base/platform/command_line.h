// Arguments as Windows hands them to a program: in one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// What CreateProcess takes, in its units, with the one that ends it.
inline constexpr std::size_t kLongestCommandLine = 32767;
// What cmd.exe takes.
inline constexpr std::size_t kLongestShellLine = 8191;

// A text that a program's runtime takes apart into the same arguments. cmd.exe takes nothing apart:
// the last of its arguments is its commands, as they stand.
// https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
std::string CommandLineOf(const std::vector<std::string>& arguments);

// The command line of cmd.exe that runs a batch file with these arguments. Batch files read them by
// other rules: no argument may become a command, and what cannot be told to cmd.exe, a line feed,
// gives nothing.
std::optional<std::string> BatchLineOf(std::string_view shell, std::string_view file,
                                       const std::vector<std::string>& arguments);

}  // namespace wheelwright
