#include "generator/matrix/skip_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "generator/matrix/load.h"

namespace wheelwright {

void CheckTestSkips(const Matrix& matrix, Diagnostics& diagnostics) {
  std::vector<std::string_view> run;
  for (const Entry& level : matrix.test_levels->entries) {
    for (const Node* file : Find(level.value, "files")->items) run.push_back(file->text);
  }
  for (const Node* row : matrix.test_skips->items) {
    for (const Node* file : Find(row, "files")->items) {
      if (std::ranges::find(run, file->text) != run.end()) continue;
      diagnostics.Report({.code = "file-not-run",
                          .message = fmt::format("no level of tests runs {}, so nothing of it is "
                                                 "left out",
                                                 Quoted(file->text)),
                          .where = file->where,
                          .hint = DidYouMean(file->text, run)});
    }
  }
}

}  // namespace wheelwright
