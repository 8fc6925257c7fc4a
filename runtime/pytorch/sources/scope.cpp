#include "runtime/pytorch/sources/scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

void ReportUnknown(std::string_view code, std::string_view what, std::string_view given,
                   const std::vector<std::string_view>& known, Diagnostics& diagnostics) {
  diagnostics.Report({.code = code,
                      .message = fmt::format("no {} is called {}", what, Quoted(given)),
                      .hint = DidYouMean(given, known, "there are")});
}

const PlannedSet* TakeSet(const Plan& plan, std::string_view name, Diagnostics& diagnostics) {
  const std::vector<PlannedSet>& sets = plan.selection.combos;
  if (name.empty() && !sets.empty()) return &sets.front();
  if (const PlannedSet* set = plan.selection.FindSet(name)) return set;
  std::vector<std::string_view> known;
  for (const PlannedSet& set : sets) known.push_back(set.name);
  ReportUnknown("unknown-combo-set", "set of combos", name, known, diagnostics);
  return nullptr;
}

bool CheckNames(const Plan& plan, const PlannedSet& set, const ScopeRequest& request,
                Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  std::vector<std::string_view> platforms;
  for (const PlatformRow& row : plan.selection.platforms) platforms.push_back(row.name);
  if (!request.platform.empty() && plan.selection.FindPlatform(request.platform) == nullptr) {
    ReportUnknown("unknown-platform", "platform", request.platform, platforms, diagnostics);
  }
  std::vector<std::string_view> types;
  for (const ReleaseTypeRow& row : plan.selection.release_types) types.push_back(row.name);
  if (!request.release_type.empty() &&
      plan.selection.FindReleaseType(request.release_type) == nullptr) {
    ReportUnknown("unknown-release-type", "release type", request.release_type, types, diagnostics);
  }
  const bool group = std::ranges::any_of(set.builds, [&](const PlannedBuild& build) {
    return EqualsIgnoringCase(build.gfx, request.family);
  });
  if (!request.family.empty() && !group && plan.selection.FindFamily(request.family) == nullptr) {
    ReportUnknown("unknown-family", "family", request.family, plan.selection.FamilyNames(),
                  diagnostics);
  }
  return diagnostics.errors() == errors;
}

bool IsOf(const Plan& plan, std::string_view gfx, std::string_view key, std::string_view family) {
  if (family.empty() || EqualsIgnoringCase(gfx, family)) return true;
  const FamilyRow* row = plan.selection.FindFamily(family);
  return row != nullptr && row->key == key;
}

// Why the plan has no combos for the request.
std::vector<std::string> Reasons(const Plan& plan, const PlannedSet& set,
                                 const ScopeRequest& request) {
  std::vector<std::string> notes;
  for (const PlannedOut& out : set.out) {
    if (!request.platform.empty() && out.platform != request.platform) continue;
    if (request.family.empty() || !IsOf(plan, out.gfx, out.key, request.family)) continue;
    notes.push_back(out.issue.empty()
                        ? fmt::format("{}: {}", out.platform, out.why)
                        : fmt::format("{}: {} ({})", out.platform, out.why, out.issue));
  }
  return notes;
}

Texts InOrder(const Plan& plan, const Texts& packages) {
  Texts ordered;
  for (const ProjectRow& project : plan.projects) {
    if (HasText(packages, project.name)) ordered.push_back(project.name);
  }
  return ordered;
}

}  // namespace

std::optional<ResolveScope> FindScope(const Plan& plan, const ScopeRequest& request,
                                      Diagnostics& diagnostics) {
  const PlannedSet* set = TakeSet(plan, request.set, diagnostics);
  if (set == nullptr || !CheckNames(plan, *set, request, diagnostics)) return std::nullopt;
  ResolveScope scope;
  std::vector<Texts> packages;  // of scope.combos
  for (const PlannedBuild& build : set->builds) {
    if (!request.platform.empty() && build.platform != request.platform) continue;
    if (!IsOf(plan, build.gfx, build.key, request.family)) continue;
    if (!request.family.empty() && scope.gfx.empty()) scope.gfx = build.gfx;
    const PlatformRow* row = plan.selection.FindPlatform(build.platform);
    for (const PlannedCombo& combo : build.combos) {
      if (!request.release_type.empty() &&
          !HasText(combo.release_types, std::string(request.release_type))) {
        continue;
      }
      const auto known = std::ranges::find(scope.combos, combo.id, &ResolveScope::Combo::id);
      std::size_t at = static_cast<std::size_t>(known - scope.combos.begin());
      if (known == scope.combos.end()) {
        scope.combos.push_back({.id = combo.id, .torch = combo.torch});
        packages.emplace_back();
      }
      if (row != nullptr) {
        packages[at].insert(packages[at].end(), row->packages.begin(), row->packages.end());
      }
    }
  }
  if (scope.combos.empty()) {
    diagnostics.Report(
        {.code = "no-combos",
         .message = fmt::format(
             "the set '{}' has no combo for {}{}{}", set->name,
             request.family.empty() ? "any family" : request.family,
             request.platform.empty() ? "" : fmt::format(" on {}", request.platform),
             request.release_type.empty() ? ""
                                          : fmt::format(" in {} releases", request.release_type)),
         .notes = Reasons(plan, *set, request)});
    return std::nullopt;
  }
  for (std::size_t i = 0; i < packages.size(); ++i) {
    scope.combos[i].projects = InOrder(plan, packages[i]);
  }
  return scope;
}

}  // namespace wheelwright
