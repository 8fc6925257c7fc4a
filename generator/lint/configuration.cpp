#include "generator/lint/configuration.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "generator/lint/catalogue.h"
#include "generator/workflow/report.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 3> kLevels{"off", "warning", "error"};
constexpr std::array<std::string_view, 5> kKeys{"rules", "runners", "actions", "programs", "paths"};
constexpr std::array<std::string_view, 1> kPathKeys{"rules"};

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Whether a value has the kind; reports if not.
  bool Expect(const Node& value, NodeKind kind, std::string_view what) {
    if (value.kind == kind) return true;
    Report(At(&value, "wrong-kind",
              fmt::format("{} is written here, and this is {}", what, DescribeKind(value))));
    return false;
  }

  void ReportUnknown(const Node* key, std::span<const std::string_view> known) {
    Report(At(key, "unknown-key", fmt::format("the configuration has no key '{}' here", key->text),
              DidYouMean(key->text, known, "there are")));
  }

  void ReadLevels(const Node& mapping, LintConfiguration::Levels& levels) {
    if (!Expect(mapping, NodeKind::kMapping, "a mapping of rules and levels")) return;
    for (const Entry& entry : mapping.entries) {
      const LintRule* rule = FindLintRule(entry.key->text);
      if (rule == nullptr && entry.key->text != kPolicyName) {
        std::vector<std::string_view> names{kPolicyName};
        for (const LintRule& one : LintRules()) names.push_back(one.name);
        Report(At(entry.key, "unknown-rule", fmt::format("there is no rule '{}'", entry.key->text),
                  DidYouMean(entry.key->text, names)));
      } else if (rule != nullptr && rule->kind == RuleKind::kFile) {
        Report(At(entry.key, "unknown-rule",
                  fmt::format("'{}' is always on: a file with it cannot be checked", rule->name)));
      } else if (const auto level = ReadLevel(*entry.value)) {
        levels.insert_or_assign(std::string(entry.key->text), *level);
      }
    }
  }

  std::optional<RuleLevel> ReadLevel(const Node& value) {
    if (value.is_scalar()) {
      for (std::size_t i = 0; i < kLevels.size(); ++i) {
        if (value.text == kLevels[i]) return static_cast<RuleLevel>(i);
      }
    }
    Report(At(&value, "unknown-value", "this is no level of a rule",
              DidYouMean(value.is_scalar() ? value.text : "", kLevels, "there are")));
    return std::nullopt;
  }

  void Report(Diagnostic diagnostic) { diagnostics_.Report(std::move(diagnostic)); }

 private:
  Diagnostics& diagnostics_;
};

}  // namespace

LintConfiguration LintConfiguration::Read(const SourceManager& sources, FileId file, Arena& arena,
                                          Diagnostics& diagnostics) {
  LintConfiguration result;
  const Node* root = ReadYaml(sources, file, arena, diagnostics).root;
  Reader reader(diagnostics);
  if (root == nullptr || root->is_null()) return result;
  if (!reader.Expect(*root, NodeKind::kMapping, "a mapping")) return result;
  for (const Entry& entry : root->entries) {
    const std::string_view key = entry.key->text;
    if (key == "rules") {
      reader.ReadLevels(*entry.value, result.rules_);
    } else if (key == "runners") {
      if (!reader.Expect(*entry.value, NodeKind::kSequence, "a list of labels")) continue;
      for (const Node* label : entry.value->items) {
        if (reader.Expect(*label, NodeKind::kString, "a label")) {
          result.runners_.emplace_back(label->text);
        }
      }
    } else if (key == "actions" || key == "programs") {
      auto& paths = key == "actions" ? result.actions_ : result.programs_;
      if (!reader.Expect(*entry.value, NodeKind::kSequence, "a list of files")) continue;
      for (const Node* path : entry.value->items) {
        if (reader.Expect(*path, NodeKind::kString, "a file")) paths.push_back(path);
      }
    } else if (key == "paths") {
      if (!reader.Expect(*entry.value, NodeKind::kMapping, "a mapping of globs")) continue;
      for (const Entry& path : entry.value->entries) {
        PathRules& rules = result.paths_.emplace_back();
        rules.glob = path.key->text;
        if (path.value->is_scalar() && path.value->text == "off") {
          rules.off = true;
          continue;
        }
        if (!reader.Expect(*path.value, NodeKind::kMapping, "'off', or a mapping with 'rules'")) {
          continue;
        }
        for (const Entry& inner : path.value->entries) {
          if (inner.key->text == "rules") {
            reader.ReadLevels(*inner.value, rules.rules);
          } else {
            reader.ReportUnknown(inner.key, kPathKeys);
          }
        }
      }
    } else {
      reader.ReportUnknown(entry.key, kKeys);
    }
  }
  return result;
}

std::optional<RuleLevel> LintConfiguration::LevelOf(std::string_view rule,
                                                    std::string_view path) const {
  const LintRule* known = FindLintRule(rule);
  const bool policy = known != nullptr && known->kind == RuleKind::kPolicy;
  const auto look = [&](const Levels& levels) -> std::optional<RuleLevel> {
    if (const auto own = levels.find(rule); own != levels.end()) return own->second;
    const auto all = policy ? levels.find(kPolicyName) : levels.end();
    return all == levels.end() ? std::nullopt : std::optional(all->second);
  };
  for (auto one = paths_.rbegin(); one != paths_.rend(); ++one) {
    if (!FitsPath(one->glob, path)) continue;
    if (const auto level = look(one->rules)) return level;
  }
  return look(rules_);
}

bool LintConfiguration::Skips(std::string_view path) const {
  for (const PathRules& one : paths_) {
    if (one.off && FitsPath(one.glob, path)) return true;
  }
  return false;
}

bool FitsPath(std::string_view glob, std::string_view path) {
  // For backtracking: the last star of each kind takes one more character.
  std::size_t g = 0, p = 0;
  std::size_t star = std::string_view::npos, star_path = 0;
  std::size_t two = std::string_view::npos, two_path = 0;
  while (p < path.size() || g < glob.size()) {
    if (g < glob.size() && glob[g] == '*') {
      if (glob.substr(g).starts_with("**")) {
        g += 2;
        if (g < glob.size() && glob[g] == '/' && (p == 0 || path[p - 1] == '/')) ++g;
        two = g;
        two_path = p;
        star = std::string_view::npos;
      } else {
        star = ++g;
        star_path = p;
      }
      continue;
    }
    if (p < path.size() && g < glob.size() &&
        (glob[g] == path[p] || (glob[g] == '?' && path[p] != '/'))) {
      ++g;
      ++p;
      continue;
    }
    if (star != std::string_view::npos && star_path < path.size() && path[star_path] != '/') {
      g = star;
      p = ++star_path;
    } else if (two != std::string_view::npos && two_path < path.size()) {
      star = std::string_view::npos;
      g = two;
      p = ++two_path;
    } else {
      return false;
    }
  }
  return true;
}

std::string ConfigurationSchema() {
  Json rules{{"type", "object"},
             {"description", "Levels of rules; docs/lint.md lists them."},
             {"additionalProperties", false},
             {"properties", Json::object()}};
  const Json level{{"enum", kLevels}};
  rules["properties"][std::string(kPolicyName)] = level;
  for (const LintRule& rule : LintRules()) {
    if (rule.kind != RuleKind::kFile) rules["properties"][std::string(rule.name)] = level;
  }
  const Json use_rules{{"$ref", "#/definitions/rules"}};
  const Json of_path{
      {"type", "object"}, {"additionalProperties", false}, {"properties", {{"rules", use_rules}}}};
  const Json schema{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", std::string(kConfigurationPath)},
      {"description", "The configuration of wheelwright lint."},
      {"type", Json::array({"object", "null"})},
      {"additionalProperties", false},
      {"properties",
       {{"rules", use_rules},
        {"runners",
         {{"description", "Labels of your own runners; * matches anything."},
          {"type", "array"},
          {"items", {{"type", "string"}}}}},
        {"actions",
         {{"description", "Files of `wheelwright actions`, from the repository's folder."},
          {"type", "array"},
          {"items", {{"type", "string"}}}}},
        {"programs",
         {{"description",
           "Files of what `PROGRAM help --json` prints, from the repository's folder."},
          {"type", "array"},
          {"items", {{"type", "string"}}}}},
        {"paths",
         {{"description",
           "Globs of paths from the repository's folder. 'off' excludes files; rules apply only to "
           "them. The last match wins."},
          {"type", "object"},
          {"additionalProperties", {{"oneOf", Json::array({Json{{"const", "off"}}, of_path})}}}}}}},
      {"definitions", {{"rules", rules}}}};
  return DumpJson(schema, 2) + "\n";
}

}  // namespace wheelwright
