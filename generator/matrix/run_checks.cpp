#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "generator/expression/evaluate.h"
#include "generator/expression/values.h"
#include "generator/matrix/acknowledged.h"
#include "generator/matrix/checks.h"

namespace wheelwright {
namespace {

// What a person calls a row.
std::string_view RowName(const Node& row) {
  if (row.is_scalar()) return row.text;
  for (const std::string_view column : {"name", "key", "id"}) {
    if (const std::string_view name = FindText(&row, column); !name.empty()) return name;
  }
  return {};
}

// A name in a message, without the marks around it.
std::string_view TrimQuotes(std::string_view word) {
  constexpr std::string_view kMarks = "'\",.:;";
  const std::size_t start = word.find_first_not_of(kMarks);
  if (start == std::string_view::npos) return word;
  return word.substr(start, word.find_last_not_of(kMarks) + 1 - start);
}

// The word of `other` that differs from that of `text`, where it is the only one. Both differ.
std::string_view OneWordOf(std::string_view text, std::string_view other) {
  const std::vector<std::string_view> words = Split(text, ' '), others = Split(other, ' ');
  if (words.size() != others.size()) return {};
  const auto [word, differs] = std::ranges::mismatch(words, others);
  if (!std::equal(word + 1, words.end(), differs + 1)) return {};
  return *differs;
}

class CheckRunner {
 public:
  CheckRunner(const RowCheck& check, const SourceManager& sources, Diagnostics& diagnostics,
              Acknowledgements* acknowledged)
      : check_(check), sources_(sources), diagnostics_(diagnostics), acknowledged_(acknowledged) {}

  void Run(const Scope* scope) {
    Each(check_.each, {scope, {}, scope, {}}, [&](const Row& row) { Look(row); });
    for (Finding& finding : findings_) {
      Diagnostic& report = finding.report;
      if (finding.more > 0) report.message += fmt::format(" (and {} more)", finding.more);
      diagnostics_.Report(std::move(report));
    }
  }

 private:
  // Where the loops are.
  struct Row {
    const Scope* scope = nullptr;
    SourceRange where;
    const Scope* outer = nullptr;  // the names around the innermost loop
    std::string_view name;         // of its row
  };

  struct Finding {
    Diagnostic report;
    std::string message;  // of the first row
    const Scope* outer = nullptr;
    std::size_t more = 0;
  };

  // Calls visit(row) for each round. False after an error, which was reported.
  template <typename Visit>
  bool Each(std::span<const CheckLoop> loops, const Row& row, const Visit& visit) {
    if (loops.empty()) {
      visit(row);
      return !failed_;
    }
    const CheckLoop& loop = loops.front();
    const Node* of = Value(loop.of, row);
    if (of == nullptr) return false;
    const auto bind = [&](const Scope* scope, std::string_view name, const Node* value) {
      return arena_.New<Scope>(scope, name, value, BindingKind::kFor, loop.where);
    };
    if (loop.binds) {
      Row bound = row;
      bound.scope = bind(row.scope, loop.name, of);
      return Each(loops.subspan(1), bound, visit);
    }
    if (of->is_scalar() || (of->is_mapping() && loop.key.empty())) {
      failed_ = true;
      Diagnostic report{.code = "schema-expression",
                        .message = fmt::format("a loop needs a list, found {}", DescribeKind(*of)),
                        .where = loop.of.Place(sources_)};
      if (of->is_mapping()) report.hint = "write `key, value in` to go through a mapping";
      if (row.where.known()) report.related.push_back({row.where, "computed for this"});
      diagnostics_.Report(std::move(report));
      return false;
    }
    for (std::size_t i = 0; i < of->items.size(); ++i) {
      const Node* item = of->items[i];
      const Scope* scope = row.scope;
      if (!loop.key.empty()) {
        scope = bind(scope, loop.key, MakeNumber(arena_, static_cast<double>(i)));
      }
      const Row inner{bind(scope, loop.name, item), item->where.known() ? item->where : row.where,
                      row.scope, RowName(*item)};
      if (!Each(loops.subspan(1), inner, visit)) return false;
    }
    for (const Entry& entry : of->entries) {
      const Scope* scope = bind(row.scope, loop.key, entry.key);
      const Row inner{bind(scope, loop.name, entry.value), entry.key->where, row.scope,
                      entry.key->text};
      if (!Each(loops.subspan(1), inner, visit)) return false;
    }
    return true;
  }

  const Node* Value(const SchemaExpression& expression, const Row& row) {
    const Node* value = expression.Evaluate(row.scope, row.where, sources_, arena_, diagnostics_);
    failed_ = failed_ || value == nullptr;
    return value;
  }

  bool Holds(const std::optional<SchemaExpression>& condition, const Row& row, bool otherwise) {
    if (!condition) return otherwise;
    const Node* value = Value(*condition, row);
    return value != nullptr && IsTruthy(*value);
  }

  std::string Text(const std::optional<SchemaExpression>& text, const Row& row) {
    const Node* value = text ? Value(*text, row) : nullptr;
    return value == nullptr ? std::string() : std::string(value->text);
  }

  // A list or mapping that a row holds stands where its column is named.
  SourceRange Place(const SchemaExpression& at, const Node& value, const Row& row) {
    const Expr* root = at.whole();
    const bool is_part = root->kind == ExprKind::kProperty || root->kind == ExprKind::kIndex;
    if (is_part && (!value.is_scalar() || value.is_null())) {
      const Node* whole = Evaluate(*root->operands[0], row.scope, arena_).value;
      for (const Entry& entry : whole == nullptr ? std::span<const Entry>() : whole->entries) {
        if (entry.value == &value && entry.key->where.known()) return entry.key->where;
      }
    }
    return value.where;
  }

  void Look(const Row& row) {
    if (!Holds(check_.condition, row, true) || failed_) return;
    if (Holds(check_.that, row, false) || failed_) return;
    Diagnostic report{.severity = check_.severity,
                      .code = check_.code,
                      .message = Text(check_.message, row),
                      .where = row.where,
                      .hint = Text(check_.hint, row)};
    const Node* at = check_.at ? Value(*check_.at, row) : nullptr;
    if (at != nullptr) {
      const SourceRange place = Place(*check_.at, *at, row);
      if (place.known()) report.where = place;
    }
    if (check_.near && report.hint.empty()) {
      report.hint = Near(at == nullptr ? row.name : at->text, row);
    }
    for (const CheckLine& line : check_.related) {
      Each(line.each, row, [&](const Row& inner) {
        if (!Holds(line.condition, inner, true)) return;
        const Node* place = line.at ? Value(*line.at, inner) : nullptr;
        const SourceRange where = place == nullptr ? inner.where : Place(*line.at, *place, inner);
        if (where.known()) report.related.push_back({where, Text(line.text, inner)});
      });
    }
    for (const CheckLine& line : check_.notes) {
      Each(line.each, row, [&](const Row& inner) {
        if (!Holds(line.condition, inner, true)) return;
        if (std::string text = Text(line.text, inner); !text.empty()) {
          report.notes.push_back(std::move(text));
        }
      });
    }
    if (failed_) return;
    if (acknowledged_ != nullptr && acknowledged_->Take(report.code, report.where)) return;
    Add(std::move(report), row);
  }

  std::string Near(std::string_view word, const Row& row) {
    const Node* names = Value(*check_.near, row);
    std::vector<std::string_view> known;
    for (const Node* name : names == nullptr ? std::span<const Node* const>() : names->items) {
      if (name->is_scalar()) known.push_back(name->text);
    }
    return DidYouMean(word, known);
  }

  void Add(Diagnostic report, const Row& row) {
    for (Finding& finding : findings_) {
      const Diagnostic& first = finding.report;
      const bool same_text = finding.message == report.message;
      if (same_text && first.where == report.where) return;
      const std::string_view word =
          same_text ? std::string_view() : OneWordOf(finding.message, report.message);
      if (!same_text && finding.outer != row.outer && word.empty()) continue;
      const bool same_notes = first.notes == report.notes;
      if (first.hint != report.hint || !report.related.empty() ||
          first.related.size() != finding.more || (!same_notes && word.empty())) {
        continue;
      }
      const std::string_view name = word.empty() ? row.name : TrimQuotes(word);
      std::string text = name.empty() ? "here too" : fmt::format("{} too", Quoted(name));
      if (!same_notes) text += fmt::format(": {}", fmt::join(report.notes, "; "));
      finding.report.related.push_back({report.where, std::move(text)});
      ++finding.more;
      return;
    }
    std::string message = report.message;
    findings_.push_back({std::move(report), std::move(message), row.outer});
  }

  const RowCheck& check_;
  const SourceManager& sources_;
  Diagnostics& diagnostics_;
  Arena arena_;
  Acknowledgements* acknowledged_;
  bool failed_ = false;
  std::vector<Finding> findings_;
};

}  // namespace

void RunChecks(std::span<const RowCheck> checks, Severity severity, const Scope* scope,
               const SourceManager& sources, Diagnostics& diagnostics,
               Acknowledgements* acknowledged) {
  for (const RowCheck& check : checks) {
    if (check.severity != severity) continue;
    CheckRunner(check, sources, diagnostics, acknowledged).Run(scope);
  }
}

}  // namespace wheelwright
