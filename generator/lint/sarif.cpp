#include "generator/lint/sarif.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/characters.h"
#include "base/json.h"
#include "base/text.h"
#include "generator/lint/catalogue.h"

namespace wheelwright {
namespace {

constexpr std::string_view kRepository = "https://github.com/ROCm/wheelwright";

// A path as a URI reference, escaped by RFC 3986.
std::string AsUri(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain =
        IsLetterOrDigit(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

Json PlaceOf(SourceRange where, const SourceManager& sources) {
  const Position begin = sources.PositionOf(where.begin);
  const Position end = sources.PositionOf({where.begin.file, where.begin.offset + where.length});
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", AsUri(sources.Name(where.begin.file))}}},
            {"region",
             {{"startLine", begin.line},
              {"startColumn", begin.column},
              {"endLine", end.line},
              {"endColumn", end.column}}}}}};
}

Json ResultOf(const Diagnostic& d, std::size_t rule, const SourceManager& sources) {
  std::string text = d.message;
  if (!d.hint.empty()) text += ": " + d.hint;
  for (const std::string& note : d.notes) text += "\n" + note;
  Json result{{"ruleId", d.code},
              {"ruleIndex", rule},
              {"level", d.severity == Severity::kError ? "error" : "warning"},
              {"message", {{"text", Printable(text)}}}};
  if (d.where.known()) result["locations"] = Json::array({PlaceOf(d.where, sources)});
  std::size_t id = 0;
  for (const auto& related : d.related) {
    if (!related.where.known()) continue;
    Json place = PlaceOf(related.where, sources);
    place["id"] = ++id;
    place["message"] = {{"text", related.text}};
    result["relatedLocations"].push_back(std::move(place));
  }
  return result;
}

}  // namespace

std::string RenderSarif(const Diagnostics& found, const SourceManager& sources,
                        std::string_view version) {
  std::map<std::string_view, std::size_t> positions;
  Json rules = Json::array();
  Json results = Json::array();
  for (const Diagnostics::Entry& entry : found.entries()) {
    const Diagnostic& d = entry.diagnostic;
    const auto [position, is_new] = positions.emplace(d.code, rules.size());
    if (is_new) {
      const LintRule* rule = FindLintRule(d.code);
      rules.push_back(
          {{"id", d.code},
           {"helpUri", fmt::format("{}/blob/main/docs/lint.md#rules", kRepository)},
           {"properties", {{"policy", rule != nullptr && rule->kind == RuleKind::kPolicy}}}});
    }
    results.push_back(ResultOf(d, position->second, sources));
  }
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({{{"tool",
                                         {{"driver",
                                           {{"name", "wheelwright"},
                                            {"version", version},
                                            {"informationUri", kRepository},
                                            {"rules", rules}}}}},
                                        {"columnKind", "unicodeCodePoints"},
                                        {"results", results}}})}};
  return DumpJson(log, 2) + "\n";
}

}  // namespace wheelwright
