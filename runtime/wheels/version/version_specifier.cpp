#include "runtime/wheels/version/version_specifier.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

// Longer operators first, as they are matched as prefixes.
constexpr std::array<std::string_view, 7> kOperators{"~=", "==", "!=", "<=", ">=", "<", ">"};

std::optional<VersionClause> ReadClause(std::string_view text) {
  text = Trim(text);
  for (const std::string_view sign : kOperators) {
    if (!text.starts_with(sign)) continue;
    std::string_view rest = Trim(text.substr(sign.size()));
    const bool equality = sign == "==" || sign == "!=";
    const bool prefix = equality && rest.ends_with(".*");
    if (prefix) rest.remove_suffix(2);
    auto version = ParsePackageVersion(rest);
    // PEP 440 forbids "~=7".
    if (!version || (sign == "~=" && version->release.size() < 2) ||
        (!equality && !version->local.empty())) {
      return std::nullopt;
    }
    VersionClause clause{
        .sign = std::string(sign), .version = *std::move(version), .prefix = prefix};
    return clause;
  }
  return std::nullopt;
}

PackageVersion WithoutLocal(PackageVersion version) {
  version.local.clear();
  return version;
}

bool IsBeforeRelease(const PackageVersion& version) { return version.pre || version.dev; }

// Whether the first `count` numbers of the releases are equal; missing ones are 0.
bool SameFront(const PackageVersion& a, const PackageVersion& b, std::size_t count) {
  const auto at = [](const PackageVersion& version, std::size_t i) -> std::string_view {
    return i < version.release.size() ? std::string_view(version.release[i]) : "0";
  };
  if (a.epoch != b.epoch) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (at(a, i) != at(b, i)) return false;
  }
  return true;
}

bool SameRelease(const PackageVersion& a, const PackageVersion& b) {
  return SameFront(a, b, std::max(a.release.size(), b.release.size()));
}

bool Equals(const VersionClause& clause, const PackageVersion& candidate) {
  if (clause.prefix) return SameFront(candidate, clause.version, clause.version.release.size());
  return (clause.version.local.empty() ? WithoutLocal(candidate) : candidate) == clause.version;
}

bool Holds(const VersionClause& clause, const PackageVersion& candidate) {
  const PackageVersion& bound = clause.version;
  const PackageVersion bare = WithoutLocal(candidate);
  if (clause.sign == "==") return Equals(clause, candidate);
  if (clause.sign == "!=") return !Equals(clause, candidate);
  if (clause.sign == "<=") return bare <= bound;
  if (clause.sign == ">=") return bare >= bound;
  if (clause.sign == "~=") {
    return bare >= bound && SameFront(candidate, bound, bound.release.size() - 1);
  }
  // PEP 440: <3.1 does not allow 3.1rc1, and >3.1 does not allow 3.1.post1.
  if (clause.sign == "<") {
    const bool leads_to = IsBeforeRelease(candidate) && !IsBeforeRelease(bound);
    return bare < bound && !(leads_to && SameRelease(bare, bound));
  }
  return bare > bound && !(bare.post && !bound.post && SameRelease(bare, bound));
}

}  // namespace

bool VersionSpecifier::Allows(const PackageVersion& candidate) const {
  return std::ranges::all_of(clauses,
                             [&](const VersionClause& clause) { return Holds(clause, candidate); });
}

bool VersionSpecifier::names_pre() const {
  return std::ranges::any_of(
      clauses, [](const VersionClause& clause) { return IsBeforeRelease(clause.version); });
}

std::optional<VersionSpecifier> ParseVersionSpecifier(std::string_view text) {
  VersionSpecifier specifier;
  if (const auto version = ParsePackageVersion(text)) {
    specifier.text = version->Pin();
    specifier.exact = version;
    specifier.clauses = {{.sign = "==", .version = *version}};
    return specifier;
  }
  for (const std::string_view part : Split(text, ',')) {
    std::optional<VersionClause> clause = ReadClause(part);
    if (!clause) return std::nullopt;
    if (!specifier.text.empty()) specifier.text += ',';
    specifier.text += clause->sign + clause->version.ToString() + (clause->prefix ? ".*" : "");
    if (clause->sign == "==" && !clause->prefix) specifier.exact = clause->version;
    specifier.clauses.push_back(*std::move(clause));
  }
  return specifier;
}

}  // namespace wheelwright
