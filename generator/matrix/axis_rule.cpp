#include "generator/matrix/axis_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

template <typename List, typename Fits>
std::vector<char> Mark(const List& list, const AxisRule& rule, Axis axis, const Fits& fits) {
  if (!rule.Has(axis)) return std::vector<char>(list.size(), 1);
  std::vector<char> marks(list.size(), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const Node* value : rule.Values(axis)) {
      if (fits(list[i], value->text)) marks[i] = 1;
    }
  }
  return marks;
}

bool NamesValue(const AxisRule& rule, Axis axis, std::string_view value) {
  if (!rule.Has(axis)) return true;
  const auto& values = rule.Values(axis);
  return std::any_of(values.begin(), values.end(), [&](const Node* v) { return v->text == value; });
}

// The values of one axis on the platforms that the rule is about.
std::vector<std::string_view> Known(const AxisRule& rule, Axis axis,
                                    std::span<const ComboPlatform* const> platforms) {
  std::vector<std::string_view> known;
  for (const ComboPlatform* platform : platforms) {
    if (axis == Axis::kPlatform) {
      known.push_back(platform->name);
      continue;
    }
    if (!NamesValue(rule, Axis::kPlatform, platform->name)) continue;
    if (axis == Axis::kGfx) {
      for (const GfxBuild& build : platform->builds) {
        if (build.out != nullptr) continue;
        known.push_back(build.key);
        known.push_back(build.name);
      }
    } else if (axis == Axis::kPython) {
      for (const PythonValue& python : platform->pythons) known.push_back(python.version);
    } else {
      for (const TorchValue& torch : platform->torches) known.push_back(torch.ref);
    }
  }
  return known;
}

// Why a gfx name that exists is in no axis. That a family has no row for a platform says least.
void ExplainMissingBuild(const AxisRule& rule, std::string_view name,
                         std::span<const ComboPlatform* const> platforms, Diagnostic& diagnostic) {
  for (const bool absent : {false, true}) {
    if (!diagnostic.related.empty()) break;
    for (const ComboPlatform* platform : platforms) {
      if (!NamesValue(rule, Axis::kPlatform, platform->name)) continue;
      for (const GfxBuild& build : platform->builds) {
        if (build.out == nullptr || !Answers(build, name)) continue;
        if ((build.out->kind == OutKind::kNoRow) != absent) continue;
        diagnostic.related.push_back(
            {build.out->where, fmt::format("out on {}: {}", platform->name, build.out->text)});
      }
    }
  }
  if (!diagnostic.related.empty()) diagnostic.hint.clear();  // the name was meant
}

}  // namespace

std::string_view NameOf(Axis axis) {
  constexpr std::array<std::string_view, kAxes.size()> kNames{"platform", "gfx", "python", "torch"};
  return kNames[static_cast<std::size_t>(axis)];
}

bool IsRemark(std::string_view key) { return key == "why" || key == "issue"; }

AxisRule ReadAxisRule(const Node& row) {
  AxisRule rule;
  rule.row = &row;
  for (const Axis axis : kAxes) {
    const Node* value = Find(&row, NameOf(axis));
    if (value == nullptr || value->is_null()) continue;
    rule.given[rule.At(axis)] = true;
    auto& values = rule.values[rule.At(axis)];
    if (value->is_sequence()) {
      values.assign(value->items.begin(), value->items.end());
    } else {
      values.push_back(value);
    }
  }
  return rule;
}

std::vector<AxisRule> Unfold(const AxisRule& rule) {
  std::vector<AxisRule> unfolded{rule};
  for (const Axis axis : kAxes) {
    if (!rule.Has(axis)) continue;
    std::vector<AxisRule> next;
    for (const AxisRule& one : unfolded) {
      for (const Node* value : rule.Values(axis)) {
        next.push_back(one);
        next.back().values[rule.At(axis)] = {value};
      }
    }
    unfolded = std::move(next);
  }
  return unfolded;
}

SourceRange PlaceOf(const Node& row) {
  const SourceRange* first = nullptr;
  for (const Entry& entry : row.entries) {
    const SourceRange& key = entry.key->where;
    if (key.known() && (first == nullptr || key.begin < first->begin)) first = &key;
  }
  return first == nullptr ? row.where : *first;
}

AxisReach::AxisReach(const AxisRule& rule, const ComboPlatform& platform)
    : pythons_(Mark(
          platform.pythons, rule, Axis::kPython,
          [](const PythonValue& python, std::string_view name) { return python.version == name; })),
      torches_(
          Mark(platform.torches, rule, Axis::kTorch,
               [](const TorchValue& torch, std::string_view name) { return torch.ref == name; })) {
  if (NamesValue(rule, Axis::kPlatform, platform.name)) {
    builds_ = Mark(platform.builds, rule, Axis::kGfx, Answers);
  } else {
    builds_.assign(platform.builds.size(), 0);
  }
}

bool CheckValues(const AxisRule& rule, std::span<const ComboPlatform* const> platforms,
                 std::string_view owner, Diagnostics& diagnostics) {
  bool all_there = true;
  for (const Axis axis : kAxes) {
    const std::vector<std::string_view> known = Known(rule, axis, platforms);
    for (const Node* value : rule.Values(axis)) {
      if (std::find(known.begin(), known.end(), value->text) != known.end()) continue;
      all_there = false;
      Diagnostic diagnostic{
          .code = "unused-exclude",
          .message = fmt::format("no combo of {} has {} '{}', so this exclude takes out none",
                                 owner, NameOf(axis), value->text),
          .where = value->where,
          .hint = DidYouMean(value->text, known)};
      if (axis == Axis::kGfx) ExplainMissingBuild(rule, value->text, platforms, diagnostic);
      diagnostics.Report(std::move(diagnostic));
    }
  }
  return all_there;
}

}  // namespace wheelwright
