#include "runtime/version/version_specifier.h"

#include <array>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

// Longer ones first: each is looked for at the front.
constexpr std::array<std::string_view, 7> kOperators{"~=", "==", "!=", "<=", ">=", "<", ">"};

struct Clause {
  std::string_view sign;
  std::string version;  // in normal form, with its ".*"
  std::optional<PackageVersion> exact;
};

std::optional<Clause> ReadClause(std::string_view text) {
  text = Trim(text);
  for (const std::string_view sign : kOperators) {
    if (!text.starts_with(sign)) continue;
    std::string_view rest = Trim(text.substr(sign.size()));
    const bool equality = sign == "==" || sign == "!=";
    const bool prefix = equality && rest.ends_with(".*");
    if (prefix) rest.remove_suffix(2);
    auto version = ParsePackageVersion(rest);
    // "~=7" would mean nothing: it frees the last number, and leaves none.
    if (!version || (sign == "~=" && version->release.size() < 2) ||
        (!equality && !version->local.empty())) {
      return std::nullopt;
    }
    Clause clause{.sign = sign, .version = version->ToString() + (prefix ? ".*" : "")};
    if (sign == "==" && !prefix) clause.exact = std::move(version);
    return clause;
  }
  return std::nullopt;
}

}  // namespace

std::optional<VersionSpecifier> ParseVersionSpecifier(std::string_view text) {
  if (auto version = ParsePackageVersion(text)) {
    return VersionSpecifier{.text = version->Pin(), .exact = std::move(version)};
  }
  VersionSpecifier specifier;
  for (const std::string_view part : Split(text, ',')) {
    const std::optional<Clause> clause = ReadClause(part);
    if (!clause) return std::nullopt;
    if (!specifier.text.empty()) specifier.text += ',';
    specifier.text += clause->sign;
    specifier.text += clause->version;
    if (clause->exact) specifier.exact = clause->exact;
  }
  return specifier;
}

}  // namespace wheelwright
