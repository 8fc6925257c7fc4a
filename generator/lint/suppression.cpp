#include "generator/lint/suppression.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "generator/lint/catalogue.h"

namespace wheelwright {
namespace {

constexpr std::string_view kMark = "# wheelwright: ignore";

std::size_t IndentOf(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

bool IsBlankOrComment(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.empty() || text.starts_with('#');
}

// The last line of a block: all lines below its first that are indented deeper.
std::size_t LastOfBlock(const std::vector<std::string_view>& lines, std::size_t first) {
  const std::size_t indent = IndentOf(lines[first]);
  const bool item = lines[first].substr(indent).starts_with("- ");
  std::size_t last = first;
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    if (Trim(lines[i]).empty()) continue;
    const std::size_t own = IndentOf(lines[i]);
    const bool item_of_key = !item && own == indent && lines[i].substr(own).starts_with("- ");
    if (own <= indent && !item_of_key) break;
    last = i;
  }
  return last;
}

}  // namespace

void Suppressions::Read(const SourceManager& sources, FileId file, bool generated,
                        Diagnostics& diagnostics) {
  const std::string_view text = sources.Text(file);
  if (text.find(kMark) == std::string_view::npos) return;
  const std::vector<std::string_view> lines = Split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find(kMark);
    if (at == std::string_view::npos) continue;
    const auto offset = static_cast<std::uint32_t>(lines[i].data() - text.data() + at);
    const auto report = [&](std::string message, std::string hint) {
      diagnostics.Report({.severity = Severity::kWarning,
                          .code = "bad-suppression",
                          .message = std::move(message),
                          .where = {{file, offset}, static_cast<std::uint32_t>(kMark.size())},
                          .hint = std::move(hint)});
    };
    if (generated) {
      report("a generated file takes no suppressions", "fix its template");
      continue;
    }
    const std::string_view rest = lines[i].substr(at + kMark.size());
    const std::size_t close = rest.find(']');
    if (!rest.starts_with('[') || close == std::string_view::npos) {
      report("this suppression names no rule", "write ignore[RULE] and the reason");
      continue;
    }
    if (Trim(rest.substr(close + 1)).empty()) {
      report("this suppression has no reason", "write it behind the bracket");
      continue;
    }
    std::size_t first = i;
    if (Trim(lines[i].substr(0, at)).empty()) {
      while (first < lines.size() && IsBlankOrComment(lines[first])) ++first;
    }
    if (first == lines.size()) first = i;
    const std::size_t last = LastOfBlock(lines, first);
    for (const std::string_view part : Split(rest.substr(1, close - 1), ',')) {
      const std::string_view rule = Trim(part);
      const LintRule* known = FindLintRule(rule);
      if (known == nullptr || known->kind == RuleKind::kFile) {
        std::vector<std::string_view> names;
        for (const LintRule& one : LintRules()) names.push_back(one.name);
        report(known == nullptr ? fmt::format("there is no rule '{}'", rule)
                                : fmt::format("'{}' cannot be suppressed", rule),
               known == nullptr ? DidYouMean(rule, names) : "");
        continue;
      }
      const auto begin = static_cast<std::uint32_t>(rule.data() - text.data());
      all_.push_back({.rule = rule,
                      .where = {{file, begin}, static_cast<std::uint32_t>(rule.size())},
                      .first_line = first + 1,
                      .last_line = last + 1});
    }
  }
}

bool Suppressions::Answers(const Diagnostic& diagnostic, const SourceManager& sources) {
  if (all_.empty()) return false;
  const std::size_t line = sources.PositionOf(diagnostic.where.begin).line;
  bool answered = false;
  for (One& one : all_) {
    if (one.rule != diagnostic.code || line < one.first_line || line > one.last_line) continue;
    one.used = true;
    answered = true;
  }
  return answered;
}

void Suppressions::ReportUnused(Diagnostics& diagnostics) const {
  for (const One& one : all_) {
    if (one.used) continue;
    diagnostics.Report({.severity = Severity::kWarning,
                        .code = "unused-suppression",
                        .message = fmt::format("there is no finding of '{}' here", one.rule),
                        .where = one.where,
                        .hint = "remove it"});
  }
}

}  // namespace wheelwright
