#include "cli/terminal.h"

#include <fmt/format.h>

#include <ostream>

namespace wheelwright {

ColorChoice TakeColor(const Arguments& arguments) {
  const std::string_view color = arguments.Get("color");
  if (color == "always") return ColorChoice::kAlways;
  return color == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

std::optional<bool> ColorsAskedFor(const std::function<std::string(const char* name)>& variable) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string force = variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  if (variable("TERM") == "dumb") return false;
  return std::nullopt;
}

std::size_t ColumnsOf(const std::function<std::string(const char* name)>& variable,
                      std::size_t of_terminal) {
  const std::string columns = variable("COLUMNS");
  const bool number = !columns.empty() && columns.size() < 6 &&
                      columns.find_first_not_of("0123456789") == std::string::npos;
  return number ? std::stoul(columns) : of_terminal;
}

bool UsesColor(ColorChoice choice, bool is_terminal, const Environment& environment) {
  if (choice == ColorChoice::kAuto) return environment.colors.value_or(is_terminal);
  return choice == ColorChoice::kAlways;
}

void PrintReports(const Diagnostics& diagnostics, const SourceManager& sources, ColorChoice color,
                  Environment& environment) {
  environment.out.flush();
  environment.err << Render(diagnostics, sources, ReportFormat::kText,
                            UsesColor(color, environment.err_is_terminal, environment));
}

std::string Paint::Wrap(std::string_view code, std::string_view text) const {
  return on && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace wheelwright
