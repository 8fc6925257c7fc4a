#include "cli/terminal.h"

#include <fmt/format.h>

#include <ostream>

namespace wheelwright {

ColorChoice TakeColor(const Arguments& arguments) {
  const std::string_view color = arguments.Get("color");
  if (color == "always") return ColorChoice::kAlways;
  return color == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

bool UsesColor(ColorChoice choice, bool is_terminal, const Environment& environment) {
  if (choice == ColorChoice::kAuto) return is_terminal && !environment.no_color;
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
