// Colours, where a terminal shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "cli/environment.h"

namespace wheelwright {

enum class ColorChoice : std::uint8_t { kAuto, kAlways, kNever };

// The value of `--color`.
ColorChoice TakeColor(const Arguments& arguments);

// What the user's environment variables say about colours, for any stream. The first that applies
// decides: NO_COLOR not empty: none (https://no-color.org); CLICOLOR_FORCE neither empty nor "0":
// colours (https://bixense.com/clicolors); TERM=dumb: none. `variable` returns the value of a
// variable, "" when it is not set.
std::optional<bool> ColorsAskedFor(const std::function<std::string(const char* name)>& variable);

// The width of output: COLUMNS, as POSIX has it, or that of the terminal, if it goes to one. 0:
// any.
std::size_t ColumnsOf(const std::function<std::string(const char* name)>& variable,
                      std::size_t of_terminal);

// Whether a stream gets colours.
bool UsesColor(ColorChoice choice, bool is_terminal, const Environment& environment);

// Prints the reports to stderr, as text.
void PrintReports(const Diagnostics& diagnostics, const SourceManager& sources, ColorChoice color,
                  Environment& environment);

// Marks text for terminals.
struct Paint {
  bool on = false;
  std::string Bold(std::string_view text) const { return Wrap("1", text); }
  std::string Dim(std::string_view text) const { return Wrap("2", text); }
  std::string Red(std::string_view text) const { return Wrap("31", text); }
  std::string Green(std::string_view text) const { return Wrap("32", text); }
  std::string Yellow(std::string_view text) const { return Wrap("33", text); }
  std::string Cyan(std::string_view text) const { return Wrap("36", text); }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const;
};

}  // namespace wheelwright
