#include "runtime/hip/compile/compiler_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostLines = 8;

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool ContainsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return Contains(text, part); });
}

// "1.\tkernel.hip:3:2: current parser token 'x'" below "Stack dump:": what clang was doing.
std::optional<ToolError> ReadCrash(std::string_view text) {
  const std::size_t dump = text.find("Stack dump:\n");
  if (dump == std::string_view::npos) return std::nullopt;
  ToolError crash{.message = "the compiler crashed"};
  const std::size_t at = text.find("\n1.\t", dump);
  if (at == std::string_view::npos) return crash;
  const std::string_view rest = text.substr(at + 4);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) {
    crash.message += fmt::format(" at: {}", Trim(line));
    return crash;
  }
  std::string_view place = line.substr(0, colon);
  TakePosition(place, crash);
  if (crash.line > 0) crash.file = place;
  crash.message += fmt::format(" at: {}", Trim(crash.line > 0 ? line.substr(colon + 2) : line));
  return crash;
}

}  // namespace

std::string CauseOf(const ToolError& error) {
  const std::string& message = error.message;
  std::string cause = fmt::format("{}:{}:{}: ", error.file, error.line, error.column);
  for (std::size_t i = 0; i < message.size();) {
    if (std::string_view(message).substr(i).starts_with("gfx")) {
      cause += "gfx*";
      i += 3;
      while (i < message.size() && IsLowerHexDigit(message[i])) {
        ++i;
      }
      continue;
    }
    cause += message[i++];
  }
  return cause;
}

std::vector<ToolError> ReadCompilerErrors(std::string_view output) {
  std::vector<ToolError> errors;
  std::string last;
  bool explaining = false;
  const std::string text = WithoutColors(output);
  for (const std::string_view raw : Split(text, '\n')) {
    const std::string_view line = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
    if (Trim(line).empty()) continue;
    last = Trim(line);
    if (auto error = ReadErrorLine(line)) {
      explaining = errors.size() < kMostErrors;
      if (!explaining) continue;
      errors.push_back(*std::move(error));
    } else if (line.starts_with("In file included from ") || Contains(line, ": warning: ") ||
               Contains(line, " generated when compiling for ") ||
               line.starts_with("Stack dump:") || line.starts_with("PLEASE submit")) {
      explaining = false;
    } else if (explaining && errors.back().lines.size() < kMostLines) {
      errors.back().lines.emplace_back(line);
    }
  }
  if (auto crash = ReadCrash(text)) {
    crash->lines.assign(1, last);
    errors.insert(errors.begin(), *std::move(crash));
  }
  // The driver's last messages only repeat that something failed.
  if (errors.size() > 1) {
    std::erase_if(errors, [](const ToolError& error) {
      return error.file.empty() && (error.message.starts_with("clang frontend command failed") ||
                                    error.message.starts_with("unable to execute command") ||
                                    error.message.starts_with("linker command failed"));
    });
  }
  if (errors.empty()) {
    errors.push_back({.message = last.empty() ? "the compiler failed and printed nothing" : last});
  }
  return errors;
}

CompileEnd ClassifyEnd(const ProcessEnd& end, std::string_view output) {
  using How = ProcessEnd::How;
  if (end.good()) return CompileEnd::kPass;
  if (end.how == How::kTimedOut) return CompileEnd::kHang;
  if (end.how == How::kInterrupted || end.how == How::kNotStarted) return CompileEnd::kStopped;
  constexpr int kKilled = 128 + 9;
  if (ContainsAny(output, {"LLVM ERROR: out of memory", "std::bad_alloc", "Cannot allocate memory",
                           "failed to map segment", "out of memory allocating"}) ||
      end.status == kKilled) {
    return CompileEnd::kOutOfMemory;
  }
  // The backend reports an error that it cannot handle as a crash, but with the reason.
  if (Contains(output, "fatal error: error in backend: ")) return CompileEnd::kError;
  if (end.how == How::kSignalled || end.status > 128 ||
      ContainsAny(output, {"PLEASE submit a bug report", "frontend command failed",
                           "unable to execute command: ", "Stack dump:"})) {
    return CompileEnd::kCrash;
  }
  return CompileEnd::kError;
}

}  // namespace wheelwright
