#include "runtime/host/actions/job_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <stdexcept>

#include "base/characters.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "runtime/host/actions/job_stream.h"

namespace wheelwright {
namespace {

bool IsName(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return IsWordCharacter(c) || c == '-'; });
}

// A random line that is not in the text.
std::string DrawDelimiter(std::string_view text) {
  std::random_device device;
  for (;;) {
    const std::string drawn =
        fmt::format("end_{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
    if (text.find(drawn) == std::string_view::npos) return drawn;
  }
}

}  // namespace

void JobFiles::SetOutput(std::string_view name, std::string_view value) {
  SetPair("GITHUB_OUTPUT", name, value);
}

void JobFiles::SetVariable(std::string_view name, std::string_view value) {
  SetPair("GITHUB_ENV", name, value);
}

void JobFiles::SetPair(std::string_view file_variable, std::string_view name,
                       std::string_view value) {
  if (!IsName(name)) throw std::invalid_argument(fmt::format("'{}' names no output", name));
  const std::string file = host_.Variable(file_variable);
  if (file.empty()) {
    host_.out << fmt::format("{}={}\n", name, value);
    return;
  }
  // A carriage return ends a line too.
  if (value.find_first_of("\r\n") == std::string_view::npos) {
    host_.files.Append(file, fmt::format("{}={}\n", name, value));
    return;
  }
  const std::string delimiter = DrawDelimiter(value);
  host_.files.Append(file, fmt::format("{0}<<{1}\n{2}\n{1}\n", name, delimiter, value));
}

void JobFiles::AddPath(std::string_view folder) {
  if (folder.find_first_of("\r\n") != std::string_view::npos) {
    throw std::invalid_argument("a folder on the PATH has no line feed in its name");
  }
  const std::string file = host_.Variable("GITHUB_PATH");
  if (file.empty()) {
    host_.out << fmt::format("PATH={}{}$PATH\n", folder, PathListSeparator());
  } else {
    host_.files.Append(file, fmt::format("{}\n", folder));
  }
}

void JobFiles::AddSummary(std::string_view markdown) {
  const std::string file = host_.Variable("GITHUB_STEP_SUMMARY");
  if (file.empty()) return;
  constexpr std::string_view kCut = "\n\n(The rest is too long for a summary: see the log.)\n";
  if (summary_ >= kLongestSummary - kCut.size()) return;
  const std::size_t room = kLongestSummary - kCut.size() - summary_;
  std::string text(markdown.substr(0, room));
  if (text.size() < markdown.size()) {
    text = text.substr(0, text.rfind('\n') + 1);  // no half row of a table
    text += kCut;
    summary_ = kLongestSummary;
  }
  if (!text.ends_with('\n')) text += '\n';
  summary_ += text.size();
  host_.files.Append(file, text);
}

void JobFiles::Mask(std::string_view secret) {
  if (!host_.in_actions()) return;
  for (const std::string_view line : Split(secret, '\n')) {
    // The runner masks every occurrence: a short secret would hide half of the log.
    constexpr std::size_t kShortest = 4;
    if (Trim(line).size() < kShortest) continue;
    WriteCommand(host_.out,
                 fmt::format("::add-mask::{}\n", EscapeWorkflowCommand(Trim(line), false)));
  }
  host_.out.flush();
}

}  // namespace wheelwright
