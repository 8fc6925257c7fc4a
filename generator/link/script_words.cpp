#include "generator/link/script_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/characters.h"
#include "generator/link/shell_commands.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 6> kDeclare{"export",   "declare", "local",
                                                   "readonly", "typeset", "env"};

bool BeginsWord(char c) { return IsLetter(c) || c == '_'; }

std::string_view WordAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && BeginsWord(text[end])) {
    while (end < text.size() && IsWordCharacter(text[end])) ++end;
  }
  return text.substr(at, end - at);
}

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view script) : script_(script) {}

  ScriptVariables Read() {
    while (at_ < script_.size()) Step();
    for (const ShellCommand& command : ShellCommands(script_)) {
      const auto first = std::ranges::find_if(command.words, [](const ShellWord& word) {
        return word.text.find('=') == std::string::npos && word.text != "if" &&
               word.text != "then" && word.text != "{" && word.text != "!";
      });
      if (first == command.words.end()) continue;
      const std::string& word = first->text;
      const bool shows = command.text.find("$(") != std::string_view::npos ||
                         command.text.find('`') != std::string_view::npos;
      found_.open = found_.open || word == "source" || word == "." || word == "eval" ||
                    (word == "set" && (command.Has({"-a"}) || command.Has({"allexport"}))) ||
                    (shows && std::ranges::find(kDeclare, word) != kDeclare.end() &&
                     command.text.find('=') == std::string_view::npos);
    }
    return std::move(found_);
  }

 private:
  struct HereDocument {
    std::string end;
    bool expands = false;
    bool tabs = false;  // may be indented by tabs
  };

  bool quoted() const { return !nesting_.empty() && nesting_.back() == '"'; }
  char Next(std::size_t by = 1) const {
    return at_ + by < script_.size() ? script_[at_ + by] : '\0';
  }

  void Step() {
    const char c = script_[at_];
    if (c == '\\') {
      at_ += 2;
    } else if (c == '$') {
      Dollar();
    } else if (c == '"') {
      if (quoted()) {
        nesting_.pop_back();
      } else {
        // export "NAME=value"
        if (Declares()) found_.words.insert(WordAt(script_, at_ + 1));
        nesting_.push_back('"');
      }
      ++at_;
    } else if (quoted()) {
      ++at_;
    } else if (c == '\'') {
      at_ = Behind("'", at_ + 1);
    } else if (c == '#' && (at_ == 0 || IsBlank(script_[at_ - 1]))) {
      at_ = std::min(script_.find('\n', at_), script_.size());
    } else if (c == '<' && Next() == '<' && Next(2) != '<') {
      ReadEnd();
    } else if (c == '<' && Next() == '<') {
      at_ += 3;
    } else if (c == '\n') {
      ++at_;
      for (const HereDocument& one : std::exchange(waiting_, {})) ReadDocument(one);
    } else if (c == '(') {
      nesting_.push_back('(');
      ++at_;
    } else if (c == ')') {
      if (!nesting_.empty()) nesting_.pop_back();
      ++at_;
    } else if (BeginsWord(c) && (at_ == 0 || !IsWordCharacter(script_[at_ - 1]))) {
      const std::string_view word = WordAt(script_, at_);
      found_.words.insert(word);
      at_ += word.size();
    } else {
      ++at_;
    }
  }

  static bool IsBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(';
  }

  bool Declares() const {
    const std::size_t line = script_.rfind('\n', at_) + 1;
    const std::string_view before = script_.substr(line, at_ - line);
    return std::ranges::any_of(kDeclare, [&](std::string_view word) {
      return before.find(word) != std::string_view::npos;
    });
  }

  // Behind the next occurrence of `what`, or the end.
  std::size_t Behind(std::string_view what, std::size_t from) const {
    const std::size_t found = from < script_.size() ? script_.find(what, from) : script_.npos;
    return found == script_.npos ? script_.size() : found + what.size();
  }

  void Dollar() {
    if (script_.substr(at_).starts_with("${{")) {
      at_ = Behind("}}", at_);
    } else if (Next() == '{') {
      Braces();
    } else if (Next() == '(') {
      nesting_.push_back('(');
      at_ += 2;
    } else if (Next() == '\'' && !quoted()) {
      at_ += 2;
      while (at_ < script_.size() && script_[at_] != '\'') at_ += script_[at_] == '\\' ? 2 : 1;
      ++at_;
    } else {
      const std::string_view name = WordAt(script_, at_ + 1);
      if (!name.empty()) found_.reads.push_back({name, at_, name.size() + 1});
      at_ += 1 + name.size();
    }
  }

  void Braces() {
    std::size_t begin = at_ + 2;
    if (begin < script_.size() && script_[begin] == '!') {
      ++begin;
      found_.open = found_.open || !WordAt(script_, begin).empty();
    } else if (begin < script_.size() && script_[begin] == '#') {
      ++begin;
    }
    const std::string_view name = WordAt(script_, begin);
    const std::size_t behind = begin + name.size();
    const std::string_view rest = script_.substr(std::min(behind, script_.size()));
    const std::size_t colon = rest.starts_with(':') ? 1 : 0;
    const bool guarded =
        rest.size() > colon && std::string_view("-=?+").find(rest[colon]) != std::string_view::npos;
    if (guarded) {
      found_.words.insert(name);
    } else if (!name.empty()) {
      found_.reads.push_back({name, at_, rest.starts_with('}') ? behind + 1 - at_ : behind - at_});
    }
    at_ = behind;
  }

  // The word behind << and <<-.
  void ReadEnd() {
    HereDocument one;
    at_ += 2;
    if (at_ < script_.size() && script_[at_] == '-') {
      one.tabs = true;
      ++at_;
    }
    while (at_ < script_.size() && (script_[at_] == ' ' || script_[at_] == '\t')) ++at_;
    const std::size_t begin = at_;
    while (at_ < script_.size() && !IsBlank(script_[at_]) && script_[at_] != ')' &&
           script_[at_] != '<' && script_[at_] != '>') {
      ++at_;
    }
    const std::string_view written = script_.substr(begin, at_ - begin);
    one.expands = written.find_first_of("'\"\\") == std::string_view::npos;
    for (const char c : written) {
      if (c != '\'' && c != '"' && c != '\\') one.end += c;
    }
    if (!one.end.empty()) waiting_.push_back(std::move(one));
  }

  void ReadDocument(const HereDocument& document) {
    while (at_ < script_.size()) {
      const std::size_t end = std::min(script_.find('\n', at_), script_.size());
      std::string_view line = script_.substr(at_, end - at_);
      while (document.tabs && line.starts_with('\t')) line.remove_prefix(1);
      if (line == document.end) {
        at_ = end;
        return;
      }
      if (document.expands) {
        const std::size_t open = nesting_.size();
        nesting_.push_back('"');
        while (at_ < end) {
          if (script_[at_] == '"') {
            ++at_;
          } else {
            Step();
          }
        }
        nesting_.resize(open);
      }
      at_ = end + 1;
    }
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::vector<char> nesting_;  // open quotes and brackets
  std::vector<HereDocument> waiting_;
  ScriptVariables found_;
};

}  // namespace

ScriptVariables ReadScriptVariables(std::string_view script) { return ScriptReader(script).Read(); }

bool HasWord(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !IsWordCharacter(text[at - 1])) &&
        (end == text.size() || !IsWordCharacter(text[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace wheelwright
