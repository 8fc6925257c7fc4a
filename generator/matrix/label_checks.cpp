#include "generator/matrix/label_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "generator/matrix/load.h"

namespace wheelwright {

void CheckTriggerLabels(const Matrix& matrix, Diagnostics& diagnostics) {
  std::vector<std::string_view> pytorch;
  for (const Entry& row : matrix.labels->entries) {
    if (FindText(row.value, "effect") == "pytorch") pytorch.push_back(row.key->text);
  }
  for (const Entry& trigger : matrix.triggers->entries) {
    for (const Entry& label : Find(trigger.value, "labels")->entries) {
      // The first row that fits is the one that counts, whatever the case of letters.
      const auto& rows = matrix.labels->entries;
      const auto row = std::ranges::find_if(rows, [&](const Entry& candidate) {
        return MatchesStars(ToLower(candidate.key->text), ToLower(label.key->text));
      });
      const bool taken = row != rows.end();
      if (taken && FindText(row->value, "effect") == "pytorch") continue;
      Diagnostic report{
          .code = "unreached-label",
          .message = fmt::format("no label starts the jobs that {} adds to {}",
                                 Quoted(label.key->text), trigger.key->text),
          .where = label.key->where,
          .hint = DidYouMean(label.key->text, pytorch),
          .notes = {"they are started by labels that a row of `labels` gives the effect pytorch"}};
      if (taken) {
        report.related.push_back({row->key->where, fmt::format("this row takes it: {}",
                                                               FindText(row->value, "effect"))});
      }
      diagnostics.Report(std::move(report));
    }
  }
}

}  // namespace wheelwright
