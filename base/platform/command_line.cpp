#include "base/platform/command_line.h"

#include "base/characters.h"

namespace wheelwright {
namespace {

void AppendWord(std::string_view word, bool always_quoted, std::string& line) {
  if (!always_quoted && !word.empty() &&
      word.find_first_of(" \t\n\v\"") == std::string_view::npos) {
    line += word;
    return;
  }
  line += '"';
  std::size_t backslashes = 0;
  for (const char c : word) {
    // Backslashes are doubled in front of a quotation mark, and nowhere else.
    if (c == '"') line.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, '\\');
  line += '"';
}

bool IsCommandShell(std::string_view program) {
  std::string name(program.substr(program.find_last_of("/\\") + 1));
  for (char& c : name) c = IsUpperLetter(c) ? static_cast<char>(c - 'A' + 'a') : c;
  return name == "cmd" || name == "cmd.exe";
}

}  // namespace

std::string CommandLineOf(const std::vector<std::string>& arguments) {
  const bool shell = IsCommandShell(arguments.front());
  std::string line;
  for (const std::string& argument : arguments) {
    if (!line.empty()) line += ' ';
    // The name of the program is read by another rule: up to the next quotation mark. So is what
    // cmd.exe is told, of which it takes the outermost away.
    if (&argument == &arguments.front() || (shell && &argument == &arguments.back())) {
      line += '"' + argument + '"';
    } else {
      AppendWord(argument, false, line);
    }
  }
  return line;
}

std::optional<std::string> BatchLineOf(std::string_view shell, std::string_view file,
                                       const std::vector<std::string>& arguments) {
  // /e:on for what %cd:~,% below is; /v:off, so that ! is a character; /d, so that no other
  // commands are run first.
  std::string line;
  AppendWord(shell, true, line);
  line += " /e:on /v:off /d /c \"";
  AppendWord(file, true, line);
  for (const std::string& argument : arguments) {
    line += " \"";
    std::size_t backslashes = 0;
    for (const char c : argument) {
      if (c == '\n' || c == '\r' || c == '\0') return std::nullopt;
      // In quotation marks all is text but these: "" is one, and a variable ends where it begins if
      // the empty part of another is between.
      if (c == '"') line += std::string(backslashes, '\\') + '"';
      if (c == '%') line += "%%cd:~,";
      backslashes = c == '\\' ? backslashes + 1 : 0;
      line += c;
    }
    line.append(backslashes, '\\');
    line += '"';
  }
  return line + '"';
}

}  // namespace wheelwright
