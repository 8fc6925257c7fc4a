#include "generator/link/shell_commands.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 11> kTaking{"fetch",   "pull",     "checkout",    "switch",
                                                   "merge",   "reset",    "cherry-pick", "clone",
                                                   "restore", "worktree", "submodule"};
constexpr std::array<std::string_view, 21> kRunsFiles{
    "bash", "sh",   "zsh", "source", ".",    "python", "python3", "node",  "perl",  "ruby", "eval",
    "pip",  "pip3", "npm", "npx",    "yarn", "pnpm",   "make",    "cmake", "ctest", "ninja"};

bool IsOneOf(std::string_view text, const auto& all) {
  return std::ranges::find(all, text) != all.end();
}

}  // namespace

std::vector<ShellWord> ReadShellWords(std::string_view script, std::size_t at, std::size_t* end) {
  std::vector<ShellWord> words;
  ShellWord word;
  bool open = false;
  char quote = 0;
  const auto close = [&](std::size_t behind) {
    if (!open) return;
    word.length = behind - word.offset;
    words.push_back(std::exchange(word, {}));
    open = false;
  };
  for (; at < script.size(); ++at) {
    const char c = script[at];
    if (quote == 0 && c == '\\' && at + 1 < script.size() && script[at + 1] == '\n') {
      close(at++);
      continue;
    }
    if (quote == 0 && (c == '\n' || c == ';' || c == '|' || c == '&')) break;
    if (quote == 0 && (c == ' ' || c == '\t')) {
      close(at);
      continue;
    }
    if (!open) {
      open = true;
      word.offset = at;
    }
    if (script.substr(at).starts_with("${{")) {
      const std::size_t behind = std::min(script.find("}}", at), script.size() - 2) + 2;
      word.text += script.substr(at, behind - at);
      at = behind - 1;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      word.text += c;
    }
  }
  close(std::min(at, script.size()));
  if (end != nullptr) *end = at;
  return words;
}

bool ShellCommand::Has(std::initializer_list<std::string_view> wanted) const {
  return !std::ranges::search(words, wanted, {}, &ShellWord::text).empty();
}

std::string_view ShellCommand::OptionOf(std::initializer_list<std::string_view> options,
                                        std::string_view otherwise) const {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (IsOneOf(words[i].text, options)) return words[i + 1].text;
  }
  return otherwise;
}

bool ShellCommand::TakesCode() const {
  const auto git = std::ranges::find(words, "git", &ShellWord::text);
  return std::any_of(git, words.end(),
                     [](const ShellWord& word) { return IsOneOf(word.text, kTaking); });
}

bool ShellCommand::RunsFile() const {
  if (text.find("GITHUB_ENV") != std::string_view::npos ||
      text.find("GITHUB_PATH") != std::string_view::npos) {
    return true;
  }
  const auto first = std::ranges::find_if(words, [](const ShellWord& word) {
    return word.text != "sudo" && word.text != "exec" && word.text != "time" &&
           word.text.find('=') == std::string::npos;
  });
  if (first == words.end()) return false;
  if (first->text.find('/') != std::string::npos) return !first->text.starts_with("/");
  return IsOneOf(first->text, kRunsFiles) || (first->text == "chmod" && Has({"+x"}));
}

std::vector<ShellCommand> ShellCommands(std::string_view script) {
  std::vector<ShellCommand> commands;
  for (std::size_t at = 0; at < script.size();) {
    std::size_t end = at;
    std::vector<ShellWord> words = ReadShellWords(script, at, &end);
    if (!words.empty()) commands.push_back({script.substr(at, end - at), std::move(words)});
    at = end + 1;
  }
  return commands;
}

}  // namespace wheelwright
