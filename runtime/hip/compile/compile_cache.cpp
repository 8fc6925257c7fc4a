#include "runtime/hip/compile/compile_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/platform/files.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {
namespace {

constexpr std::string_view kFirstLine = "wheelrun hip compile 1";

// Takes a line off the front.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

}  // namespace

std::string CompileCache::EntryPath(const std::string& key) const {
  return fmt::format("{}/results/{}/{}", folder_, key.substr(0, 2), key.substr(2));
}

std::string CompileCache::ObjectPath(const std::string& sum) const {
  return fmt::format("{}/objects/{}/{}.o", folder_, sum.substr(0, 2), sum.substr(2));
}

// The lines of an entry: kFirstLine, "pass" or "error", milliseconds, bytes of memory, the digest
// of the object or "-", the number of inputs, "DIGEST PATH" of each, and the output of the
// compiler.
std::optional<CompileOutcome> CompileCache::Find(const std::string& key) {
  if (folder_.empty()) return std::nullopt;
  const std::optional<std::string> entry = files_.Read(EntryPath(key));
  if (!entry) return std::nullopt;
  std::string_view text = *entry;
  if (TakeLine(text) != kFirstLine) return std::nullopt;
  CompileOutcome outcome;
  outcome.end = TakeLine(text) == "pass" ? CompileEnd::kPass : CompileEnd::kError;
  const auto duration = ReadWholeNumber(TakeLine(text));
  const auto memory = ReadWholeNumber(TakeLine(text));
  const std::string_view object = TakeLine(text);
  const auto inputs = ReadWholeNumber(TakeLine(text));
  if (!duration || !memory || !inputs) return std::nullopt;
  outcome.duration = std::chrono::milliseconds(*duration);
  outcome.memory = *memory;
  for (std::uint64_t i = 0; i < *inputs; ++i) {
    const std::string_view line = TakeLine(text);
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    std::string path(line.substr(blank + 1));
    if (sums_.Of(path) != line.substr(0, blank)) return std::nullopt;
    outcome.inputs.push_back(std::move(path));
  }
  outcome.output = text;
  if (object != "-") {
    outcome.object = ObjectPath(std::string(object));
    // Somebody may have cleaned a part of the folder.
    if (sums_.Of(outcome.object) != object) return std::nullopt;
  }
  return outcome;
}

std::string CompileCache::TurnPath(const std::vector<std::string>& keys) const {
  if (folder_.empty() || keys.empty()) return {};
  std::string all;
  for (const std::string& key : keys) all += key + "\n";
  // The files stay, so there are few of them: it is no harm if two turns share one.
  const std::string sum = Hexadecimal(DigestOf(DigestKind::kSha256, all));
  return fmt::format("{}/turns/{}", folder_, sum.substr(0, 2));
}

void CompileCache::Keep(const std::string& key, CompileOutcome& outcome) {
  const bool repeatable = outcome.end == CompileEnd::kPass || outcome.end == CompileEnd::kError;
  // Without its inputs, a result would never become stale.
  if (folder_.empty() || !repeatable || outcome.inputs.empty()) return;
  std::string sum = "-";
  if (!outcome.object.empty()) {
    const std::optional<std::string> bytes = files_.Read(outcome.object);
    if (!bytes) return;
    sum = Hexadecimal(DigestOf(DigestKind::kSha256, *bytes));
    outcome.object = ObjectPath(sum);
    files_.Write(outcome.object, *bytes);
  }
  std::string text = fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}\n", kFirstLine, outcome.end == CompileEnd::kPass ? "pass" : "error",
      outcome.duration.count(), outcome.memory, sum, outcome.inputs.size());
  for (const std::string& path : outcome.inputs) {
    const std::string input = sums_.Of(path);
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(SystemPath(path), error);
    if (input.empty() || error || changed > opened_ || path.find('\n') != std::string::npos) return;
    text += fmt::format("{} {}\n", input, path);
  }
  files_.Write(EntryPath(key), text + outcome.output);
}

std::optional<CompileCache::Effort> CompileCache::EffortOf(std::string_view source,
                                                           std::string_view target) const {
  const auto exact = efforts_.find(fmt::format("{} {}", target, source));
  if (exact != efforts_.end()) return exact->second;
  // A new target probably takes as much as the other targets of the source.
  std::optional<Effort> most;
  for (const auto& [name, effort] : efforts_) {
    if (name.substr(name.find(' ') + 1) != source) continue;
    if (!most) most = Effort();
    most->duration = std::max(most->duration, effort.duration);
    most->memory = std::max(most->memory, effort.memory);
  }
  return most;
}

void CompileCache::LearnEffort(std::string_view source, std::string_view target, Effort effort) {
  efforts_[fmt::format("{} {}", target, source)] = effort;
}

void CompileCache::LoadEfforts() {
  if (folder_.empty()) return;
  const std::optional<std::string> text = files_.Read(folder_ + "/efforts");
  if (!text) return;
  for (const std::string_view line : Split(*text, '\n')) {
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (second == std::string_view::npos) continue;
    const auto duration = ReadWholeNumber(line.substr(0, first));
    const auto memory = ReadWholeNumber(line.substr(first + 1, second - first - 1));
    if (!duration || !memory) continue;
    efforts_[std::string(line.substr(second + 1))] = {std::chrono::milliseconds(*duration),
                                                      *memory};
  }
}

void CompileCache::SaveEfforts() {
  if (folder_.empty()) return;
  std::string text;
  for (const auto& [name, effort] : efforts_) {
    text += fmt::format("{} {} {}\n", effort.duration.count(), effort.memory, name);
  }
  files_.Write(folder_ + "/efforts", text);
}

std::vector<std::string> ReadDependencies(std::string_view text) {
  std::vector<std::string> paths;
  std::string word;
  // "target: a b \" and a line feed. Blanks in names have a backslash, dollars are doubled.
  std::size_t at = text.find(": ");
  if (at == std::string_view::npos) return paths;
  const auto finish = [&] {
    if (!word.empty()) paths.push_back(std::exchange(word, {}));
  };
  for (at += 2; at < text.size(); ++at) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '\\' && (next == '\n' || next == '\r')) {
      finish();
      ++at;
    } else if (c == '\\' && (next == ' ' || next == '#')) {
      word += next;
      ++at;
    } else if (c == '$' && next == '$') {
      word += next;
      ++at;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      finish();
      if (c == '\n') break;
    } else {
      word += c;
    }
  }
  finish();
  std::ranges::sort(paths);
  const auto repeated = std::ranges::unique(paths);
  paths.erase(repeated.begin(), repeated.end());
  return paths;
}

}  // namespace wheelwright
