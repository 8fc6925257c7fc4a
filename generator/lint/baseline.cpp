#include "generator/lint/baseline.h"

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// Without the line number, which changes with every edit above it.
Json Describe(const Diagnostic& diagnostic, const SourceManager& sources) {
  const Location at = diagnostic.where.begin;
  std::string_view line;
  if (at.known()) line = Trim(sources.Line(at.file, sources.PositionOf(at).line));
  return {{"file", at.known() ? sources.Name(at.file) : std::string_view()},
          {"code", diagnostic.code},
          {"message", diagnostic.message},
          {"line", line}};
}

std::string KeyOf(const Json& finding) { return DumpJson(finding); }

}  // namespace

std::optional<Baseline> Baseline::Parse(std::string_view text) {
  const Json json = ParseOrderedJson(text);
  if (!json.is_object() || json.value("version", 0) != 1) return std::nullopt;
  const auto findings = json.find("findings");
  if (findings == json.end() || !findings->is_array()) return std::nullopt;
  Baseline baseline;
  for (const Json& one : *findings) {
    Json ordered;
    for (const char* key : {"file", "code", "message", "line"}) {
      if (!one.is_object() || !one.contains(key) || !one[key].is_string()) return std::nullopt;
      ordered[key] = one[key];
    }
    ++baseline.known_[KeyOf(ordered)];
  }
  return baseline;
}

std::string Baseline::Write(const Diagnostics& found, const SourceManager& sources) {
  // One finding a line, for readable diffs.
  std::string text = "{\"version\": 1, \"findings\": [";
  std::string_view separator = "\n";
  for (const Diagnostics::Entry& entry : found.entries()) {
    text.append(separator).append("  ").append(KeyOf(Describe(entry.diagnostic, sources)));
    separator = ",\n";
  }
  return text + "\n]}\n";
}

bool Baseline::Take(const Diagnostic& diagnostic, const SourceManager& sources) {
  if (known_.empty()) return false;
  const auto known = known_.find(KeyOf(Describe(diagnostic, sources)));
  if (known == known_.end()) return false;
  if (--known->second == 0) known_.erase(known);
  return true;
}

std::size_t Baseline::left() const {
  std::size_t count = 0;
  for (const auto& [key, times] : known_) count += times;
  return count;
}

}  // namespace wheelwright
