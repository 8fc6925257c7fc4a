#include "base/platform/find_program_windows.h"

#include <fmt/format.h>

#include <vector>

#include "base/platform/folders.h"
#include "base/platform/windows.h"

namespace wheelwright {
namespace {

// Words between semicolons. A folder may stand in quotation marks, for the sake of a semicolon in
// it.
std::vector<std::string> WordsOf(std::string_view list) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : list) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ';' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

bool EndsWithoutCase(std::string_view text, std::string_view end) {
  if (text.size() < end.size()) return false;
  const std::wstring one = WideOf(text.substr(text.size() - end.size()));
  const std::wstring other = WideOf(end);
  return CompareStringOrdinal(one.c_str(), -1, other.c_str(), -1, TRUE) == CSTR_EQUAL;
}

std::string Value(const Variables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

// The path with the end by which Windows runs it, or "".
std::string Runnable(const std::string& path, const std::vector<std::string>& ends) {
  for (const std::string& end : ends) {
    if (EndsWithoutCase(path, end) && IsFile(path)) return path;
  }
  for (const std::string& end : ends) {
    if (IsFile(path + end)) return path + end;
  }
  return {};
}

}  // namespace

bool IsBatchFile(std::string_view path) {
  return EndsWithoutCase(path, ".bat") || EndsWithoutCase(path, ".cmd");
}

std::string CommandShell(const Variables& variables) {
  const std::string shell = Value(variables, "COMSPEC");
  return shell.empty() ? R"(C:\Windows\System32\cmd.exe)" : shell;
}

bool VariableOrder::operator()(std::string_view one, std::string_view other) const {
  const std::wstring left = WideOf(one);
  const std::wstring right = WideOf(other);
  return CompareStringOrdinal(left.c_str(), static_cast<int>(left.size()), right.c_str(),
                              static_cast<int>(right.size()), TRUE) == CSTR_LESS_THAN;
}

std::string FindProgram(std::string_view name, const Variables& variables) {
  if (name.empty()) return {};
  // Scripts of other hosts, such as .vbs and .js, are started by their hosts alone.
  std::vector<std::string> ends;
  for (const std::string& end : WordsOf(Value(variables, "PATHEXT"))) {
    if (EndsWithoutCase(end, ".com") || EndsWithoutCase(end, ".exe") || IsBatchFile(end)) {
      ends.push_back(end);
    }
  }
  if (ends.empty()) ends = {".com", ".exe", ".bat", ".cmd"};
  if (name.find_first_of("/\\:") != std::string_view::npos)
    return Runnable(std::string(name), ends);
  for (const std::string& folder : WordsOf(Value(variables, "PATH"))) {
    std::string found = Runnable(fmt::format("{}/{}", folder, name), ends);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace wheelwright
