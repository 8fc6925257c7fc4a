#include "generator/matrix/domain_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/text.h"
#include "generator/matrix/load.h"

namespace wheelwright {
namespace {

struct Holding {
  std::string_view column;  // of a domain
  std::string_view what;
};
constexpr std::array kHoldings{Holding{"roles", "role"}, Holding{"buckets", "bucket"},
                               Holding{"environments", "environment"}};

// Columns of a release type that a domain must hold.
struct Used {
  std::string_view column;
  const Holding& holding;
};
constexpr std::array kUsed{Used{"role", kHoldings[0]}, Used{"python_bucket", kHoldings[1]},
                           Used{"tarball_bucket", kHoldings[1]},
                           Used{"artifact_bucket", kHoldings[1]}};

bool Holds(const Entry& domain, const Holding& holding, std::string_view text) {
  const Node* list = Find(domain.value, holding.column);
  return list != nullptr &&
         std::ranges::any_of(list->items, [&](const Node* item) { return item->text == text; });
}

void CheckEmpty(const Entry& domain, Diagnostics& diagnostics) {
  for (const Holding& holding : kHoldings) {
    const Node* list = Find(domain.value, holding.column);
    if (list != nullptr && !list->items.empty()) return;
  }
  diagnostics.Report({.code = "empty-domain",
                      .message = fmt::format("the domain '{}' has no role, bucket or environment",
                                             domain.key->text),
                      .where = domain.key->where,
                      .notes = {"it guards nothing: list what belongs to it, or remove the row"}});
}

void CheckOverlap(const Matrix& matrix, const Holding& holding, Diagnostics& diagnostics) {
  struct First {
    std::string_view domain;
    SourceRange where;
  };
  std::map<std::string_view, First> seen;
  for (const Entry& domain : matrix.domains->entries) {
    const Node* list = Find(domain.value, holding.column);
    if (list == nullptr) continue;
    for (const Node* item : list->items) {
      const auto [first, is_new] = seen.emplace(item->text, First{domain.key->text, item->where});
      if (is_new || first->second.domain == domain.key->text) continue;
      diagnostics.Report(
          {.code = "domain-overlap",
           .message = fmt::format("the {} '{}' is in two domains: '{}' and '{}'", holding.what,
                                  item->text, first->second.domain, domain.key->text),
           .where = item->where,
           .related = {{first->second.where, "first here"}},
           .notes = {"which events may reach it would depend on whom one asks"}});
    }
  }
}

void CheckReleaseType(const Matrix& matrix, const Entry& type, Diagnostics& diagnostics) {
  const Entry* domain = FindEntry(matrix.domains, FindText(type.value, "domain"));
  if (domain == nullptr) return;
  for (const Used& used : kUsed) {
    const Node* text = Find(type.value, used.column);
    if (text == nullptr || Holds(*domain, used.holding, text->text)) continue;
    Diagnostic diagnostic{
        .code = "outside-domain",
        .message = fmt::format("the {} '{}' of release type '{}' is not in its domain '{}'",
                               used.holding.what, text->text, type.key->text, domain->key->text),
        .where = text->where,
        .hint = fmt::format("add it to '{}' of '{}'", used.holding.column, domain->key->text),
        .related = {{domain->key->where, "the domain"}}};
    for (const Entry& other : matrix.domains->entries) {
      if (!Holds(other, used.holding, text->text)) continue;
      diagnostic.notes.push_back(fmt::format("it belongs to the domain '{}'", other.key->text));
    }
    diagnostics.Report(std::move(diagnostic));
  }
}

void CheckRunner(const Entry& runner, Diagnostics& diagnostics) {
  const Node* ephemeral = Find(runner.value, "ephemeral");
  const Node* domains = Find(runner.value, "domains");
  if (domains == nullptr || domains->items.size() < 2) return;
  if (ephemeral != nullptr && ephemeral->text == "true") return;
  const Node* lower = domains->items[0];
  const Node* higher = domains->items[1];
  diagnostics.Report(
      {.code = "shared-runner",
       .message = fmt::format("the domains '{}' and '{}' share the runner '{}', which is not said "
                              "to be ephemeral",
                              lower->text, higher->text, runner.key->text),
       .where = higher->where,
       .hint = "take it out of one of them",
       .related = {{runner.key->where, "the runner"}},
       .notes = {"what a job leaves on such a machine is there for the next: `ephemeral: true` if "
                 "each gets a machine of its own"}});
}

// GitHub compares labels ignoring case.
void CheckLabels(const Matrix& matrix, Diagnostics& diagnostics) {
  std::map<std::string, SourceRange> seen;
  for (const Entry& runner : matrix.runners->entries) {
    const auto [first, is_new] = seen.emplace(ToLower(runner.key->text), runner.key->where);
    if (is_new) continue;
    diagnostics.Report({.code = "shared-runner",
                        .message = fmt::format("the runner '{}' has two rows", runner.key->text),
                        .where = runner.key->where,
                        .related = {{first->second, "first here"}},
                        .notes = {"GitHub does not tell labels apart by the case of letters"}});
  }
}

}  // namespace

void CheckDomains(const Matrix& matrix, Diagnostics& diagnostics) {
  for (const Entry& domain : matrix.domains->entries) CheckEmpty(domain, diagnostics);
  for (const Holding& holding : kHoldings) CheckOverlap(matrix, holding, diagnostics);
  for (const Entry& type : matrix.release_types->entries) {
    CheckReleaseType(matrix, type, diagnostics);
  }
  for (const Entry& runner : matrix.runners->entries) CheckRunner(runner, diagnostics);
  CheckLabels(matrix, diagnostics);
}

}  // namespace wheelwright
