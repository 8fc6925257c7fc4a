#include "generator/workflow/syntax_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelwright {
namespace {

// "a list or a mapping".
std::string DescribeKinds(Kinds kinds) {
  std::vector<std::string> words;
  if (kinds & (kText | kNonEmpty)) words.push_back("a string");
  if (kinds & kBoolean) words.push_back("true or false");
  if (kinds & kNumber) words.push_back("a number");
  if (kinds & kList) words.push_back("a list");
  if (kinds & kMap) words.push_back("a mapping");
  if (kinds & kNothing) words.push_back("nothing");
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

}  // namespace

bool Fits(const Node& value, Kinds kinds) {
  switch (value.kind) {
    case NodeKind::kMapping:
      return kinds & kMap;
    case NodeKind::kSequence:
      return kinds & kList;
    case NodeKind::kNull:
      return kinds & (kText | kNothing);
    case NodeKind::kBoolean:
      return kinds & (kText | kNonEmpty | kBoolean);
    case NodeKind::kNumber:
      return kinds & (kText | kNonEmpty | kNumber);
    case NodeKind::kString:
      if (kinds & kText) return true;
      if ((kinds & kNonEmpty) && !value.text.empty()) return true;
      return (kinds & kExpression) && HoldsExpression(value.text);
  }
  return false;
}

void SyntaxReporter::ReportDuplicate(std::string_view what, const Node* second, const Node* first) {
  Diagnostic diagnostic =
      At(second, "duplicate-id",
         second->text == first->text
             ? fmt::format("two {}s are called '{}'", what, second->text)
             : fmt::format("'{}' and '{}' are the same {} to GitHub, which ignores case",
                           first->text, second->text, what));
  diagnostic.related.push_back({first->where, "first defined here"});
  diagnostics_.Report(std::move(diagnostic));
}

void SyntaxReporter::ReportUnknownKey(const Node* key, const SyntaxLevel& level) {
  std::vector<std::string_view> names;
  for (const SyntaxKey& known : level.keys) names.push_back(known.name);
  Diagnostic diagnostic =
      At(key, "unknown-key", fmt::format("{} has no key '{}'", level.what, key->text),
         DidYouMean(key->text, names));
  if (diagnostic.hint.empty()) {
    std::vector<std::string> words(names.begin(), names.end());
    diagnostic.notes.push_back(fmt::format(
        "{} may have {}", level.what, words.empty() ? std::string("no keys") : JoinWords(words)));
  }
  diagnostics_.Report(std::move(diagnostic));
}

void SyntaxReporter::CheckValue(const Node* key, const Node& value, const SyntaxKey& rule,
                                const SyntaxLevel& level) {
  if (!Fits(value, rule.kinds)) {
    Report(value.where.known() ? &value : key, "wrong-kind",
           fmt::format("'{}' of {} must be {}, not {}", key->text, level.what,
                       DescribeKinds(rule.kinds), DescribeKind(value)),
           ((rule.kinds & kBoolean) && NeedsNoQuotes(value, NodeKind::kBoolean)) ||
                   ((rule.kinds & kNumber) && NeedsNoQuotes(value, NodeKind::kNumber))
               ? "write it without quotes"
               : "");
    return;
  }
  if (!rule.values.empty() && value.is_scalar() && !HoldsExpression(value.text)) {
    const std::vector<std::string_view> values = Split(rule.values, ' ');
    if (std::ranges::find(values, value.text) == values.end()) {
      Report(&value, "unknown-value",
             fmt::format("'{}' of {} cannot be '{}'", key->text, level.what, value.text),
             DidYouMean(value.text, values, "it may be"));
    }
  }
  if (value.is_mapping() && rule.below) CheckMapping(value, key, *rule.below);
  if (value.is_sequence() && rule.item != 0) {
    for (const Node* item : value.items) {
      if (!Fits(*item, rule.item)) {
        Report(item, "wrong-kind",
               fmt::format("an item of '{}' must be {}, not {}", key->text,
                           DescribeKinds(rule.item), DescribeKind(*item)));
      }
    }
  }
}

void SyntaxReporter::CheckMapping(const Node& mapping, const Node* owner,
                                  const SyntaxLevel& level) {
  std::size_t required = 0;
  for (const Entry& entry : mapping.entries) {
    const auto rule = std::find_if(level.keys.begin(), level.keys.end(), [&](const SyntaxKey& key) {
      return key.name == entry.key->text;
    });
    if (rule != level.keys.end()) {
      if (rule->required) ++required;
      CheckValue(entry.key, *entry.value, *rule, level);
    } else if (level.others) {
      CheckValue(entry.key, *entry.value, *level.others, level);
    } else {
      ReportUnknownKey(entry.key, level);
    }
  }
  for (const SyntaxKey& key : level.keys) {
    if (!key.required) continue;
    if (required == 0 || !FindEntry(&mapping, key.name)) {
      Report(owner ? owner : &mapping, "missing-key",
             fmt::format("{} needs the key '{}'", level.what, key.name));
    }
  }
}

}  // namespace wheelwright
